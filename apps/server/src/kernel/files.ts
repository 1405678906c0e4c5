import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";

/** Originals came from people and never change; converted files can be made again from them. */
export type Area = "originals" | "converted";
export const areas = ["originals", "converted"] as const satisfies readonly Area[];

export interface Stored {
  sha256: string;
  bytes: number;
}
export interface Adoption {
  /** Known already, so that the file is not read once more. */
  sha256?: string;
  /** Its bytes are on the disk already. */
  isFlushed?: boolean;
  /** The local file stays where it is (a second name of the same bytes where the disk can do so). */
  keep?: boolean;
}
/** A file's name in the store. */
export interface StoredName {
  area: Area;
  iid: string;
  sha256: string;
}
export type ByteRange = { start: number; end: number };
/** Gives memory to read into, which may be used again when whoever asked has given the bytes away. */
export type Lend = () => Buffer;
const pieceBytes = 512 * 1024;
export const freshMemory: Lend = () => Buffer.allocUnsafeSlow(pieceBytes);

/** Files by content: an organisation's file is named by the SHA-256 of its bytes, so that the same bytes lie there once. */
export interface FileStore {
  /** Resolves only when the bytes would survive a power failure. */
  put(area: Area, iid: string, source: Readable | Uint8Array): Promise<Stored>;
  /** Moves a finished local file in. */
  adopt(area: Area, iid: string, localPath: string, how?: Adoption): Promise<Stored>;
  /** `range.end` is the last byte, itself included. Refuses `notFound`. */
  read(area: Area, iid: string, sha256: string, range?: ByteRange): Promise<Readable>;
  /** The same piece by piece, into memory that is lent for each where the store can do so. */
  pieces(area: Area, iid: string, sha256: string, range: ByteRange, lend: Lend): AsyncIterable<Uint8Array>;
  /** Reads from `start` on until `into` is full; refuses `notFound`, and `fileDamaged` where the file ends before. */
  fill(area: Area, iid: string, sha256: string, start: number, into: Uint8Array): Promise<void>;
  /** Null: not there. */
  bytes(area: Area, iid: string, sha256: string): Promise<number | null>;
  /** Lends a path to read from; where the store is not this machine's disk, of a temporary copy. */
  local<T>(area: Area, iid: string, sha256: string, work: (path: string) => Promise<T>): Promise<T>;
  remove(area: Area, iid: string, sha256: string): Promise<void>;
  /** Takes what is damaged out of the way: it is not served any more, and kept for whoever may rescue something of it. */
  setAside(area: Area, iid: string, sha256: string): Promise<void>;
  /** Writes, reads and removes a small file; throws where that fails. */
  probe(): Promise<void>;
  /** What nobody has written to since before a moment, in pieces of some hundreds. */
  list(before: Date): AsyncIterable<StoredName[]>;
  /** Removes what interrupted writers left behind. */
  sweep(): Promise<number>;
  /** A small named file at the root, for the store's own sign. Null: not there. */
  sign(write?: string): Promise<string | null>;
}

const shapes = { iid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, sha256: /^[0-9a-f]{64}$/ };

/** Where a file lies below the root. Throws where a part could lead elsewhere. */
export function fileKey(area: Area, iid: string, sha256: string): string {
  if (!areas.includes(area) || !shapes.iid.test(iid) || !shapes.sha256.test(sha256))
    throw new TypeError("not a file's name");
  return `${area}/${iid}/${sha256.slice(0, 2)}/${sha256}`;
}

/** The file that lies there; null where it is none of the store's. */
export function nameOf(key: string): StoredName | null {
  const [area, iid = "", , sha256 = ""] = key.split("/");
  const known = areas.find((one) => one === area);
  return known && shapes.iid.test(iid) && shapes.sha256.test(sha256) && fileKey(known, iid, sha256) === key
    ? { area: known, iid, sha256 }
    : null;
}

/** Reads in pieces that keep the event loop turning: 1 MiB hashes in about 1 ms. */
export async function hashFile(localPath: string): Promise<Stored> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(localPath, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), bytes };
}
