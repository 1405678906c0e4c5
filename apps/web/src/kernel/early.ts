import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { send } from "./ask.ts";
import { keyOf, queryClient } from "./queries.ts";

/** Asks before the page that shows the answer has come: its useCall finds it, or waits for the same one. Null where it was refused, which that page says. */
export async function askEarly<C extends Call>(call: C, input: Input<C>): Promise<Output<C> | null> {
  try {
    return await queryClient.fetchQuery({
      queryKey: keyOf(call, input),
      queryFn: ({ signal }) => send(call, input, { signal }),
      meta: { shownBy: "page" },
    });
  } catch {
    return null;
  }
}
