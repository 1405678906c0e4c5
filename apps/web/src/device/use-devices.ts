import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { send } from "../data/ask.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { usePagedList } from "../data/use-paged-list.ts";

export type DeviceFilter = Pick<Input<typeof deviceCalls.list>, "search" | "product" | "state">;

/** The devices that a search and its filters find, page after page. */
export const useDevices = (filter: DeviceFilter) =>
  usePagedList(queryKeyOf(deviceCalls.list, filter), (pageParam, signal) =>
    send(deviceCalls.list, { ...filter, ...pageParam }, { signal }),
  );
