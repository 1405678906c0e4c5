import { useTexts } from "../../../../i18n/texts.ts";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import { isDrawingTool, annotationKindOf } from "../../../annotations/annotation-kind-registry.ts";
import styles from "../arch-overlays.module.css";

/** Shows the next step of the selected tool. */
export function PlanHint({ controls: { tool }, drawing: { draft } }: Pick<CtViewerState, "controls" | "drawing">) {
  const t = useTexts("viewer");
  const hints = isDrawingTool(tool) ? (annotationKindOf(tool).hints?.(t) ?? []) : [];
  // The last point of a draft follows the pointer: it has not been set yet.
  const set = draft?.tool === tool ? Math.max(1, draft.points.length - 1) : 0;
  const hint = hints[Math.min(set, hints.length - 1)];
  return (
    <div role="status" className={styles.hintPlace}>
      {hint && <span className={styles.hint}>{hint}</span>}
    </div>
  );
}
