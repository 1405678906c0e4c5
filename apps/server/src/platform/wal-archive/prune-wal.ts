import type { BackupPlace } from "../backup/backup-parts.ts";
import type { StoredBackup } from "../backup/backup-manifest.ts";
import { isSegment, segmentNumber, segmentNumberAt } from "./wal-segments.ts";

/** Removes the archived WAL that leads to no moment after one of the remaining backups. */
export async function pruneWal({ target }: BackupPlace, kept: readonly StoredBackup[]): Promise<void> {
  const oldest = new Date(kept[0]!.manifest.startedAt);
  const firstNeeded = new Map<string, bigint>();
  for (const { manifest } of kept) {
    if (!manifest.wal?.archive) continue;
    const number = segmentNumberAt(manifest.wal.start);
    const known = firstNeeded.get(manifest.wal.archive);
    if (known === undefined || number < known) firstNeeded.set(manifest.wal.archive, number);
  }
  for await (const files of target.list("wal"))
    for (const { name, modified } of files) {
      const [, id = "", file = ""] = name.split("/");
      const first = firstNeeded.get(id);
      // An archive without a backup may be that of a database that was just restored: its first backup comes later.
      const isNeeded =
        first === undefined
          ? modified >= oldest
          : !isSegment(file.slice(0, 24)) || segmentNumber(file.slice(0, 24)) >= first;
      if (!isNeeded) await target.remove(name);
    }
}
