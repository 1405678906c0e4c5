import { Button, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import classes from "./load-more.module.css";

interface LoadMoreProps {
  /** A paginated list. */
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    /** The last attempt failed: only a click retries. */
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  /** The number of shown items out of the total, as text. */
  summary: string;
  /** The label of the button that loads more. */
  label: string;
}

/** The end of a list: loads the next page when it comes into view, or by a click. */
export function LoadMore({ query, summary, label }: LoadMoreProps) {
  const {
    hasNextPage: hasMore,
    isFetchingNextPage: isBusy,
    isFetchNextPageError: hasFailed,
    fetchNextPage: more,
  } = query;
  const { ref, entry } = useIntersection({ rootMargin: "300px" });
  const isNear = entry?.isIntersecting === true;
  useEffect(() => {
    if (isNear && hasMore && !isBusy && !hasFailed) void more();
  }, [isNear, hasMore, isBusy, hasFailed, more]);
  return (
    <div ref={ref} className={classes.end}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {summary}
      </Text>
      {hasMore && (
        <Button variant="default" size="xs" loading={isBusy} onClick={() => void more()}>
          {label}
        </Button>
      )}
    </div>
  );
}
