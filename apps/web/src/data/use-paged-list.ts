import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { pageSizes } from "@arcada/contract/kernel/fields";

interface Page {
  list: { id: string }[];
  total: number;
  next: string | null;
}
interface PageRequest {
  pageSize: number;
  cursor?: string;
}
interface Options {
  /** False: do not fetch yet. */
  enabled?: boolean;
  /** Polling interval in milliseconds, for data without live events. */
  pollMs?: number;
}
const pageSize = pageSizes.growing;

/** A paged list as one; the last answer stays on the page while another search is being fetched. */
export function usePagedList<P extends Page>(
  key: unknown[],
  ask: (place: PageRequest, signal: AbortSignal) => Promise<P>,
  { enabled = true, pollMs }: Options = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask({ pageSize, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: "",
    getNextPageParam: (last: P) => last.next,
    placeholderData: keepPreviousData,
    enabled,
    ...(pollMs && { refetchInterval: pollMs }),
    meta: { shownBy: "page" },
  });
  const pages = query.data?.pages;
  const data = useMemo(() => pages && { ...pages[0]!, list: dedupeRows(pages) }, [pages]);
  return { ...query, data };
}

/** A row that moved between two pages is in both. */
function dedupeRows<P extends Page>(pages: readonly P[]): P["list"][number][] {
  const rows = new Map<string, P["list"][number]>();
  for (const { list } of pages) for (const row of list) rows.set(row.id, row);
  return [...rows.values()];
}
