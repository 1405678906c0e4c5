import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";

type Page = Output<typeof inboxCalls.inbox>;

/** Addresses of pictures end after five minutes. */
const renewMs = 240_000;

/** What waits in the inbox, page after page. */
export function useInbox() {
  const query = useInfiniteQuery({
    queryKey: keyOf(inboxCalls.inbox, {}),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      send(inboxCalls.inbox, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: "",
    getNextPageParam: (last: Page) => last.next,
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
    meta: { shownBy: "page" },
  });
  const pages = query.data?.pages;
  const data = useMemo(
    () => pages && { list: pages.flatMap(({ list }) => list), total: pages.at(-1)?.total ?? 0 },
    [pages],
  );
  return { ...query, data };
}
