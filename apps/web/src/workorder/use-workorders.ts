import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";

type Page = Output<typeof workorderCalls.list>;
export type Narrowing = Omit<Input<typeof workorderCalls.list>, "cursor" | "pageSize">;
const pageSize = 30;

/** What the filters leave, page after page. */
export function useWorkorders(narrowing: Narrowing) {
  const query = useInfiniteQuery({
    queryKey: keyOf(workorderCalls.list, narrowing),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      send(workorderCalls.list, { ...narrowing, pageSize, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last: Page) => last.next,
    placeholderData: keepPreviousData,
    meta: { shownBy: "page" },
  });
  const pages = query.data?.pages;
  const data = useMemo(() => pages && { ...pages.at(-1)!, list: pages.flatMap(({ list }) => list) }, [pages]);
  return { ...query, data };
}
