import { capacityRules } from "@arcada/contract/capacity/capacity.rules";

export const dayMs = 86_400_000;

/**
 * Returns the notice that is due this long before the expiry, as its number of days: the smallest that has been
 * reached.
 */
export const dueNotice = (remainingMs: number): number | null =>
  capacityRules.noticeDays.filter((days) => remainingMs <= days * dayMs).at(-1) ?? null;

/**
 * Returns the notice that counts as sent when a term begins: a term that is no longer than the notice's days has only
 * just begun.
 */
export const noticeAtStart = (days: number): number | null => dueNotice(days * dayMs);
