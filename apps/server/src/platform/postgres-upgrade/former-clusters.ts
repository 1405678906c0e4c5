import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { readMajor } from "../postgres/make-cluster.ts";
import { readText, removeFile, writeDurably } from "../storage/durable-writes.ts";

/** The old database is kept for this time after an upgrade. */
export const keptDays = 14;

const sinceFile = (former: string): string => `${former}.since`;

/** Lists the databases that upgrades have left beside this cluster. */
export const listFormerClusters = (folder: string): string[] =>
  existsSync(path.dirname(folder))
    ? readdirSync(path.dirname(folder))
        .filter((name) => name.startsWith(`${path.basename(folder)}.old-`))
        .map((name) => path.join(path.dirname(folder), name))
        .filter((former) => readMajor(former) !== null)
    : [];

/** Deletes them; the operator has accepted the upgrade. */
export async function deleteFormerClusters(folder: string): Promise<string[]> {
  const formers = listFormerClusters(folder);
  for (const former of formers) await deleteCluster(former);
  return formers;
}

/**
 * Deletes those that are old enough, and returns them. The time begins with the first call after the upgrade, because an
 * instance that was switched off meanwhile has not been tried.
 */
export async function deleteExpiredClusters(folder: string, now = new Date()): Promise<string[]> {
  // Without the new one, an old database is the only one.
  if (readMajor(folder) === null) return [];
  const expired: string[] = [];
  for (const former of listFormerClusters(folder)) {
    const since = await readText(sinceFile(former));
    if (since === null) await writeDurably(sinceFile(former), `${now.toISOString()}\n`, { mode: 0o600 });
    else if (now.getTime() - Date.parse(since) > keptDays * 86_400_000) expired.push(former);
  }
  for (const former of expired) await deleteCluster(former);
  return expired;
}

async function deleteCluster(former: string): Promise<void> {
  await rm(former, { recursive: true, force: true });
  await removeFile(sinceFile(former));
}
