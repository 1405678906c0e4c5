import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import type { BackupPart, BackupPlace } from "./backup-parts.ts";
import type { PackEntry } from "./pack-files-into-stream.ts";
import { openPartWriter, removeOtherParts } from "./reusable-parts.ts";

export interface ClusterBackup {
  parts: BackupPart[];
  wal: { start: string; stop: string };
  /** The number of parts that an interrupted attempt had written. */
  reused: number;
}

/**
 * Copies the files of a running cluster, and the WAL that makes them consistent, into the folder of a backup. The
 * connection keeps a temporary slot, so that the server recycles none of that WAL; if this process dies, slot and backup
 * mode end with the connection.
 */
export async function backUpCluster(
  client: pg.Client,
  cluster: string,
  place: BackupPlace,
  backup: string,
): Promise<ClusterBackup> {
  await client.query("select pg_create_physical_replication_slot($1, true, true)", [`arcada_backup_${process.pid}`]);
  const start = await queryOne<{ lsn: string; wal: string }>(
    client,
    "select lsn::text, pg_walfile_name(lsn) as wal from pg_backup_start('arcada', true) as lsn",
  );
  const writer = await openPartWriter(place, backup);
  const parts: BackupPart[] = [];
  for (const group of groupEntries(await listCluster(cluster))) parts.push(await writer.write(group));
  const stop = await queryOne<{ lsn: string; wal: string; labelfile: string; spcmapfile: string }>(
    client,
    "select lsn::text, pg_walfile_name(lsn) as wal, labelfile, spcmapfile from pg_backup_stop(false)",
  );
  const last = await writer.write([
    { path: "backup_label", text: stop.labelfile },
    ...(stop.spcmapfile ? [{ path: "tablespace_map", text: stop.spcmapfile }] : []),
    ...(await listWal(cluster, start.wal, stop.wal)),
  ]);
  parts.push(last);
  await removeOtherParts(place, backup, parts);
  return { parts, wal: { start: start.lsn, stop: stop.lsn }, reused: writer.reused };
}

async function queryOne<T extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<T> {
  return (await client.query<T>(text)).rows[0]!;
}

// PostgreSQL, "Backing Up The Data Directory": the contents of these folders are of no use to another start.
const emptyFolders = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const leftOut = /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|recovery\.signal|pgsql_tmp.*)$/;
const isLeftOut = (name: string): boolean => leftOut.test(name) || name.startsWith("pg_internal.init");
const controlFile = "global/pg_control";

/** Lists the files to copy. The control file is the last, as in `pg_basebackup`. */
async function listCluster(cluster: string): Promise<PackEntry[]> {
  const found: PackEntry[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(path.join(cluster, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (isLeftOut(entry.name)) continue;
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        found.push({ path: name, folder: true });
        if (!emptyFolders.has(name)) await visit(name);
      } else if (entry.isFile() && name !== controlFile) found.push(await fileEntry(cluster, name));
    }
  };
  await visit("");
  return [
    ...found,
    { path: "pg_wal/archive_status", folder: true },
    { path: "pg_wal/summaries", folder: true },
    await fileEntry(cluster, controlFile),
  ];
}

const fileEntry = async (cluster: string, name: string): Promise<PackEntry> => {
  const file = path.join(cluster, name);
  const found = await stat(file).catch(() => null);
  return { path: name, file, bytes: found?.size ?? 0, changedAt: found?.mtimeMs ?? 0 };
};

const partBytes = 256 * 1024 * 1024;

/** Groups the files into parts of some size; a large file is a part by itself. */
function groupEntries(entries: readonly PackEntry[]): PackEntry[][] {
  const groups: PackEntry[][] = [[]];
  let bytes = 0;
  for (const entry of entries) {
    const size = "bytes" in entry ? entry.bytes : 0;
    if (bytes > 0 && bytes + size > partBytes) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(entry);
    bytes += size;
  }
  return groups;
}

/** Lists the segments from the first to the last, and the histories of the timelines. */
async function listWal(cluster: string, first: string, last: string): Promise<PackEntry[]> {
  const names = (await readdir(path.join(cluster, "pg_wal"))).filter(
    (name) => (/^[0-9A-F]{24}$/.test(name) && name >= first && name <= last) || name.endsWith(".history"),
  );
  for (const needed of [first, last]) if (!names.includes(needed)) throw new Error(`the WAL segment ${needed} is gone`);
  return Promise.all(names.toSorted().map((name) => fileEntry(cluster, path.join("pg_wal", name))));
}
