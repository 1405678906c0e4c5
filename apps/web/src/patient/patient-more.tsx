import { Button, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import { useTexts } from "../kernel/texts.ts";
import classes from "./patient-more.module.css";

interface PatientMoreProps {
  shown: number;
  /** How many there are, in words. */
  total: string;
  hasMore: boolean;
  isBusy: boolean;
  /** The last attempt failed: only a press tries again. */
  hasFailed: boolean;
  more: () => void;
}

/** The end of the list: brings the next page as it comes into view, or when it is pressed. */
export function PatientMore({ shown, total, hasMore, isBusy, hasFailed, more }: PatientMoreProps) {
  const t = useTexts("patient");
  const { ref, entry } = useIntersection({ rootMargin: "300px" });
  const isNear = entry?.isIntersecting === true;
  useEffect(() => {
    if (isNear && hasMore && !isBusy && !hasFailed) more();
  }, [isNear, hasMore, isBusy, hasFailed, more]);
  return (
    <div ref={ref} className={classes.end}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {hasMore ? t("patient.shownOf", { shown, total }) : total}
      </Text>
      {hasMore && (
        <Button variant="default" size="xs" loading={isBusy} onClick={more}>
          {t("patient.showMore")}
        </Button>
      )}
    </div>
  );
}
