import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";

type Page = Output<typeof clinicCalls.list>;
const pageSize = 50;

/** The clinics that a search finds, page after page. */
export function useClinics(search: string) {
  const query = useInfiniteQuery({
    queryKey: keyOf(clinicCalls.list, { search }),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      send(clinicCalls.list, { search, pageSize, ...(pageParam && { cursor: pageParam }) }, { signal }),
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
