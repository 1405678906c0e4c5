import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import { refuse } from "../http/refuse.ts";
import { forEachConcurrent } from "../runtime/concurrency.ts";
import { refuseWhenFull, removeFile, temporaryPath, writeHashed } from "../storage/durable-writes.ts";
import { guardStream } from "../storage/guarded-stream.ts";
import { openBucket, refuseWhenAway } from "../storage/s3-bucket.ts";
import type { Bucket, S3Settings } from "../storage/s3-bucket.ts";
import type { PartWriter, UploadParts } from "./upload-parts.ts";
import { isUploadId, requireUploadId } from "./upload-parts.ts";

/**
 * Unfinished uploads as objects in a bucket, so that any process may receive the next bytes, and any other may finish.
 * An object `uploads/<id>/<offset>-<length>` contains the bytes of one write and never changes: a writer that lost its
 * lock and writes late cannot shorten what another one has acknowledged since.
 */
export async function openUploadObjects(settings: S3Settings, dataDir: string): Promise<UploadParts> {
  const bucket = openBucket(settings);
  /** Known from the last listing: the offset is asked for before each part, so `open` needs no listing of its own. */
  const manyPieces = new LRUCache<string, true>({ max: 1000 });
  const read = async (id: string) => {
    const pieces = await refuseWhenAway(listPieces(bucket, id));
    const spans = findSpans(pieces);
    if (hasManyPieces(pieces.length, sumBytes(spans))) manyPieces.set(id, true);
    return spans;
  };
  const bytes = async (id: string): Promise<number> => sumBytes(await read(id));
  const remove = async (id: string): Promise<void> => {
    for (const { key } of await listPieces(bucket, id)) await bucket.remove(key);
  };
  const lend: UploadParts["lend"] = async (id) => {
    const spans = await read(id);
    const copy = await temporaryPath(path.join(dataDir, "tmp"));
    try {
      await refuseWhenFull(writeHashed(copy, toStream(bucket, spans)));
    } catch (error) {
      await removeFile(copy);
      throw error;
    }
    return { path: copy, release: () => removeFile(copy) };
  };
  const parts: UploadParts = {
    workFolder: dataDir,
    bytes,
    // The first bytes make the upload; its row in the database exists before.
    make: async (id) => void requireUploadId(id),
    open: async (id, at = 0) => {
      if (manyPieces.delete(id)) await refuseWhenAway(joinPieces(bucket, id));
      return createObjectWriter(bucket, requireUploadId(id), at);
    },
    // The store answers a write when its name is durable too.
    syncNames: async () => {},
    sync: bytes,
    syncAndHash: async (id) => {
      const spans = await read(id);
      const hash = createHash("sha256");
      for await (const chunk of readSpans(bucket, spans)) hash.update(chunk);
      return { sha256: hash.digest("hex"), bytes: sumBytes(spans) };
    },
    head: async (id, length) => {
      const spans = await read(id);
      const chunks: Uint8Array[] = [];
      for (let [at, rest] = [0, length]; rest > 0 && at < spans.length; at++) {
        const span = { ...spans[at]!, bytes: Math.min(rest, spans[at]!.bytes) };
        for await (const chunk of readSpans(bucket, [span])) chunks.push(chunk);
        rest -= span.bytes;
      }
      return Buffer.concat(chunks);
    },
    lend,
    moveInto: async (id, { files, area, iid, sha256, keep }) => {
      const spans = await read(id);
      // Another process has moved and removed it just now.
      if (spans.length === 0 && !keep) return refuse("uploadIncomplete", { name: id });
      const expected = sha256 ? { sha256, bytes: sumBytes(spans) } : undefined;
      const stored = await files.put(area, iid, toStream(bucket, spans), expected);
      if (!keep) await remove(id);
      return stored;
    },
    remove,
    touchedAt: async (id) => {
      const times = (await listPieces(bucket, id)).map(({ modified }) => modified.getTime());
      return times.length > 0 ? Math.max(...times) : null;
    },
    list: async () => {
      const touched = new Map<string, number>();
      for await (const objects of bucket.list(prefix))
        for (const { key, modified } of objects) {
          const id = key.split("/")[1] ?? "";
          if (isUploadId(id)) touched.set(id, Math.max(touched.get(id) ?? 0, modified.getTime()));
        }
      return [...touched].map(([id, touchedAt]) => ({ id, touchedAt }));
    },
  };
  await moveFilesIntoBucket(path.join(dataDir, "uploads"), parts);
  return parts;
}

const prefix = "uploads/";
/** Bytes that one object has at least, unless its connection ends or is slow. */
const pieceBytes = 4 * 1024 * 1024;
/**
 * Objects of an upload beyond those of a usual one, as a sender of tiny parts makes them; so many fit into one listing.
 * Tests set less.
 */
export const objectLimits = { spare: 256 };
/** Deletions and reads that run at once while objects are joined. */
const joinConcurrency = 8;
/** The bytes of a slow line are stored after this time at the latest, with the next block. */
const maxAgeMs = 30_000;

/**
 * Writes pieces in their order: one is sent while the next is gathered, so that a connection occupies the memory of two
 * pieces at most.
 */
function createObjectWriter(bucket: Bucket, id: string, from: number): PartWriter {
  let [at, gathered, since] = [from, 0, 0];
  let blocks: Uint8Array[] = [];
  let sending: Promise<void> = Promise.resolve();
  const send = async (): Promise<void> => {
    // An error of the piece before ends the upload here: a piece behind a gap would be of no use.
    await sending;
    if (gathered === 0) return;
    const piece = Buffer.concat(blocks);
    sending = refuseWhenAway(bucket.write(pieceKey(id, at, piece.length), piece));
    sending.catch(() => {});
    at += piece.length;
    [blocks, gathered] = [[], 0];
  };
  const flush = async (): Promise<void> => {
    await send();
    await sending;
  };
  return {
    write: async (...received) => {
      if (gathered === 0) since = performance.now();
      for (const block of received) {
        blocks.push(Uint8Array.from(block));
        gathered += block.length;
      }
      if (gathered >= pieceBytes || performance.now() - since > maxAgeMs) await send();
    },
    flush,
    sync: flush,
    close: () => sending.catch(() => {}),
  };
}

interface Piece {
  key: string;
  start: number;
  end: number;
  modified: Date;
}
/** A range of a piece's bytes. */
interface Span {
  key: string;
  skip: number;
  bytes: number;
}

// Names sort like their offsets.
const offsetDigits = 15;
const pieceKey = (id: string, start: number, bytes: number): string =>
  `${prefix}${id}/${String(start).padStart(offsetDigits, "0")}-${bytes}`;

async function listPieces(bucket: Bucket, id: string): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const objects of bucket.list(`${prefix}${requireUploadId(id)}/`))
    for (const { key, bytes, modified } of objects) {
      const [, offset, length] = /\/(\d{15})-(\d{1,15})$/.exec(key) ?? [];
      const start = Number(offset);
      if (offset !== undefined && Number(length) === bytes) pieces.push({ key, start, end: start + bytes, modified });
    }
  return pieces;
}

/**
 * Returns the ranges that cover an upload from its start on without a gap. Pieces may overlap where two connections
 * have sent the same bytes.
 */
export function findSpans(pieces: readonly Pick<Piece, "key" | "start" | "end">[]): Span[] {
  const sorted = pieces.toSorted((one, other) => one.start - other.start);
  const spans: Span[] = [];
  let [at, next] = [0, 0];
  let farthest: (typeof sorted)[number] | undefined;
  for (;;) {
    for (; next < sorted.length && sorted[next]!.start <= at; next++)
      if (!farthest || sorted[next]!.end > farthest.end) farthest = sorted[next];
    if (!farthest || farthest.end <= at) return spans;
    spans.push({ key: farthest.key, skip: at - farthest.start, bytes: farthest.end - at });
    at = farthest.end;
  }
}

/** A sender of parts of 8 MiB makes an object of about every 4 MiB. */
const hasManyPieces = (objects: number, bytes: number): boolean =>
  objects > objectLimits.spare + 2 * Math.ceil(bytes / pieceBytes);

/**
 * Joins small objects of an upload, so that a sender of parts of one byte does not make as many objects. Called by the
 * holder of the upload's lock. The joined object is stored before its parts are removed, and contains the same bytes: a
 * process that is killed meanwhile, or one that lost its lock, leaves objects that overlap, and shortens nothing.
 */
async function joinPieces(bucket: Bucket, id: string): Promise<void> {
  const pieces = await listPieces(bucket, id);
  const kept: { key: string; start: number; end: number }[] = [];
  let start = 0;
  for (const group of groupSpans(findSpans(pieces))) {
    const bytes = sumBytes(group);
    if (group.length > 1) {
      const key = pieceKey(id, start, bytes);
      await bucket.write(key, await readGroup(bucket, group));
      kept.push({ key, start, end: start + bytes });
    } else kept.push(pieces.find(({ key }) => key === group[0]!.key)!);
    start += bytes;
  }
  // Another process may do the same at this time. Nothing is lost if each removes only what lies within one other object.
  const spare = pieces.filter(({ key, start: from, end }) =>
    kept.some((one) => one.key !== key && one.start <= from && end <= one.end),
  );
  await forEachConcurrent(spare, joinConcurrency, ({ key }) => bucket.remove(key));
}

/** Returns ranges in their order, together as long as they fit into two usual objects: half as many groups or fewer. */
function groupSpans(spans: readonly Span[]): Span[][] {
  const groups: Span[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const span of spans) {
    bytes += span.bytes;
    if (bytes <= 2 * pieceBytes) {
      groups.at(-1)!.push(span);
      continue;
    }
    groups.push([span]);
    bytes = span.bytes;
  }
  return groups;
}

async function readGroup(bucket: Bucket, group: readonly Span[]): Promise<Buffer> {
  const blocks: Buffer[] = [];
  await forEachConcurrent(group, joinConcurrency, async (span, place) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readSpans(bucket, [span])) chunks.push(chunk);
    blocks[place] = Buffer.concat(chunks);
  });
  return Buffer.concat(blocks);
}

const sumBytes = (spans: readonly Span[]): number => spans.reduce((sum, { bytes }) => sum + bytes, 0);

async function* readSpans(bucket: Bucket, spans: readonly Span[]): AsyncGenerator<Uint8Array> {
  for (const { key, skip, bytes } of spans) {
    let rest = bytes;
    for await (const chunk of await bucket.read(key, { start: skip, end: skip + bytes - 1 })) {
      rest -= (chunk as Buffer).length;
      yield chunk as Buffer;
    }
    if (rest !== 0) refuse("fileDamaged");
  }
}

const toStream = (bucket: Bucket, spans: readonly Span[]): Readable =>
  guardStream(Readable.from(readSpans(bucket, spans), { objectMode: false }));

/**
 * Moves files that were left by a version without objects, by an installation without a bucket, or by a restored
 * backup.
 */
async function moveFilesIntoBucket(folder: string, parts: UploadParts): Promise<void> {
  for (const id of (await readdir(folder).catch(() => [])).filter(isUploadId)) {
    const file = path.join(folder, id);
    const writer = await parts.open(id);
    try {
      for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
        await writer.write(chunk as Buffer);
    } catch (error) {
      // Another process has moved it meanwhile.
      if ((error as { code?: string }).code === "ENOENT") continue;
      throw error;
    }
    await writer.sync();
    await removeFile(file);
  }
}
