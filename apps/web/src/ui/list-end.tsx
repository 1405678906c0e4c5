import { Button, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import classes from "./list-end.module.css";

interface ListEndProps {
  /** How many are shown of how many there are, in words. */
  says: string;
  /** Of the button that brings more. */
  label: string;
  hasMore: boolean;
  isBusy: boolean;
  /** The last attempt failed: only a press tries again. */
  hasFailed: boolean;
  more: () => void;
}

/** The end of a list: brings the next page as it comes into view, or when it is pressed. */
export function ListEnd({ says, label, hasMore, isBusy, hasFailed, more }: ListEndProps) {
  const { ref, entry } = useIntersection({ rootMargin: "300px" });
  const isNear = entry?.isIntersecting === true;
  useEffect(() => {
    if (isNear && hasMore && !isBusy && !hasFailed) more();
  }, [isNear, hasMore, isBusy, hasFailed, more]);
  return (
    <div ref={ref} className={classes.end}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {says}
      </Text>
      {hasMore && (
        <Button variant="default" size="xs" loading={isBusy} onClick={more}>
          {label}
        </Button>
      )}
    </div>
  );
}
