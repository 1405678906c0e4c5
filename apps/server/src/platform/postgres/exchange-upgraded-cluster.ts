import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { clusterPaths, readMajor } from "./make-cluster.ts";
import { findPostmaster, isAlive, processIdentity, waitUntil } from "./postmaster.ts";
import { StartError } from "../runtime/config.ts";
import { readText, removeFile, syncFolder, writeDurably } from "../storage/durable-writes.ts";

// An upgrade fills a new cluster beside the old one and then exchanges their names. Its plan is on the disk from the
// first to the last step. Whoever holds the cluster's lock and finds a plan knows that the upgrade was interrupted, and
// takes it back.
const plan = z.object({
  /** The process that upgrades. */
  holder: z.string(),
  from: z.number(),
  to: z.number(),
});
export type UpgradePlan = z.output<typeof plan>;

const planFile = (folder: string): string => `${folder}.upgrade.json`;
/** Returns where the new cluster is filled. */
export const draftFolder = (folder: string): string => `${folder}.next`;
/** Returns where the old cluster is kept. */
export const formerFolder = (folder: string, major: number): string => `${folder}.old-${major}`;

const stopMs = 40_000;

/** Throws if another process is upgrading this cluster. */
export function refuseDuringUpgrade(folder: string): void {
  if (!existsSync(planFile(folder))) return;
  const { holder, from, to } = plan.parse(JSON.parse(readFileSync(planFile(folder), "utf8")));
  const pid = Number(holder.split(" ")[0]);
  if (holder !== processIdentity(process.pid) && isAlive(pid) && holder === processIdentity(pid))
    throw new StartError(
      `The database in ${folder} is being upgraded from PostgreSQL ${from} to ${to} by process ${pid}: start Arcada when that has ended.`,
    );
}

export const writePlan = (folder: string, from: number, to: number): Promise<void> => {
  const text: UpgradePlan = { holder: processIdentity(process.pid), from, to };
  return writeDurably(planFile(folder), JSON.stringify(text), { mode: 0o600 });
};

/**
 * Takes back an upgrade that was interrupted: the old cluster has its name again, nothing of the new one is left, and
 * none of them runs. An upgrade whose exchange was complete stays. The caller holds the cluster's lock.
 */
export async function undoUpgrade(folder: string): Promise<void> {
  const text = await readText(planFile(folder));
  if (text === null) return;
  const { from } = plan.parse(JSON.parse(text));
  for (const cluster of [folder, draftFolder(folder)]) await stopLeftover(cluster);
  const former = formerFolder(folder, from);
  if (readMajor(folder) === null && readMajor(former) !== null) await rename(former, folder);
  await endUpgrade(folder);
}

/** Gives the new cluster the name of the old one, which is kept. The second rename decides. */
export async function exchangeClusters(folder: string, from: number): Promise<void> {
  await rename(folder, formerFolder(folder, from));
  await rename(draftFolder(folder), folder);
  await endUpgrade(folder);
}

/** Removes what an upgrade needed, the plan last. */
async function endUpgrade(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  await syncFolder(parent);
  const draft = path.basename(draftFolder(folder));
  for (const name of readdirSync(parent).filter((one) => one === draft || one.startsWith(`${draft}.`)))
    await removeWhenIdle(path.join(parent, name));
  await removeFile(clusterPaths(folder, true).lock);
  await removeFile(planFile(folder));
  await syncFolder(parent);
}

/** A program that a killed upgrade had begun may still be writing, until it misses its files. */
async function removeWhenIdle(place: string): Promise<void> {
  for (const end = Date.now() + stopMs; ; await sleep(100))
    try {
      return await rm(place, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY" || Date.now() > end) throw error;
    }
}

/** Stops the database that a killed upgrade has left running. */
async function stopLeftover(folder: string): Promise<void> {
  const pid = findPostmaster(folder)?.pid;
  if (!pid) return;
  process.kill(pid, "SIGINT");
  if (!(await waitUntil(() => !isAlive(pid), stopMs)))
    throw new StartError(`The database that an interrupted upgrade left is still closing (process ${pid}): try again.`);
}
