import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { syncFolder, writeDurably } from "../storage/durable-writes.ts";

/** A restore works in this folder inside the data folder, so that the exchange needs only renames on one disk. */
export const restoreFolderName = ".restoring";
const planName = "exchange.json";

interface Plan {
  /** The former content of the data folder. */
  former: string[];
  /** The folder, inside the data folder, to which it is moved. */
  aside: string;
  phase: "aside" | "place";
}

const isPlaced = (name: string): boolean => name !== planName && name !== "restore.json";

/**
 * Moves the former content of the data folder aside and the restored content into its place. The plan is on the disk
 * before the first rename: after an interruption, `finishExchange` goes on with it. `complete` is the last step before
 * the plan is removed; it may run twice.
 */
export async function exchangeFolders(
  dataDir: string,
  complete: () => Promise<void>,
  now = new Date(),
): Promise<string | null> {
  const found = await listContent(dataDir);
  const hasKey = existsSync(path.join(dataDir, secretName));
  const former = found.length > 0 && hasKey ? [...found, secretName] : found;
  const plan: Plan = { former, aside: `replaced-${now.toISOString().replace(/[-:]|\.\d+/g, "")}`, phase: "aside" };
  await writePlan(dataDir, plan);
  return followPlan(dataDir, plan, complete);
}

const secretName = "secret.key";
const otherNames = new Set([restoreFolderName, secretName, "checkout.txt", "lost+found"]);

/** Lists what makes a data folder one that is in use; a key alone may be put there for a restore. */
export const listContent = async (dataDir: string): Promise<string[]> =>
  (await readdir(dataDir)).filter((name) => !otherNames.has(name) && !name.startsWith("replaced-"));

/** True if an exchange was interrupted: the data folder has neither its former nor its restored content in full. */
export const isExchanging = (dataDir: string): boolean => existsSync(path.join(dataDir, restoreFolderName, planName));

/** Completes an exchange that was interrupted; undefined if there is none. */
export async function finishExchange(
  dataDir: string,
  complete: () => Promise<void>,
): Promise<string | null | undefined> {
  if (!isExchanging(dataDir)) return undefined;
  const file = path.join(dataDir, restoreFolderName, planName);
  return followPlan(dataDir, JSON.parse(await readFile(file, "utf8")) as Plan, complete);
}

async function followPlan(dataDir: string, plan: Plan, complete: () => Promise<void>): Promise<string | null> {
  const work = path.join(dataDir, restoreFolderName);
  const aside = path.join(dataDir, plan.aside);
  if (plan.phase === "aside") {
    if (plan.former.length > 0) await mkdir(aside, { recursive: true, mode: 0o700 });
    for (const name of plan.former)
      if (existsSync(path.join(dataDir, name))) await rename(path.join(dataDir, name), path.join(aside, name));
    await syncFolder(dataDir);
    await writePlan(dataDir, { ...plan, phase: "place" });
  }
  for (const name of (await readdir(work)).filter(isPlaced))
    await rename(path.join(work, name), path.join(dataDir, name));
  await syncFolder(dataDir);
  await complete();
  await rm(work, { recursive: true });
  return plan.former.length > 0 ? aside : null;
}

const writePlan = (dataDir: string, plan: Plan): Promise<void> =>
  writeDurably(path.join(dataDir, restoreFolderName, planName), JSON.stringify(plan), { mode: 0o600 });
