import { constants, getPriority, setPriority } from "node:os";

/**
 * Lets other threads of the machine run before this one, as for work that nobody waits for at this moment: while a
 * processor is free, it is as fast as before. Linux alone gives each thread a priority of its own; elsewhere the call
 * would concern the whole process, and is left out. An operator may have lowered the whole process further: that stays.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux" || getPriority() >= constants.priority.PRIORITY_BELOW_NORMAL) return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The priority is a courtesy: a sandbox that forbids the call must not keep the thread from its work.
  }
}
