import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { send } from "../data/ask.ts";
import { queryKeyOf, queryClient } from "../data/query-client.ts";

/**
 * Makes a call before the page that shows the answer is loaded: its useCall finds the answer, or waits for the same
 * one. Null if it was refused; that page shows the refusal.
 */
export async function prefetchCall<C extends Call>(call: C, input: Input<C>): Promise<Output<C> | null> {
  try {
    return await queryClient.fetchQuery({
      queryKey: queryKeyOf(call, input),
      queryFn: ({ signal }) => send(call, input, { signal }),
      meta: { shownBy: "page" },
    });
  } catch {
    return null;
  }
}
