import type { Call } from "@arcada/contract/kernel/call";

type Listener = (call: Call) => void;
const listeners: Listener[] = [];

/**
 * Ids of records that a command ends. Pages that still show them do not refetch them: the live event arrives before the
 * user has been taken to another page.
 */
const endingRecords = new Map<string, number>();
const endingMs = 5000;
export function markEnding(ids: readonly string[]): void {
  for (const id of ids) endingRecords.set(id, Infinity);
}
/** Settles a command: ended records remain excluded for `endingMs`; records that still exist are included again. */
export function settleEnding(ids: readonly string[], isDone: boolean): void {
  for (const id of ids)
    if (isDone) endingRecords.set(id, Date.now() + endingMs);
    else endingRecords.delete(id);
}
/** True if the input names a record that is being ended or has just ended. */
export function namesEndedRecord(input: unknown): boolean {
  for (const [id, until] of endingRecords) if (until < Date.now()) endingRecords.delete(id);
  if (endingRecords.size === 0) return false;
  const text = JSON.stringify(input ?? null);
  return [...endingRecords.keys()].some((id) => text.includes(id));
}

/** Subscribes to every command that succeeded. */
export const onCommandSuccess = (listener: Listener): void => void listeners.push(listener);
export function notifyCommandSuccess(call: Call): void {
  for (const listener of listeners) listener(call);
}
