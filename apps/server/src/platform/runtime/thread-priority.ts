import { constants, setPriority } from "node:os";

/**
 * Lets other threads of the machine run before this one, as for work that nobody waits for at this moment: while a
 * processor is free, it is as fast as before. Linux alone gives each thread a priority of its own; elsewhere the call
 * would concern the whole process, and is left out.
 */
export function lowerThreadPriority(): void {
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}
