import type { FileStore, StorageArea, StoredFileInfo } from "../storage/file-store.ts";

/** Appends to an unfinished upload. Blocks may be reused once `write` has resolved. */
export interface PartWriter {
  write(...blocks: readonly Uint8Array[]): Promise<void>;
  /** Makes all bytes readable; only `sync` makes them survive a power failure. */
  flush(): Promise<void>;
  /** Resolves when all bytes would survive a power failure. */
  sync(): Promise<void>;
  /** Ends the writing. Bytes that were not flushed may be lost. */
  close(): Promise<void>;
}

/** The place in the store to which an upload moves. */
export interface UploadTarget {
  files: FileStore;
  area: StorageArea;
  iid: string;
  /** The hash, if it was computed on arrival. Other bytes are an error. */
  sha256?: string | null;
  /** True if the unfinished upload stays, because the caller's transaction may roll back. */
  keep?: boolean;
}

/**
 * The storage of unfinished uploads: files in the data folder, or objects in the bucket of the file store, where every
 * process finds them.
 */
export interface UploadParts {
  /** A folder of this machine for temporary copies and unpacked archives. */
  readonly workFolder: string;
  /** Returns the number of bytes from the start on without a gap; null if nothing is stored. */
  bytes(id: string): Promise<number | null>;
  /** Prepares the storage of an upload, which would survive a power failure. */
  make(id: string): Promise<void>;
  /** Opens an upload to write from byte `at` on. */
  open(id: string, at?: number): Promise<PartWriter>;
  /** Makes all earlier names survive a power failure. */
  syncNames(): Promise<void>;
  /** Flushes an upload; returns the number of bytes that would survive a power failure. */
  sync(id: string): Promise<number>;
  syncAndHash(id: string): Promise<StoredFileInfo>;
  /** Reads up to `length` bytes from the start. Refuses `notFound`. */
  head(id: string, length: number): Promise<Buffer>;
  /** Lends a path to read from, which may be the path of a temporary copy, until `release`. */
  lend(id: string): Promise<{ path: string; release: () => Promise<void> }>;
  /** Moves all bytes into the store. */
  moveInto(id: string, target: UploadTarget): Promise<StoredFileInfo>;
  remove(id: string): Promise<void>;
  /** Returns the time at which bytes were last stored, in milliseconds; null if there are none. */
  touchedAt(id: string): Promise<number | null>;
  list(): Promise<{ id: string; touchedAt: number }[]>;
}

/** Lends the path of an upload to `work`. */
export async function withUploadPath<T>(
  parts: UploadParts,
  id: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { path, release } = await parts.lend(id);
  try {
    return await work(path);
  } finally {
    await release();
  }
}

export const isUploadId = (name: string): boolean => /^[0-9a-f-]{36}$/.test(name);

/** Throws if the id could lead elsewhere. */
export function requireUploadId(id: string): string {
  if (!isUploadId(id)) throw new TypeError("not an upload's id");
  return id;
}
