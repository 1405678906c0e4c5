import { Button } from "@mantine/core";
import { useTexts } from "../../kernel/texts.ts";
import type { Marks } from "./use-marks.ts";
import styles from "./mark-status.module.css";

/** Shows if the measurements are saved, and offers a remedy if they are not. */
export function MarkStatus({ marks }: { marks: Marks }) {
  const t = useTexts("viewer");
  const { state } = marks;
  if (state === "loading" || (state === "saved" && marks.list.length === 0)) return null;
  if (state === "own" && !marks.canUndo) return null;
  const canRetry = state === "lost" || state === "newer" || state === "unread";
  return (
    <span className={canRetry ? styles.problem : styles.status} role="status">
      {t(`viewer.marks.${state}`)}
      {canRetry && (
        <Button size="compact-xs" variant="light" data-holds-press onClick={marks.again}>
          {t(state === "newer" ? "viewer.marks.takeNewer" : "viewer.again")}
        </Button>
      )}
    </span>
  );
}
