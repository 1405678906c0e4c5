import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { Entry, ZipFile } from "yauzl";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import { Refused, refuse } from "../platform/http/refuse.ts";
import { openZip } from "../platform/storage/zip-reader.ts";
import { archiveFileNames, manifestSchema, tablePath } from "./archive-manifest.ts";
import type { ArchiveFile, Manifest } from "./archive-manifest.ts";
import { archiveTables, generatedTables, readOnlyTables } from "./archive-tables.ts";

/**
 * An archive whose directory was checked: it contains what its manifest names and nothing else. Its bytes are checked
 * as they are read.
 */
export interface ImportArchive {
  manifest: Manifest;
  /** The rows of a table, some hundred lines at a time; refuses at the end if they are not those of the manifest. */
  lines: (table: string) => AsyncGenerator<string[]>;
  /** A file's bytes. The reader must compare their hash. */
  open: (file: ArchiveFile) => Promise<Readable>;
}

/** Opens an archive for `work`. Refuses importBroken, importVersion and the refusals for hostile archives. */
export async function withImportArchive<T>(path: string, work: (archive: ImportArchive) => Promise<T>): Promise<T> {
  const zip = await openZip(path).catch((error: unknown) => refuseBroken(error));
  try {
    const entries = await listEntries(zip);
    const manifest = await readManifest(zip, entries);
    compare(manifest, entries);
    return await work({
      manifest,
      lines: (table) => readLines(zip, entries.get(tablePath(table))!, manifest.tables[table]!),
      open: (file) => zip.openReadStreamPromise(entries.get(file.path)!),
    });
  } catch (error) {
    return refuseBroken(error);
  } finally {
    zip.close();
  }
}

/** An error of the zip reader about an archive's bytes is the archive's fault; a full or failing disk is not. */
function refuseBroken(error: unknown): never {
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

const maxTextBytes = 512 * 1024 * 1024;
const nameShape = /^(manifest\.json|README\.txt|tables\/[a-z_]{1,60}\.jsonl|(originals|converted)\/[0-9a-f]{64})$/;

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > dataExportRules.entries) refuse("zipBomb");
  const entries = new Map<string, Entry>();
  let words = 0;
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    words += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    unpacked += entry.uncompressedSize;
    if (words > maxTextBytes) refuse("zipBomb");
    // The reader refuses more bytes than are announced here: the sum is the maximum that can be unpacked.
    if (unpacked > dataExportRules.ratioFrom && unpacked > zip.fileSize * dataExportRules.ratio) refuse("zipBomb");
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

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
  const entry = entries.get(archiveFileNames.manifest) ?? refuse("importBroken");
  if (entry.uncompressedSize > dataExportRules.manifestBytes) refuse("zipBomb");
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
  const raw = parsed(Buffer.concat(chunks).toString("utf8"));
  if ((raw as { format?: unknown } | null)?.format !== "arcada-institution") refuse("importBroken");
  if ((raw as { version?: unknown }).version !== dataExportRules.formatVersion) refuse("importVersion");
  const { success, data } = manifestSchema.safeParse(raw);
  return success ? data : refuse("importBroken");
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse("importBroken");
  }
}

const known = new Set<string>([...archiveTables, ...readOnlyTables].map(({ name }) => name).concat(generatedTables));

/** Manifest and entries name the same things, each once. */
function compare({ tables, files }: Manifest, entries: ReadonlyMap<string, Entry>): void {
  if (Object.keys(tables).some((name) => !known.has(name))) refuse("importVersion");
  if (["institution", ...generatedTables].some((name) => !tables[name])) refuse("importBroken");
  const named = new Set([archiveFileNames.manifest, archiveFileNames.readme, ...Object.keys(tables).map(tablePath)]);
  for (const { path, area, bytes } of files) {
    if (named.has(path) || !path.startsWith(`${area}/`) || entries.get(path)?.uncompressedSize !== bytes)
      refuse("importBroken");
    named.add(path);
  }
  for (const [name, { bytes }] of Object.entries(tables))
    if (entries.get(tablePath(name))?.uncompressedSize !== bytes) refuse("importBroken");
  for (const name of entries.keys()) if (!named.has(name)) refuse("importBroken");
}

const maxLinesPerBatch = 200;
const maxBytesPerBatch = 4_000_000;

async function* readLines(zip: ZipFile, entry: Entry, declared: Manifest["tables"][string]): AsyncGenerator<string[]> {
  const hash = createHash("sha256");
  let [rows, open, batchBytes] = [0, "", 0];
  let batch: string[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of await zip.openReadStreamPromise(entry)) {
    hash.update(chunk as Buffer);
    const pieces = (open + decodeText(decoder, chunk as Buffer)).split("\n");
    open = pieces.pop()!;
    if (open.length > dataExportRules.rowBytes) refuse("importBroken");
    for (const piece of pieces) {
      batch.push(piece);
      batchBytes += piece.length;
      if (batch.length < maxLinesPerBatch && batchBytes < maxBytesPerBatch) continue;
      rows += batch.length;
      yield batch;
      [batch, batchBytes] = [[], 0];
    }
  }
  rows += batch.length;
  if (batch.length > 0) yield batch;
  if (open !== "" || rows !== declared.rows || hash.digest("hex") !== declared.sha256) refuse("importBroken");
}

function decodeText(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    return refuse("importBroken");
  }
}
