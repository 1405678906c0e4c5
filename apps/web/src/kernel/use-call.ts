import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { send } from "./ask.ts";
import { keyOf } from "./queries.ts";

export interface UseCallOptions {
  /** False: do not ask yet. */
  enabled?: boolean;
  /** Keeps the last answer on the page while another page or filter is asked for. */
  keep?: boolean;
  /** Asks again after so many milliseconds, for what no live event tells. */
  every?: number;
}

/** What the server answers, kept fresh by live events. The page shows `page` refusals and an empty `data` itself. */
export const useCall = <C extends Call>(
  call: C,
  input: Input<C>,
  options: UseCallOptions = {},
): UseQueryResult<Output<C>> =>
  useQuery({
    queryKey: keyOf(call, input),
    queryFn: ({ signal }) => send(call, input, { signal }),
    enabled: options.enabled ?? true,
    ...(options.keep && { placeholderData: keepPreviousData }),
    ...(options.every && { refetchInterval: options.every }),
    meta: { shownBy: "page" },
  });
