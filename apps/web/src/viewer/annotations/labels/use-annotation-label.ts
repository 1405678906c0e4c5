import { useAppearance } from "../../../browser/appearance.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { annotationKindOf, type DrawableAnnotation, type DrawingTool, type Ruler } from "../annotation-kind.ts";

/** Returns the text beside an annotation, in the reader's language and tooth notation. */
export function useAnnotationLabel(): (tool: DrawingTool, annotation: DrawableAnnotation, ruler: Ruler) => string {
  const t = useTexts("viewer");
  const { teeth } = useAppearance();
  return (tool, annotation, ruler) => annotationKindOf(tool).label(t, annotation, { ...ruler, teeth });
}
