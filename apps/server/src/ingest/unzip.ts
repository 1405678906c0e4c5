import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { studyRules } from "@arcada/contract/study/study.rules";
import { Refused, refuse } from "../kernel/refuse.ts";
import { openZip } from "../kernel/zip-open.ts";
import { isJunk, isTrick, zipName } from "./zip-name.ts";

/** A file out of an archive: its bytes lie under a name of ours, the archive's name is for people only. */
export interface Unpacked {
  name: string;
  path: string;
  bytes: number;
}

/** What one upload may unpack to, archives within it counted together. */
export interface Allowance {
  entries: number;
  bytes: number;
}
export const zipAllowance = (storageLeft: number): Allowance => ({
  entries: studyRules.zipEntries,
  bytes: Math.min(studyRules.zipBytes, storageLeft),
});

/**
 * Unpacks an archive into `folder`, all of it or nothing: one bad entry refuses the whole. Sizes are counted while
 * bytes come out; what the archive says of itself is never believed.
 * Refuses zipEncrypted, zipPath, zipBomb, zipBroken, quotaExceeded.
 */
export async function unzip(archive: string, folder: string, allowance: Allowance): Promise<Unpacked[]> {
  await mkdir(folder, { recursive: true });
  try {
    const zip = await openZip(archive);
    try {
      return await unpackAll(zip, folder, allowance);
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof Refused || isOurs(error)) throw error;
    return refuse("zipBroken");
  }
}

// A full disk is no fault of the archive.
const isOurs = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT", "EMFILE", "EACCES", "ENOENT"].includes((error as { code?: string }).code ?? "");

async function unpackAll(zip: ZipFile, folder: string, allowance: Allowance): Promise<Unpacked[]> {
  if (zip.entryCount > allowance.entries) return refuse("zipBomb");
  const entries: Entry[] = [];
  let words = 0;
  for await (const entry of zip.eachEntry()) {
    // What an archive says of its files is held in memory, up to 192 kB for each.
    words += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (words > wordsMost) return refuse("zipBomb");
    entries.push(entry);
  }
  const named = entries.map((entry) => ({ entry, name: zipName(entry) }));
  for (const { entry, name } of named) checkEntry(entry, name);
  checkSpans(entries, zip.fileSize);
  const meter = meterOf(zip.fileSize, allowance);
  const files = named.filter(({ name }) => !name.endsWith("/") && !isJunk(name));
  allowance.entries -= files.length;
  const done: Unpacked[] = [];
  for (const { entry, name } of files) {
    const target = path.join(folder, String(done.length));
    const { bytes, sum } = await writeEntry(await zip.openReadStreamPromise(entry), target, meter);
    if (sum !== entry.crc32) refuse("zipBroken");
    done.push({ name, path: target, bytes });
  }
  return done;
}

const wordsMost = 16 * 1024 * 1024;

const unixType = (entry: Entry): number => (entry.externalFileAttributes >>> 16) & 0xf000;
const symlink = 0xa000;

function checkEntry(entry: Entry, name: string): void {
  if (entry.isEncrypted()) refuse("zipEncrypted");
  if (isTrick(name) || unixType(entry) === symlink) refuse("zipPath");
  if (!entry.canDecodeFileData()) refuse("zipBroken");
}

/** Entries that share bytes make a small archive endless (42.zip's successors). A local header has 30 bytes and the name. */
function checkSpans(entries: readonly Entry[], size: number): void {
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

type Meter = (bytes: number) => void;

function meterOf(archiveBytes: number, allowance: Allowance): Meter {
  let out = 0;
  return (bytes) => {
    out += bytes;
    allowance.bytes -= bytes;
    if (out > studyRules.zipRatioFrom && out > archiveBytes * studyRules.zipRatio) refuse("zipBomb");
    if (allowance.bytes < 0) refuse(out > studyRules.zipBytes ? "zipBomb" : "quotaExceeded");
  };
}

async function writeEntry(source: Readable, target: string, meter: Meter): Promise<{ bytes: number; sum: number }> {
  let [bytes, sum] = [0, 0];
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        meter(chunk.length);
        bytes += chunk.length;
        sum = crc32(chunk, sum);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  await pipeline(source, counted, createWriteStream(target, { flags: "wx", mode: 0o600 }));
  return { bytes, sum };
}
