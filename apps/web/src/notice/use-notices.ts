import { useInfiniteQuery } from "@tanstack/react-query";
import type { Output } from "@arcada/contract/kernel/call";
import { noticeCalls } from "@arcada/contract/notice/notice.calls";
import { send } from "../data/ask.ts";
import { queryKeyOf } from "../data/query-client.ts";

type NoticePage = Output<typeof noticeCalls.list>;
export type Notice = NoticePage["list"][number];

/** The notices of a category, page after page, kept current by live events. */
export function useNotices(categoryID: number) {
  const query = useInfiniteQuery({
    queryKey: queryKeyOf(noticeCalls.list, { categoryID }),
    queryFn: ({ pageParam, signal }): Promise<NoticePage> =>
      send(noticeCalls.list, { categoryID, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last: NoticePage) => last.next,
    meta: { shownBy: "page" },
  });
  return { ...query, data: query.data?.pages.flatMap(({ list }) => list) };
}
