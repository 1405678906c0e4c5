import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { send } from "./ask.ts";
import { queryKeyOf } from "./query-client.ts";

export interface UseCallOptions {
  /** False: do not fetch yet. */
  enabled?: boolean;
  /** Another part of the page makes the first request and stores its answer in the cache: none is made before. */
  awaitsFirstAnswer?: boolean;
  /** Keeps the last answer on the page while another page or filter is being fetched. */
  keepPrevious?: boolean;
  /** Polling interval in milliseconds, for data without live events. */
  pollMs?: number;
}

/**
 * Fetches the answer to a call and keeps it fresh by live events. The page shows `page` refusals and an empty `data`
 * itself.
 */
export const useCall = <C extends Call>(
  call: C,
  input: Input<C>,
  options: UseCallOptions = {},
): UseQueryResult<Output<C>> =>
  useQuery({
    queryKey: queryKeyOf(call, input),
    queryFn: ({ signal }) => send(call, input, { signal }),
    enabled: ({ state }) => (options.enabled ?? true) && !(options.awaitsFirstAnswer && state.data === undefined),
    ...(options.awaitsFirstAnswer && { staleTime: Infinity }),
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
    ...(options.pollMs && { refetchInterval: options.pollMs }),
    meta: { shownBy: "page" },
  });
