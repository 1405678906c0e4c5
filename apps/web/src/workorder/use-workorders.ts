import type { Input } from "@arcada/contract/kernel/call";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";
import { usePages } from "../kernel/use-pages.ts";

export type Narrowing = Omit<Input<typeof workorderCalls.list>, "cursor" | "pageSize">;

/** The work orders that match the filters, page after page. */
export const useWorkorders = (narrowing: Narrowing) =>
  usePages(keyOf(workorderCalls.list, narrowing), (place, signal) =>
    send(workorderCalls.list, { ...narrowing, ...place }, { signal }),
  );
