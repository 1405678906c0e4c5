import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { patientCalls, patientRules, patientSorts, sexes } from "@arcada/contract/patient/patient.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { send } from "../kernel/ask.ts";
import type { Search } from "../kernel/link.tsx";
import { keyOf } from "../kernel/queries.ts";

export type Sex = (typeof sexes)[number];
export type PatientSort = (typeof patientSorts)[number];
export interface PatientFilter {
  search?: string;
  sex?: Sex;
  sort: PatientSort;
}
type Page = Output<typeof patientCalls.list>;

/** The patients that a filter finds, page after page. */
export function usePatients(filter: PatientFilter) {
  const query = useInfiniteQuery({
    queryKey: keyOf(patientCalls.list, filter),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      send(patientCalls.list, { ...filter, pageSize, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last: Page) => last.next,
    placeholderData: keepPreviousData,
    meta: { shownBy: "page" },
  });
  const pages = query.data?.pages;
  const data = useMemo(() => pages && { list: withoutTwice(pages), total: pages[0]?.total ?? 0 }, [pages]);
  return { ...query, data };
}

const pageSize = 50;

/** A patient whose last visit changed between two pages stands in both. */
function withoutTwice(pages: readonly Page[]): Page["list"] {
  const rows = new Map(pages.flatMap(({ list }) => list).map((row) => [row.id, row]));
  return [...rows.values()];
}

export function filterOf(address: Search): PatientFilter {
  const sex = sexes.find((one) => one === address["sex"]);
  const sort = patientSorts.find((one) => one === address["sort"]) ?? "recentVisitAt";
  const search = address["search"]?.trim();
  return { sort, ...(search && { search }), ...(sex && { sex }) };
}

export const isFiltered = (filter: PatientFilter): boolean => filter.search !== undefined || filter.sex !== undefined;
/** Beyond its most the server stops counting what a filter finds. */
export const isCountedOut = (filter: PatientFilter, total: number): boolean =>
  isFiltered(filter) && total >= patientRules.totalMost;
