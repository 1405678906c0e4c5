import { z } from "zod";
import type { BackupKey } from "./backup-key.ts";
import type { BackupPlace } from "./backup-parts.ts";
import { readTargetText, writeTargetText } from "../backup-target/backup-target.ts";
import type { BackupTarget } from "../backup-target/backup-target.ts";
import { StartError } from "../runtime/config.ts";

/** The version of this format; a program refuses backups with a higher one. */
export const backupFormat = 1;

const part = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() });
const manifest = z.object({
  format: z.number(),
  /** The version of Arcada. */
  version: z.string(),
  /** `cluster`: the files of the embedded PostgreSQL; `rows`: the rows of every table. */
  kind: z.enum(["cluster", "rows"]),
  startedAt: z.string(),
  finishedAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  postgres: z.object({ version: z.string(), major: z.number(), system: z.string(), timeline: z.number() }),
  /** The first and the last position in the WAL that the cluster's files need, and the archive that goes on from there. */
  wal: z.object({ start: z.string(), stop: z.string(), archive: z.string().optional() }).nullable(),
  /** The number of rows of each table, if they were taken from one snapshot. */
  rows: z.record(z.string(), z.number()).nullable(),
  store: z.string(),
  /** The fingerprint of SECRET_KEY. */
  secret: z.string(),
  /** The id of the key of the backup; null: it is not encrypted. */
  key: z.string().nullable(),
  /** Small files of the data folder. */
  state: part,
  database: z.array(part),
  /** Uploads that are not assigned yet: they are not in the store, but on this machine. */
  uploads: part,
  /** The list of the stored files that belong to the backup. */
  files: part.extend({ count: z.number(), content: z.number() }),
  /** Stored files whose content was wrong at the time of the backup, and which it therefore lacks. */
  damaged: z.array(z.string()),
  mac: z.string().nullable(),
});
export type Manifest = z.output<typeof manifest>;

const manifestName = "manifest.json";
const markerName = "arcada-backups.json";
const backupName = /^\d{8}T\d{6}Z(-\d+)?$/;

/** A complete backup; its name is its folder in the target. */
export interface StoredBackup {
  name: string;
  manifest: Manifest;
}

/** The folder with the copies of stored files, which all backups of a target share. */
export const filesFolder = "files";

/** Marks a target as one of backups under one key, or checks the mark. */
export async function openBackups({ target, key }: BackupPlace, how: { create: boolean }): Promise<void> {
  const text = await readTargetText(target, markerName).catch((error: NodeJS.ErrnoException) => {
    throw error.code === undefined || error.code.startsWith("ECONN")
      ? error
      : new StartError(`${target.label} cannot be read: ${error.code}.`);
  });
  if (text === null) {
    if (!how.create) throw new StartError(`There is no backup in ${target.label}.`);
    if ((await target.listTop()).some((name) => !name.startsWith(markerName) && name !== "lost+found"))
      throw new StartError(`${target.label} holds something else than backups: choose an empty folder.`);
    return writeTargetText(target, markerName, `${JSON.stringify({ format: backupFormat, key: key?.id ?? null })}\n`);
  }
  const marked = JSON.parse(text) as { format: number; key: string | null };
  if (marked.format > backupFormat) throw new StartError(tooNew(target.label));
  checkKey(target.label, marked.key, key);
}

function checkKey(root: string, wanted: string | null, key: BackupKey | null): void {
  if (wanted === (key?.id ?? null)) return;
  if (wanted === null) throw new StartError(`The backups in ${root} are not encrypted: leave --key-file out.`);
  if (!key) throw new StartError(`The backups in ${root} are encrypted: give their key by --key-file.`);
  throw new StartError(`The backups in ${root} were encrypted with another key than this one.`);
}

export const tooNew = (place: string): string =>
  `The backup in ${place} was made by a newer version of Arcada: restore it with that version.`;

const listNames = async (target: BackupTarget): Promise<string[]> =>
  (await target.listTop()).filter((name) => backupName.test(name)).toSorted();

/** Lists the complete backups, the oldest first. */
export async function listBackups(place: BackupPlace): Promise<StoredBackup[]> {
  const found: (StoredBackup | null)[] = [];
  for (const name of await listNames(place.target)) found.push(await readManifest(place, name));
  return found.filter((one) => one !== null);
}

/** Returns the newest backup, or the named one. */
export async function findBackup(place: BackupPlace, name?: string): Promise<StoredBackup> {
  const { label } = place.target;
  await openBackups(place, { create: false });
  if (name === undefined) {
    const newest = (await listBackups(place)).at(-1);
    if (!newest) throw new StartError(`There is no complete backup in ${label}.`);
    return newest;
  }
  const found = backupName.test(name) ? await readManifest(place, name) : null;
  if (!found) throw new StartError(`There is no complete backup ${name} in ${label}.`);
  return found;
}

/** Returns the newest backup from which an archive of the WAL leads to this moment. */
export async function findBackupBefore(place: BackupPlace, moment: Date | "latest"): Promise<StoredBackup> {
  await openBackups(place, { create: false });
  const archived = (await listBackups(place)).filter(({ manifest: { wal } }) => wal?.archive !== undefined);
  if (archived.length === 0)
    throw new StartError(
      `No backup in ${place.target.label} has an archive of the WAL, which BACKUP_WAL_SECONDS keeps: leave --until out.`,
    );
  const found = archived.findLast(({ manifest }) => moment === "latest" || new Date(manifest.finishedAt) <= moment);
  if (!found)
    throw new StartError(
      `The oldest backup with an archive in ${place.target.label} ended at ${archived[0]!.manifest.finishedAt}: give a later time.`,
    );
  return found;
}

/** Returns the names of backups that were begun and never ended, the oldest first. */
export async function listUnfinished(target: BackupTarget): Promise<string[]> {
  const names: string[] = [];
  for (const name of await listNames(target))
    if ((await target.size(`${name}/${manifestName}`)) === null) names.push(name);
  return names;
}

async function readManifest({ target, key }: BackupPlace, name: string): Promise<StoredBackup | null> {
  const text = await readTargetText(target, `${name}/${manifestName}`);
  if (text === null) return null;
  const raw = parseJson(text) as { format?: unknown } | null;
  const place = `${target.label}/${name}`;
  if (raw && typeof raw.format === "number" && raw.format > backupFormat) throw new StartError(tooNew(place));
  const parsed = manifest.safeParse(raw);
  if (!parsed.success) throw new StartError(`The manifest of the backup ${place} is damaged.`);
  checkKey(target.label, parsed.data.key, key);
  if (key && parsed.data.mac !== signManifest(parsed.data, key))
    throw new StartError(`The manifest of the backup ${place} was changed.`);
  return { name, manifest: parsed.data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes the manifest, by which the backup begins to exist. Everything else is on the disk before. */
export async function writeManifest(
  { target, key }: BackupPlace,
  name: string,
  content: Omit<Manifest, "mac">,
): Promise<void> {
  const whole = manifest.parse({ ...content, mac: null });
  const text = JSON.stringify({ ...whole, mac: key ? signManifest(whole, key) : null }, null, 2);
  await target.flush();
  await writeTargetText(target, `${name}/${manifestName}`, `${text}\n`);
}

/** Removes a backup. One that is half removed must not look complete, so the manifest goes first. */
export async function removeBackup(target: BackupTarget, name: string): Promise<void> {
  await target.remove(`${name}/${manifestName}`);
  await target.flush();
  await target.removeFolder(name);
}

/** Zod returns the fields in the order of the shape, so the text is the same after reading. */
const signManifest = (content: Manifest, key: BackupKey): string => key.sign(JSON.stringify({ ...content, mac: null }));
