import { deviceCalls } from "@arcada/contract/device/device.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { send } from "../kernel/ask.ts";
import { keyOf } from "../kernel/queries.ts";
import { usePages } from "../kernel/use-pages.ts";

export type Narrowing = Pick<Input<typeof deviceCalls.list>, "search" | "product" | "state">;

/** The devices that a search and its filters find, page after page. */
export const useDevices = (narrowing: Narrowing) =>
  usePages(keyOf(deviceCalls.list, narrowing), (place, signal) =>
    send(deviceCalls.list, { ...narrowing, ...place }, { signal }),
  );
