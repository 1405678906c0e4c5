import { useLook } from "../../kernel/look.ts";
import { useTexts } from "../../kernel/texts.ts";
import { kindOf, type Drawn, type DrawnTool, type Ruler } from "./kind.ts";

/** Returns the text beside an annotation, in the reader's language and tooth notation. */
export function useMarkLabel(): (tool: DrawnTool, drawn: Drawn, ruler: Ruler) => string {
  const t = useTexts("viewer");
  const { teeth } = useLook();
  return (tool, drawn, ruler) => kindOf(tool).label(t, drawn, { ...ruler, teeth });
}
