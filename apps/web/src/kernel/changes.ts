import type { Call } from "@arcada/contract/kernel/call";

type Listener = (call: Call) => void;
const listeners: Listener[] = [];

/** Hears of every command that succeeded. */
export const onChange = (listener: Listener): void => void listeners.push(listener);
export function changed(call: Call): void {
  for (const listener of listeners) listener(call);
}
