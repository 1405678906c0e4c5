import type { Call } from "@arcada/contract/kernel/call";

type Listener = (call: Call) => void;
const listeners: Listener[] = [];

/**
 * Records that a command ends: pages that still show them ask for them no more, for the live event comes before the
 * page has gone on.
 */
const ending = new Map<string, number>();
const endingMilliseconds = 5000;
export function ends(ids: readonly string[]): void {
  for (const id of ids) ending.set(id, Infinity);
}
/** They have ended and will be forgotten here, or they stay. */
export function ended(ids: readonly string[], isDone: boolean): void {
  for (const id of ids)
    if (isDone) ending.set(id, Date.now() + endingMilliseconds);
    else ending.delete(id);
}
/** Whether what was asked for names a record that has just ended. */
export function isOfEnded(input: unknown): boolean {
  for (const [id, until] of ending) if (until < Date.now()) ending.delete(id);
  if (ending.size === 0) return false;
  const text = JSON.stringify(input ?? null);
  return [...ending.keys()].some((id) => text.includes(id));
}

/** Hears of every command that succeeded. */
export const onChange = (listener: Listener): void => void listeners.push(listener);
export function changed(call: Call): void {
  for (const listener of listeners) listener(call);
}
