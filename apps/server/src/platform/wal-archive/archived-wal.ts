import type { StoredBackup } from "../backup/backup-manifest.ts";
import type { BackupTarget } from "../backup-target/backup-target.ts";
import { findGap, isHistory, isSegment, segmentNumber, segmentNumberAt } from "./wal-segments.ts";

/** The folder of an archive in the target of the backups. */
export const walFolder = (id: string): string => `wal/${id}`;
export const walName = (name: string): string => `${name}.zst`;

export interface ArchivedWal {
  /** The segments from the end of the backup on; those before are in the backup itself. */
  segments: string[];
  histories: string[];
  /** The number of a segment that is missing between them; null: none is. */
  gap: bigint | null;
}

/** Lists the archived WAL that follows a backup. */
export async function listArchive(target: BackupTarget, { manifest }: StoredBackup): Promise<ArchivedWal> {
  const { archive, stop } = manifest.wal ?? {};
  if (!archive || !stop) return { segments: [], histories: [], gap: null };
  const names: string[] = [];
  for await (const files of target.list(walFolder(archive)))
    names.push(...files.map(({ name }) => name.slice(name.lastIndexOf("/") + 1).replace(/\.zst$/, "")));
  const first = segmentNumberAt(stop);
  const segments = names.filter((name) => isSegment(name) && segmentNumber(name) >= first).toSorted();
  return { segments, histories: names.filter(isHistory), gap: findGap(first, segments) };
}
