import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../runtime/config.ts";
import { isAlive, processIdentity } from "./postmaster.ts";

/** Runs the work while no other process runs work under the same lock file. A dead holder's lock is taken over. */
export async function withExclusiveLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const me = processIdentity(process.pid);
  for (const end = Date.now() + 120_000; !tryAcquire(file, me); await sleep(25)) {
    const holder = read(file);
    if (holder ? !isHolderAlive(holder) : lockAge(file) > 5000) removeStaleLock(file, holder);
    else if (Date.now() > end)
      throw new StartError(
        `Another process (${holder.split(" ")[0]}) has been starting the database for two minutes: stop it, or delete ${file}.`,
      );
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function tryAcquire(file: string, me: string): boolean {
  try {
    writeFileSync(file, me, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    // On a full disk the file is created, but stays empty.
    rmSync(file, { force: true });
    throw error;
  }
}

const isHolderAlive = (holder: string): boolean => {
  const pid = Number(holder.split(" ")[0]);
  return isAlive(pid) && processIdentity(pid) === holder;
};

// A lock is empty for a moment between its creation and its writing; if it stays empty, its holder died in between.
const lockAge = (file: string): number =>
  Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());

// Renaming distinguishes two processes that both found the dead lock: the second finds nothing, or a lock that it gives
// back.
function removeStaleLock(file: string, holder: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) === holder) rmSync(aside);
    else renameSync(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
