import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Makes the folder into which this cluster archives its WAL the cluster's own. The segments of two clusters have the same
 * names, so the folder of another cluster, such as the one before an upgrade, is moved aside. It is moved back if that
 * cluster is started again. No postmaster runs on either of them.
 */
export function openArchiveFolder(cluster: string, folder: string): void {
  const own = readSystemId(cluster);
  const owner = readOwner(folder);
  if (owner !== null && owner !== own) renameSync(folder, folderOf(folder, owner));
  if (!existsSync(folder) && existsSync(folderOf(folder, own))) renameSync(folderOf(folder, own), folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readOwner(folder) === null) writeFileSync(path.join(folder, ownerName), own, { mode: 0o600 });
}

const ownerName = "system";
const folderOf = (folder: string, system: string): string => `${folder}.${system}`;

/** Returns the system identifier of the cluster to which the folder belongs; null: to none yet. */
function readOwner(folder: string): string | null {
  const file = path.join(folder, ownerName);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** The first eight bytes of the control file are the system identifier: PostgreSQL, `catalog/pg_control.h`. */
const readSystemId = (cluster: string): string =>
  String(readFileSync(path.join(cluster, "global/pg_control")).readBigUInt64LE(0));
