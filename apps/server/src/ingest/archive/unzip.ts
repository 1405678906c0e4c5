import { createWriteStream, writeFileSync } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import path from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, inflateRawSync } from "node:zlib";
import { detectFileKind, type FileKind } from "@arcada/imaging/file-kind";
import type { Entry, ZipFile } from "yauzl";
import { studyRules } from "@arcada/contract/study/study.rules";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { collectGarbage } from "../../platform/runtime/garbage-collection.ts";
import { openZip, readCompressed } from "../../platform/storage/zip-reader.ts";
import { transientErrorMessage } from "../transient-error.ts";

/**
 * A file out of an archive: its bytes are stored under a generated name, and the archive's name is for display only.
 */
export interface UnpackedFile {
  name: string;
  path: string;
  bytes: number;
  kind: FileKind;
}

/** Limits on the unpacked content of one upload, all archives in it counted together. */
export interface UnpackAllowance {
  entries: number;
  bytes: number;
}
export const zipAllowance = (storageLeft: number): UnpackAllowance => ({
  entries: studyRules.zipEntries,
  bytes: Math.min(studyRules.zipBytes, storageLeft),
});

/**
 * Unpacks an archive into `folder`, all of it or nothing: one bad entry refuses the whole. Sizes are counted while
 * bytes are unpacked; the sizes that the archive states are never trusted. `onFile` is called for each file as it is
 * unpacked. Refuses zipEncrypted, zipPath, zipBomb, zipBroken, quotaExceeded, and storageFull before it writes anything
 * if the disk has too little space.
 */
export async function unzip(
  archive: string,
  folder: string,
  allowance: UnpackAllowance,
  onFile: (file: UnpackedFile) => void = () => {},
): Promise<UnpackedFile[]> {
  await mkdir(folder, { recursive: true });
  try {
    const zip = await openZip(archive);
    try {
      return await unpackAll(zip, folder, allowance, onFile);
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof Refused || transientErrorMessage(error)) throw error;
    return refuse("zipBroken");
  }
}

async function unpackAll(
  zip: ZipFile,
  folder: string,
  allowance: UnpackAllowance,
  onFile: (file: UnpackedFile) => void,
): Promise<UnpackedFile[]> {
  if (zip.entryCount > allowance.entries) return refuse("zipBomb");
  const entries: Entry[] = [];
  let metadataBytes = 0;
  for await (const entry of zip.eachEntry()) {
    // Names, extra fields and comments of the files are held in memory, up to 192 kB for each file.
    metadataBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (metadataBytes > maxMetadataBytes) return refuse("zipBomb");
    entries.push(entry);
  }
  const named = entries.map((entry) => ({ entry, name: decodeEntryName(entry) }));
  for (const { entry, name } of named) checkEntry(entry, name);
  refuseOverlaps(entries, zip.fileSize);
  const meter = createMeter(zip.fileSize, allowance);
  const files = named.filter(({ name }) => !name.endsWith("/") && !isSystemFile(name));
  await requireSpace(folder, files, zip.fileSize, allowance);
  allowance.entries -= files.length;
  const done: UnpackedFile[] = [];
  let uncollected = 0;
  for (const { entry, name } of files) {
    const target = path.join(folder, String(done.length));
    const { bytes, sum, head } = await writeEntry(zip, entry, target, meter);
    if (sum !== entry.crc32) refuse("zipBroken");
    const file = { name, path: target, bytes, kind: detectFileKind(head, name, bytes) };
    done.push(file);
    onFile(file);
    // The memory of smaller ones is freed by hand.
    if (bytes > maxInMemoryBytes) uncollected += bytes;
    if (uncollected < collectEveryBytes) continue;
    collectGarbage("all");
    uncollected = 0;
  }
  collectGarbage("all");
  return done;
}

/** An entry's name: UTF-8 if it is valid, else GB18030, in which Chinese systems write names without declaring it. */
function decodeEntryName(entry: Pick<Entry, "fileNameRaw" | "extraFields">): string {
  const bytes = unicodePath(entry) ?? entry.fileNameRaw;
  const text = decodeUtf8(bytes) ?? gb18030.decode(bytes);
  return text.replaceAll("\\", "/");
}

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};
const utf8 = new TextDecoder("utf-8", { fatal: true });
const gb18030 = new TextDecoder("gb18030");

// APPNOTE 4.6.9: version, CRC-32 of the plain name, then the name in UTF-8.
function unicodePath({ extraFields }: Pick<Entry, "extraFields">): Uint8Array | null {
  const field = extraFields.find(({ id, data }) => id === 0x7075 && data.length > 5 && data[0] === 1);
  return field ? field.data.subarray(5) : null;
}

/**
 * Returns true for a path that leads out of the folder, to a root or a drive, or that contains characters that no name
 * has.
 */
const isUnsafePath = (name: string): boolean =>
  name.includes("\0") || name.startsWith("/") || /^[a-z]:/i.test(name) || name.split("/").includes("..");

/** Returns true for hidden files that operating systems and programs leave in archives. */
const isSystemFile = (name: string): boolean => /(^|\/)(__MACOSX\/|\.[^/]|(Thumbs\.db|desktop\.ini)$)/i.test(name);

const collectEveryBytes = 16 * 1024 * 1024;
const maxMetadataBytes = 16 * 1024 * 1024;

const unixType = (entry: Entry): number => (entry.externalFileAttributes >>> 16) & 0xf000;
const symlink = 0xa000;

function checkEntry(entry: Entry, name: string): void {
  if (entry.isEncrypted()) refuse("zipEncrypted");
  if (isUnsafePath(name) || unixType(entry) === symlink) refuse("zipPath");
  if (!entry.canDecodeFileData()) refuse("zipBroken");
}

/**
 * Entries that share bytes make a small archive unpack without end (successors of 42.zip). A local header has 30 bytes
 * and the name.
 */
function refuseOverlaps(entries: readonly Entry[], size: number): void {
  const spans = entries.map(
    (entry) =>
      [
        entry.relativeOffsetOfLocalHeader,
        entry.relativeOffsetOfLocalHeader + 30 + entry.fileNameLength + entry.compressedSize,
      ] as const,
  );
  spans.sort((one, other) => one[0] - other[0]);
  spans.forEach(([, end], place) => {
    if (end > (spans[place + 1]?.[0] ?? size)) refuse("zipBomb");
  });
}

/** The space on the disk that unpacking leaves to the uploads of everyone, in bytes. */
export const unpackReserve = { bytes: 1_000_000_000 };

/**
 * An import that waits for space is tried again and again: if it filled the disk each time, the uploads of all others
 * would be refused meanwhile. The sizes that the archive states decide only whether it waits, and more than the limits
 * is never unpacked.
 */
async function requireSpace(
  folder: string,
  files: readonly { entry: Entry }[],
  archiveBytes: number,
  allowance: UnpackAllowance,
): Promise<void> {
  const stated = files.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  const limit = Math.min(allowance.bytes, Math.max(studyRules.zipRatioFrom, archiveBytes * studyRules.zipRatio));
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize - unpackReserve.bytes < Math.min(stated, limit)) refuse("storageFull");
}

type Meter = (bytes: number) => void;

function createMeter(archiveBytes: number, allowance: UnpackAllowance): Meter {
  let out = 0;
  return (bytes) => {
    out += bytes;
    allowance.bytes -= bytes;
    if (out > studyRules.zipRatioFrom && out > archiveBytes * studyRules.zipRatio) refuse("zipBomb");
    if (allowance.bytes < 0) refuse(out > studyRules.zipBytes ? "zipBomb" : "quotaExceeded");
  };
}

/** Number of bytes by which the kind of a file is recognised. */
export const headBytes = 8192;

interface WrittenEntry {
  bytes: number;
  sum: number;
  head: Uint8Array;
}

// Entries up to this size are unpacked in one call: for the many slices of a volume, a few streams each would cost more
// than inflating.
const maxInMemoryBytes = 8 * 1024 * 1024;

async function writeEntry(zip: ZipFile, entry: Entry, target: string, meter: Meter): Promise<WrittenEntry> {
  return Math.max(entry.uncompressedSize, entry.compressedSize) > maxInMemoryBytes
    ? writeStream(await zip.openReadStreamPromise(entry), target, meter)
    : inflateEntry(await readCompressed(zip, entry), entry, target, meter);
}

/** Throws if the number of bytes differs from the archive's. */
function inflateEntry(compressed: Buffer, entry: Entry, target: string, meter: Meter): WrittenEntry {
  const size = entry.uncompressedSize;
  const bytes =
    entry.compressionMethod === 0
      ? compressed
      : inflateRawSync(compressed, { maxOutputLength: size + 1, chunkSize: Math.max(64, size + 1) });
  if (bytes.length !== size) refuse("zipBroken");
  meter(size);
  writeFileSync(target, bytes, { flag: "wx", mode: 0o600 });
  const written = { bytes: size, sum: crc32(bytes), head: Uint8Array.from(bytes.subarray(0, headBytes)) };
  for (const own of new Set([compressed, bytes])) freeMemory(own);
  return written;
}

/** Frees memory that nobody else uses: a thread whose heap hardly grows would collect it late. Small buffers share theirs. */
function freeMemory({ buffer, length }: Buffer): void {
  if (length > Buffer.poolSize && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

async function writeStream(source: Readable, target: string, meter: Meter): Promise<WrittenEntry> {
  let [bytes, sum, head] = [0, 0, Buffer.alloc(0)];
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        meter(chunk.length);
        if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
        bytes += chunk.length;
        sum = crc32(chunk, sum);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  await pipeline(source, counted, createWriteStream(target, { flags: "wx", mode: 0o600 }));
  return { bytes, sum, head };
}
