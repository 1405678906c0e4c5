import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";

type Page = Output<typeof deviceCalls.list>;
export type Narrowing = Pick<Input<typeof deviceCalls.list>, "search" | "product" | "state">;
const pageSize = 50;

/** The devices that a search and its filters find, page after page. */
export function useDevices(narrowing: Narrowing) {
  const query = useInfiniteQuery({
    queryKey: keyOf(deviceCalls.list, narrowing),
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      send(deviceCalls.list, { ...narrowing, pageSize, ...(pageParam && { cursor: pageParam }) }, { signal }),
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
