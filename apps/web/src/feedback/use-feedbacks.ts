import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";

type Page = Output<typeof feedbackCalls.list>;
export type Narrowing = Omit<Input<typeof feedbackCalls.list>, "cursor" | "pageSize">;
const pageSize = 50;

/** What the filters leave, page after page. */
export function useFeedbacks(narrowing: Narrowing) {
  const query = useInfiniteQuery({
    queryKey: keyOf(feedbackCalls.list, narrowing),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      send(feedbackCalls.list, { ...narrowing, pageSize, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last: Page) => last.next,
    placeholderData: keepPreviousData,
    meta: { shownBy: "page" },
  });
  const pages = query.data?.pages;
  const data = useMemo(
    () => pages && { list: pages.flatMap(({ list }) => list), total: pages.at(-1)?.total ?? 0 },
    [pages],
  );
  return { ...query, data };
}
