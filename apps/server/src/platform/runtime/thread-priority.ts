import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

const { PRIORITY_BELOW_NORMAL } = constants.priority;

/**
 * Lets other threads of the machine run before this one, as for work that nobody waits for at this moment: while a
 * processor is free, it is as fast as before. Linux alone gives each thread a priority of its own; elsewhere the call
 * would concern the whole process, and is left out. An operator may have lowered the whole process further: that stays.
 */
export const lowerThreadPriority = (): void => lowerThreads(() => [currentThread]);

/**
 * Lets the threads of other processes run before all threads of this one. Those with which V8 compiles code and collects
 * garbage exist before a program's first line, and do a third as much for conversions as the converting threads.
 */
export function lowerProcessPriority(): void {
  lowerThreads(() => readdirSync("/proc/self/task").map(Number));
  lowerSessionPriority();
}

const currentThread = 0;

function lowerThreads(list: () => number[]): void {
  if (process.platform !== "linux" || getPriority() >= PRIORITY_BELOW_NORMAL) return;
  for (const thread of list())
    try {
      setPriority(thread, PRIORITY_BELOW_NORMAL);
    } catch {
      // The priority is a courtesy: a sandbox that forbids the call must not keep the thread from its work. Or a thread of
      // the list has ended.
    }
}

/**
 * Linux shares the processors by session before it looks at the priority of threads (sched(7), "The autogroup feature"),
 * and PostgreSQL begins a session for each connection. A process that leads its session, as one that systemd starts, lowers
 * the session with it. The session of a shell is left alone.
 */
function lowerSessionPriority(): void {
  if (process.platform !== "linux") return;
  try {
    const [, , , session] = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [, nice] = / nice (-?\d+)/.exec(readFileSync(sessionFile, "utf8")) ?? [];
    if (Number(session) === process.pid && Number(nice) < PRIORITY_BELOW_NORMAL)
      writeFileSync(sessionFile, String(PRIORITY_BELOW_NORMAL));
  } catch {
    // A kernel without the feature, or a sandbox.
  }
}
const sessionFile = "/proc/self/autogroup";
