import type { Icon } from "@tabler/icons-react";
import { useTexts, type Translate } from "../../../i18n/texts.ts";
import { annotationKindOf, isDrawingTool, type DrawingTool } from "../annotation-kind-registry.ts";
import type { AnnotationDraft } from "./annotation-draft.ts";
import styles from "./tool-prompt.module.css";

interface Props {
  tool: string;
  draft: Pick<AnnotationDraft<unknown>, "tool" | "points"> | null;
}

/** One line at the foot of the viewport: what to click next with the selected tool. */
export function ToolPrompt({ tool, draft }: Props) {
  const t = useTexts("viewer");
  const isDrawn = draft?.tool === tool;
  const prompt = isDrawingTool(tool) ? describeStep(t, tool, isDrawn ? countSetPoints(draft.points) : 0) : null;
  const icon = isDrawingTool(tool) ? annotationKindOf(tool).icon : null;
  return <PromptLine icon={icon} text={prompt} note={isDrawn ? t("viewer.promptCancel") : null} />;
}

interface LineProps {
  icon: Icon | null;
  /** Null while there is nothing to click. */
  text: string | null;
  note?: string | null;
}

export const PromptLine = ({ icon: Sign, text, note }: LineProps) => (
  <div role="status" className={styles.place}>
    {text && (
      <span className={styles.prompt}>
        {Sign && <Sign size={16} stroke={1.6} aria-hidden />}
        {text}
        {note && <span className={styles.cancel}>{note}</span>}
      </span>
    )}
  </div>
);

/** The last point of a draft follows the pointer: it has not been set yet. */
const countSetPoints = (points: readonly unknown[]): number => Math.max(1, points.length - 1);

/** Returns the prompt of a tool after so many of its points have been set. */
export function describeStep(t: Translate, tool: DrawingTool, set: number): string {
  const { hints, steps = [] } = annotationKindOf(tool);
  const own = hints?.(t);
  if (own) return own[Math.min(set, own.length - 1)] ?? "";
  const next = steps[Math.min(set, steps.length) - 1];
  const step = next ? t(`viewer.step.${next}`) : t(`viewer.about.${tool}`);
  return t("viewer.promptOf", { tool: t(`viewer.tool.${tool}`), step });
}
