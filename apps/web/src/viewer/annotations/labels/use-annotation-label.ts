import { useAppearance } from "../../../browser/appearance.ts";
import { useTexts } from "../../../i18n/texts.ts";
import type { DrawableAnnotation, Ruler } from "../annotation-kind-types.ts";
import { annotationKindOf, type DrawingTool } from "../annotation-kind-registry.ts";

/** Returns the text beside an annotation, in the reader's language and tooth notation. */
export function useAnnotationLabel(): (tool: DrawingTool, annotation: DrawableAnnotation, ruler: Ruler) => string {
  const t = useTexts("viewer");
  const { teeth } = useAppearance();
  return (tool, annotation, ruler) => annotationKindOf(tool).label(t, annotation, { ...ruler, teeth });
}
