import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { BackupKey } from "./backup-key.ts";
import { filesFolder, listBackups, withdrawManifest } from "./backup-manifest.ts";
import type { StoredBackup } from "./backup-manifest.ts";
import { copyPath, forEachFile } from "./copy-stored-files.ts";
import { removeFile } from "../storage/durable-writes.ts";
import { storageAreas } from "../storage/file-store.ts";

/**
 * Removes all but the newest backups, and the copies of files that none of the remaining ones lists. Returns the number
 * of removed backups.
 */
export async function pruneBackups(root: string, key: BackupKey | null, keep: number): Promise<number> {
  const backups = await listBackups(root, key);
  const old = backups.slice(0, -keep);
  if (old.length === 0) return 0;
  for (const { folder } of old) {
    // A backup that is half removed must not look complete.
    await withdrawManifest(folder);
    await rm(folder, { recursive: true });
  }
  const kept = backups.slice(-keep);
  for (const prefix of prefixesFor(kept)) await removeUnlisted(root, key, kept, prefix);
  return old.length;
}

const mostNames = 200_000;
const digits = [..."0123456789abcdef"];

/** Only some names are held in memory at once: those that begin with one digit if there are many. */
const prefixesFor = (kept: readonly StoredBackup[]): readonly string[] =>
  kept.some(({ manifest }) => manifest.files.count > mostNames) ? digits : [""];

async function removeUnlisted(
  root: string,
  key: BackupKey | null,
  kept: readonly StoredBackup[],
  prefix: string,
): Promise<void> {
  const listed = new Set<string>();
  for (const backup of kept)
    await forEachFile(backup, key, async (file) => {
      if (file.sha256.startsWith(prefix)) listed.add(copyPath({ root, key }, file));
    });
  for (const area of storageAreas)
    for (const iid of await listNames(path.join(filesFolder(root), area)))
      for (const part of await listNames(path.join(filesFolder(root), area, iid)))
        if (part.startsWith(prefix)) {
          const folder = path.join(filesFolder(root), area, iid, part);
          for (const name of await listNames(folder))
            if (!listed.has(path.join(folder, name))) await removeFile(path.join(folder, name));
        }
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
