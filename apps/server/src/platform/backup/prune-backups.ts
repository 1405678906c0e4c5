import type { BackupPlace } from "./backup-parts.ts";
import { filesFolder, listBackups, removeBackup } from "./backup-manifest.ts";
import type { StoredBackup } from "./backup-manifest.ts";
import { copyName, forEachFile } from "./copy-stored-files.ts";
import { pruneWal } from "../wal-archive/prune-wal.ts";

/**
 * Removes all but the newest backups, and the copies of files that none of the remaining ones needs. Returns the number
 * of removed backups.
 */
export async function pruneBackups(place: BackupPlace, keep: number): Promise<number> {
  const backups = await listBackups(place);
  const old = backups.slice(0, -keep);
  if (old.length === 0) return 0;
  for (const { name } of old) await removeBackup(place.target, name);
  const kept = backups.slice(-keep);
  for (const prefix of prefixesFor(kept)) await removeUnlisted(place, kept, prefix);
  await pruneWal(place, kept);
  return old.length;
}

const mostNames = 200_000;
const digits = [..."0123456789abcdef"];

/** Only some names are held in memory at once: those that begin with one digit if there are many. */
const prefixesFor = (kept: readonly StoredBackup[]): readonly string[] =>
  kept.some(({ manifest }) => manifest.files.count > mostNames) ? digits : [""];

async function removeUnlisted(place: BackupPlace, kept: readonly StoredBackup[], prefix: string): Promise<void> {
  const listed = new Set<string>();
  for (const backup of kept)
    await forEachFile(place, backup, async (file) => {
      if (file.sha256.startsWith(prefix)) listed.add(copyName(place, file));
    });
  // A newer copy may belong to a moment between two backups, to which the archive of the WAL leads.
  const oldest = new Date(kept[0]!.manifest.startedAt);
  for await (const files of place.target.list(filesFolder))
    for (const { name, modified } of files)
      if (modified < oldest && name.slice(name.lastIndexOf("/") + 1).startsWith(prefix) && !listed.has(name))
        await place.target.remove(name);
}
