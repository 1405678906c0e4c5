import type { Call } from "@arcada/contract/kernel/call";

type Listener = (call: Call) => void;
const listeners: Listener[] = [];

/**
 * Ids of records that a command ends. Pages that still show them do not refetch them: the live event arrives before the
 * user has been taken to another page.
 */
const ending = new Map<string, number>();
const endingMilliseconds = 5000;
export function ends(ids: readonly string[]): void {
  for (const id of ids) ending.set(id, Infinity);
}
/** The command has ended: the records are gone and remain excluded for `endingMilliseconds`, or they still exist. */
export function ended(ids: readonly string[], isDone: boolean): void {
  for (const id of ids)
    if (isDone) ending.set(id, Date.now() + endingMilliseconds);
    else ending.delete(id);
}
/** True if the input names a record that is being ended or has just ended. */
export function isOfEnded(input: unknown): boolean {
  for (const [id, until] of ending) if (until < Date.now()) ending.delete(id);
  if (ending.size === 0) return false;
  const text = JSON.stringify(input ?? null);
  return [...ending.keys()].some((id) => text.includes(id));
}

/** Subscribes to every command that succeeded. */
export const onChange = (listener: Listener): void => void listeners.push(listener);
export function changed(call: Call): void {
  for (const listener of listeners) listener(call);
}
