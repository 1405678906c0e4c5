import type { Input } from "@arcada/contract/kernel/call";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { send } from "../data/ask.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { usePagedList } from "../data/use-paged-list.ts";

export type WorkorderFilter = Omit<Input<typeof workorderCalls.list>, "cursor" | "pageSize">;

/** The work orders that match the filters, page after page. */
export const useWorkorders = (filter: WorkorderFilter) =>
  usePagedList(queryKeyOf(workorderCalls.list, filter), (pageParam, signal) =>
    send(workorderCalls.list, { ...filter, ...pageParam }, { signal }),
  );
