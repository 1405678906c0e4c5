import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";

export interface Page<T> {
  list: T[];
  total: number;
  next: string | null;
}
interface Place {
  pageSize: number;
  cursor?: string;
}
const pageSize = 50;

/** A list that comes page after page, as one; the last answer stays on the page while another search is asked for. */
export function usePages<T>(key: unknown[], ask: (place: Place, signal: AbortSignal) => Promise<Page<T>>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => ask({ pageSize, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: "",
    getNextPageParam: (last: Page<T>) => last.next,
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
