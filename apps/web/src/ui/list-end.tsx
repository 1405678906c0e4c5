import { Button, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import classes from "./list-end.module.css";

interface ListEndProps {
  /** A list that comes page after page. */
  of: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    /** The last attempt failed: only a press tries again. */
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  /** How many are shown of how many there are, in words. */
  says: string;
  /** Of the button that brings more. */
  label: string;
}

/** The end of a list: brings the next page as it comes into view, or when it is pressed. */
export function ListEnd({ of, says, label }: ListEndProps) {
  const { hasNextPage: hasMore, isFetchingNextPage: isBusy, isFetchNextPageError: hasFailed, fetchNextPage: more } = of;
  const { ref, entry } = useIntersection({ rootMargin: "300px" });
  const isNear = entry?.isIntersecting === true;
  useEffect(() => {
    if (isNear && hasMore && !isBusy && !hasFailed) void more();
  }, [isNear, hasMore, isBusy, hasFailed, more]);
  return (
    <div ref={ref} className={classes.end}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {says}
      </Text>
      {hasMore && (
        <Button variant="default" size="xs" loading={isBusy} onClick={() => void more()}>
          {label}
        </Button>
      )}
    </div>
  );
}
