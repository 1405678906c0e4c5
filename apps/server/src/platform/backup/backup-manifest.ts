import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { BackupKey } from "./backup-key.ts";
import { StartError } from "../runtime/config.ts";
import { readText, removeFile, syncFolder, writeDurably } from "../storage/durable-writes.ts";

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
  /** The first and the last position in the WAL that the cluster's files need. */
  wal: z.object({ start: z.string(), stop: z.string() }).nullable(),
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

/** A complete backup in a folder of backups. */
export interface StoredBackup {
  name: string;
  folder: string;
  manifest: Manifest;
}

/** Returns where the copies of stored files are, which all backups of a folder share. */
export const filesFolder = (root: string): string => path.join(root, "files");

/** Marks a folder as one of backups under one key, or checks the mark. */
export async function openBackupFolder(root: string, key: BackupKey | null, how: { create: boolean }): Promise<void> {
  const marker = path.join(root, markerName);
  const text = await readText(marker).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${root} cannot be read: ${error.code}.`);
  });
  if (text === null) {
    if (!how.create) throw new StartError(`There is no backup in ${root}.`);
    const names = await readdir(root).catch(() => []);
    if (names.some((name) => !name.startsWith(markerName) && name !== "lost+found"))
      throw new StartError(`${root} holds something else than backups: choose an empty folder.`);
    return writeDurably(marker, `${JSON.stringify({ format: backupFormat, key: key?.id ?? null })}\n`, { mode: 0o600 });
  }
  const marked = JSON.parse(text) as { format: number; key: string | null };
  if (marked.format > backupFormat) throw new StartError(tooNew(root));
  checkKey(root, marked.key, key);
}

function checkKey(root: string, wanted: string | null, key: BackupKey | null): void {
  if (wanted === (key?.id ?? null)) return;
  if (wanted === null) throw new StartError(`The backups in ${root} are not encrypted: leave --key-file out.`);
  if (!key) throw new StartError(`The backups in ${root} are encrypted: give their key by --key-file.`);
  throw new StartError(`The backups in ${root} were encrypted with another key than this one.`);
}

export const tooNew = (place: string): string =>
  `The backup in ${place} was made by a newer version of Arcada: restore it with that version.`;

/** Lists the complete backups, the oldest first. */
export async function listBackups(root: string, key: BackupKey | null): Promise<StoredBackup[]> {
  const names = (await readdir(root)).filter((name) => backupName.test(name)).toSorted();
  const found = await Promise.all(names.map((name) => readManifest(root, name, key)));
  return found.filter((one) => one !== null);
}

/** Returns the newest backup, or the named one. */
export async function findBackup(root: string, key: BackupKey | null, name?: string): Promise<StoredBackup> {
  await openBackupFolder(root, key, { create: false });
  if (name === undefined) {
    const newest = (await listBackups(root, key)).at(-1);
    if (!newest) throw new StartError(`There is no complete backup in ${root}.`);
    return newest;
  }
  const found = backupName.test(name) ? await readManifest(root, name, key) : null;
  if (!found) throw new StartError(`There is no complete backup ${name} in ${root}.`);
  return found;
}

/** Returns the names of backups that were begun and never ended. */
export async function listUnfinished(root: string): Promise<string[]> {
  const names = (await readdir(root)).filter((name) => backupName.test(name));
  const texts = await Promise.all(names.map((name) => readText(path.join(root, name, manifestName))));
  return names.filter((_, at) => texts[at] === null);
}

/** Returns when the newest complete backup was begun, for which no key is needed; null: there is none. */
export async function findNewestTime(root: string): Promise<Date | null> {
  const names = (await readdir(root).catch(() => [])).filter((name) => backupName.test(name)).toSorted();
  for (const name of names.toReversed())
    if (existsSync(path.join(root, name, manifestName)))
      return new Date(name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, "$1-$2-$3T$4:$5:$6Z"));
  return null;
}

async function readManifest(root: string, name: string, key: BackupKey | null): Promise<StoredBackup | null> {
  const folder = path.join(root, name);
  const text = await readFile(path.join(folder, manifestName), "utf8").catch(() => null);
  if (text === null) return null;
  const raw = parseJson(text) as { format?: unknown } | null;
  if (raw && typeof raw.format === "number" && raw.format > backupFormat) throw new StartError(tooNew(folder));
  const parsed = manifest.safeParse(raw);
  if (!parsed.success) throw new StartError(`The manifest of the backup ${folder} is damaged.`);
  checkKey(root, parsed.data.key, key);
  if (key && parsed.data.mac !== signManifest(parsed.data, key))
    throw new StartError(`The manifest of the backup ${folder} was changed.`);
  return { name, folder, manifest: parsed.data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes the manifest, by which the backup begins to exist. */
export function writeManifest(folder: string, content: Omit<Manifest, "mac">, key: BackupKey | null): Promise<void> {
  const whole = manifest.parse({ ...content, mac: null });
  const text = JSON.stringify({ ...whole, mac: key ? signManifest(whole, key) : null }, null, 2);
  return writeDurably(path.join(folder, manifestName), `${text}\n`, { mode: 0o600 });
}

/** Takes the manifest away: the backup no longer exists. */
export async function withdrawManifest(folder: string): Promise<void> {
  await removeFile(path.join(folder, manifestName));
  await syncFolder(folder);
}

/** Zod returns the fields in the order of the shape, so the text is the same after reading. */
const signManifest = (content: Manifest, key: BackupKey): string => key.sign(JSON.stringify({ ...content, mac: null }));
