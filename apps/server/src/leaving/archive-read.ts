import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Entry, ZipFile } from "yauzl";
import { leavingRules } from "@arcada/contract/leaving/leaving.rules";
import { Refused, refuse } from "../platform/http/refuse.ts";
import { openZip } from "../platform/storage/unzip.ts";
import { archiveNames, manifestShape, tablePath } from "./archive.ts";
import type { ArchiveFile, Manifest } from "./archive.ts";
import { archiveTables, madeTables, readTables } from "./archive-tables.ts";

/**
 * An archive whose directory was checked: it contains what its manifest names and nothing else. Its bytes are checked
 * as they are read.
 */
export interface Archive {
  manifest: Manifest;
  /** The rows of a table, some hundred lines at a time; refuses at the end if they are not those of the manifest. */
  lines: (table: string) => AsyncGenerator<string[]>;
  /** A file's bytes. The reader must compare their hash. */
  open: (file: ArchiveFile) => Promise<Readable>;
}

/** Opens an archive for `work`. Refuses importBroken, importVersion and the refusals for hostile archives. */
export async function withArchive<T>(path: string, work: (archive: Archive) => Promise<T>): Promise<T> {
  const zip = await openZip(path).catch((error: unknown) => broken(error));
  try {
    const entries = await entriesOf(zip);
    const manifest = await manifestOf(zip, entries);
    compare(manifest, entries);
    return await work({
      manifest,
      lines: (table) => linesOf(zip, entries.get(tablePath(table))!, manifest.tables[table]!),
      open: (file) => zip.openReadStreamPromise(entries.get(file.path)!),
    });
  } catch (error) {
    return broken(error);
  } finally {
    zip.close();
  }
}

/** An error of the zip reader about an archive's bytes is the archive's fault; a full or failing disk is not. */
function broken(error: unknown): never {
  const { code, errno } = error as { code?: string; errno?: number };
  if (error instanceof Refused || (errno !== undefined && code !== "ERR_OUT_OF_RANGE") || !isZipFault(error))
    throw error;
  return refuse("importBroken");
}
const isZipFault = (error: unknown): boolean => {
  const { message, code } = error as { message?: string; code?: string };
  return (
    (code?.startsWith("Z_") ?? false) ||
    /central directory|local file header|entry|zip|compress|uncompressed|deflate|invalid|unexpected EOF|extra field|multi-disk|byte(s)? in the stream/i.test(
      message ?? "",
    )
  );
};

const wordsMost = 512 * 1024 * 1024;
const nameShape = /^(manifest\.json|README\.txt|tables\/[a-z_]{1,60}\.jsonl|(originals|converted)\/[0-9a-f]{64})$/;

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > leavingRules.entries) refuse("zipBomb");
  const entries = new Map<string, Entry>();
  let words = 0;
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    words += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    unpacked += entry.uncompressedSize;
    if (words > wordsMost) refuse("zipBomb");
    // The reader refuses more bytes than are announced here: the sum is the maximum that can be unpacked.
    if (unpacked > leavingRules.ratioFrom && unpacked > zip.fileSize * leavingRules.ratio) refuse("zipBomb");
    const name = entry.fileNameRaw.toString("latin1");
    if (!nameShape.test(name)) refuse(/(^\/|\\|\.\.)/.test(name) ? "zipPath" : "importBroken");
    if (entry.isEncrypted()) refuse("zipEncrypted");
    if (!entry.canDecodeFileData() || entries.has(name)) refuse("importBroken");
    entries.set(name, entry);
  }
  checkSpans([...entries.values()], zip.fileSize);
  return entries;
}

/** Entries that share bytes make a small archive endless. A local header has 30 bytes and the name. */
function checkSpans(entries: readonly Entry[], size: number): void {
  const spans = entries
    .map((entry): [number, number] => [
      entry.relativeOffsetOfLocalHeader,
      entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize,
    ])
    .sort((one, other) => one[0] - other[0]);
  spans.forEach(([, end], place) => {
    if (end > (spans[place + 1]?.[0] ?? size)) refuse("zipBomb");
  });
}

async function manifestOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
  const entry = entries.get(archiveNames.manifest) ?? refuse("importBroken");
  if (entry.uncompressedSize > leavingRules.manifestBytes) refuse("zipBomb");
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const raw = parsed(Buffer.concat(chunks).toString("utf8"));
  if ((raw as { format?: unknown } | null)?.format !== "arcada-institution") refuse("importBroken");
  if ((raw as { version?: unknown }).version !== leavingRules.formatVersion) refuse("importVersion");
  const { success, data } = manifestShape.safeParse(raw);
  return success ? data : refuse("importBroken");
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse("importBroken");
  }
}

const known = new Set<string>([...archiveTables, ...readTables].map(({ name }) => name).concat(madeTables));

/** Manifest and entries name the same things, each once. */
function compare({ tables, files }: Manifest, entries: ReadonlyMap<string, Entry>): void {
  if (Object.keys(tables).some((name) => !known.has(name))) refuse("importVersion");
  if (["institution", ...madeTables].some((name) => !tables[name])) refuse("importBroken");
  const named = new Set([archiveNames.manifest, archiveNames.readme, ...Object.keys(tables).map(tablePath)]);
  for (const { path, area, bytes } of files) {
    if (named.has(path) || !path.startsWith(`${area}/`) || entries.get(path)?.uncompressedSize !== bytes)
      refuse("importBroken");
    named.add(path);
  }
  for (const [name, { bytes }] of Object.entries(tables))
    if (entries.get(tablePath(name))?.uncompressedSize !== bytes) refuse("importBroken");
  for (const name of entries.keys()) if (!named.has(name)) refuse("importBroken");
}

const linesAtOnce = 200;
const bytesAtOnce = 4_000_000;

async function* linesOf(zip: ZipFile, entry: Entry, said: Manifest["tables"][string]): AsyncGenerator<string[]> {
  const hash = createHash("sha256");
  let [rows, open, gathered] = [0, "", 0];
  let batch: string[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    hash.update(chunk as Buffer);
    const pieces = (open + decode(decoder, chunk as Buffer)).split("\n");
    open = pieces.pop()!;
    if (open.length > leavingRules.rowBytes) refuse("importBroken");
    for (const piece of pieces) {
      batch.push(piece);
      gathered += piece.length;
      if (batch.length < linesAtOnce && gathered < bytesAtOnce) continue;
      rows += batch.length;
      yield batch;
      [batch, gathered] = [[], 0];
    }
  }
  rows += batch.length;
  if (batch.length > 0) yield batch;
  if (open !== "" || rows !== said.rows || hash.digest("hex") !== said.sha256) refuse("importBroken");
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    return refuse("importBroken");
  }
}
