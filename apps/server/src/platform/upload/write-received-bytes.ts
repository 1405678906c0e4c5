import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { refuse } from "../http/refuse.ts";
import { countReceivedBytes, releaseReceived } from "../runtime/garbage-collection.ts";
import { chunkCost, receiveChunks } from "../runtime/received-chunks.ts";
import { refuseWhenFull } from "../storage/durable-writes.ts";
import type { PartWriter } from "./upload-parts.ts";

interface ReceivedPart {
  /** The upload's id. */
  id: string;
  part: PartWriter;
  /** The offset of the first byte. */
  offset: number;
  /** The announced size of the whole upload, in bytes. */
  size: number;
  /** Refuses when the sender lost its permission meanwhile. */
  requirePermission: () => void;
}

/**
 * Appends the bytes of a connection to an upload, and closes the part. Further bytes are received and hashed while earlier
 * ones are written. Returns the offset up to which all bytes would survive a power failure. The bytes that came before an
 * error are stored, too.
 */
export async function writeReceivedBytes(
  stream: Readable,
  { id, part, offset, size, requirePermission }: ReceivedPart,
): Promise<number> {
  const hash = resumeHash(id, offset);
  const writer = createBackgroundWriter(part);
  let at = offset;
  try {
    for await (const chunk of receiveChunks(stream)) {
      requirePermission();
      if (at + chunk.length > size) refuse("tooLarge");
      at += chunk.length;
      hash?.update(chunk);
      countReceivedBytes(chunk.length);
      await writer.add(chunk);
    }
  } finally {
    await writer
      .end()
      .then(() => hash && hashes.set(id, { hash, at }))
      .finally(() => part.sync())
      .finally(() => part.close());
  }
  return at;
}

/** Bytes that wait at most while earlier ones are written. */
const maxPendingBytes = 1024 * 1024;

/** Writes chunks in their order. Those that arrive in one turn of the event loop, or during a write, are written together. */
function createBackgroundWriter(part: PartWriter): { add(chunk: Buffer): Promise<void> | null; end(): Promise<void> } {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let hasFailed = false;
  let writing: Promise<void> | null = null;
  const writePending = async (): Promise<void> => {
    await nextTurn();
    while (pending.length > 0) {
      const blocks = pending;
      [pending, pendingBytes] = [[], 0];
      await refuseWhenFull(part.write(...blocks));
      for (const block of blocks) releaseReceived(block);
    }
    writing = null;
  };
  const begin = (): Promise<void> => {
    const begun = writePending();
    // The error is thrown to the next caller. Nothing may be written after it: there would be a gap.
    begun.catch(() => (hasFailed = true));
    return begun;
  };
  return {
    add: (chunk) => {
      pending.push(chunk);
      pendingBytes += chunkCost(chunk);
      writing ??= begin();
      return hasFailed || pendingBytes >= maxPendingBytes ? writing : null;
    },
    end: async () => {
      await writing;
    },
  };
}

/** Hashes of uploads under way in this process, each up to the offset that it has reached. */
const hashes = new LRUCache<string, { hash: Hash; at: number }>({ max: 1000 });

/** Null if this process did not see an earlier part. */
function resumeHash(id: string, offset: number): Hash | null {
  const known = hashes.get(id);
  hashes.delete(id);
  if (offset === 0) return createHash("sha256");
  return known?.at === offset ? known.hash : null;
}

/** Returns the SHA-256 of an upload of `size` bytes, and forgets it; null if this process did not see all of them. */
export function takeReceivedHash(id: string, size: number): string | null {
  const known = hashes.get(id);
  hashes.delete(id);
  return known?.at === size ? known.hash.digest("hex") : null;
}
