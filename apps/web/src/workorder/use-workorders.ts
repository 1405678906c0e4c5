import type { Input } from "@arcada/contract/kernel/call";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { send } from "../kernel/ask.ts";
import { queryKeyOf } from "../kernel/queries.ts";
import { usePagedList } from "../kernel/use-pages.ts";

export type WorkorderFilter = Omit<Input<typeof workorderCalls.list>, "cursor" | "pageSize">;

/** The work orders that match the filters, page after page. */
export const useWorkorders = (filter: WorkorderFilter) =>
  usePagedList(queryKeyOf(workorderCalls.list, filter), (pageParam, signal) =>
    send(workorderCalls.list, { ...filter, ...pageParam }, { signal }),
  );
