import { Button } from "@mantine/core";
import { useTexts } from "../../../i18n/texts.ts";
import type { AnnotationStore } from "./use-annotations.ts";
import styles from "../annotation-status.module.css";

/** Shows if the measurements are saved, and offers a remedy if they are not. */
export function AnnotationSaveStatus({ annotations }: { annotations: AnnotationStore }) {
  const t = useTexts("viewer");
  const { state } = annotations;
  if (state === "loading" || (state === "saved" && annotations.list.length === 0)) return null;
  if (state === "own" && !annotations.canUndo) return null;
  const canRetry = state === "lost" || state === "newer" || state === "unread";
  return (
    <span className={canRetry ? styles.problem : styles.status} role="status">
      {t(`viewer.marks.${state}`)}
      {canRetry && (
        <Button size="compact-xs" variant="light" data-holds-press onClick={annotations.retry}>
          {t(state === "newer" ? "viewer.marks.takeNewer" : "viewer.again")}
        </Button>
      )}
    </span>
  );
}
