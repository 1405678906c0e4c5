import { crc32, createDeflateRaw } from "node:zlib";
import { allocateBuffer, type AcquireBuffer } from "./file-store.ts";

/** An entry of a zip archive. The entries are written in the given order. */
export interface ZipEntry {
  path: string;
  at: Date;
  /** The exact size; null if it is known only after reading. */
  bytes: number | null;
  /** The approximate size if `bytes` is null: above 4 GB an entry needs the wider fields of zip64. */
  about?: number;
  compress?: boolean;
  /** Opens the bytes. It may read into lent memory: each chunk belongs to the reader until it asks for the next. */
  open: (acquireBuffer: AcquireBuffer) => Source | Promise<Source>;
}
type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface WrittenEntry {
  entry: ZipEntry;
  offset: number;
  crc: number;
  packed: number;
  bytes: number;
}

/**
 * Streams a zip archive: one entry after another, nothing held, written nowhere (PKWARE APPNOTE 6.3.10). The same
 * entries give the same bytes. Checksums follow each entry's bytes, so that every file is read once.
 */
export async function* streamZip(
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
  acquireBuffer: AcquireBuffer = allocateBuffer,
): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const one: WrittenEntry = { entry, offset, crc: 0, packed: 0, bytes: 0 };
    const head = localHeader(entry);
    yield head;
    for await (const chunk of entryData(one, acquireBuffer)) {
      one.packed += chunk.length;
      yield chunk;
    }
    if (entry.bytes !== null && entry.bytes !== one.bytes)
      throw new Error(`${one.bytes} bytes where ${entry.bytes} were said`);
    const dataDescriptor = descriptor(one);
    yield dataDescriptor;
    offset += head.length + one.packed + dataDescriptor.length;
    written.push(one);
  }
  let size = 0;
  for (const one of written) {
    const record = centralHeader(one);
    size += record.length;
    yield record;
  }
  yield endRecord(written.length, size, offset);
}

/** Returns the length of the archive; null if a size is known only after reading. */
export function computeZipLength(
  entries: readonly Pick<ZipEntry, "path" | "at" | "bytes" | "compress">[],
): number | null {
  let [offset, size] = [0, 0];
  for (const { path, at, bytes, compress } of entries) {
    if (bytes === null || compress) return null;
    const entry: ZipEntry = { path, at, bytes, open: () => [] };
    const one: WrittenEntry = { entry, offset, crc: 0, packed: bytes, bytes };
    offset += localHeader(entry).length + bytes + descriptor(one).length;
    size += centralHeader(one).length;
  }
  return offset + size + endRecord(entries.length, size, offset).length;
}

/** Returns a range of a stream; the bytes before it are read and dropped. */
export async function* sliceStream(
  source: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of source) {
    const [from, to] = [Math.max(0, start - at), Math.min(chunk.length, end + 1 - at)];
    if (from < to) yield from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to);
    at += chunk.length;
    if (at > end) return;
  }
}

async function* entryData(one: WrittenEntry, acquireBuffer: AcquireBuffer): AsyncGenerator<Uint8Array> {
  if (!one.entry.compress) return yield* countBytes(one, await one.entry.open(acquireBuffer));
  // Input stays in memory until it is compressed, so it must not be read into lent memory.
  const source = countBytes(one, await one.entry.open(allocateBuffer));
  const deflate = createDeflateRaw();
  const feeding = pipeInto(source, deflate);
  try {
    yield* deflate as AsyncIterable<Buffer>;
    await feeding;
  } finally {
    deflate.destroy();
    await feeding.catch(() => {});
  }
}

async function* countBytes(one: WrittenEntry, source: Source): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    one.crc = crc32(chunk, one.crc);
    one.bytes += chunk.length;
    yield chunk;
  }
}

async function pipeInto(source: AsyncIterable<Uint8Array>, into: ReturnType<typeof createDeflateRaw>): Promise<void> {
  try {
    for await (const chunk of source) {
      if (into.destroyed) return;
      if (!into.write(chunk) && !into.destroyed) await waitForDrain(into);
    }
    into.end();
  } catch (error) {
    into.destroy(error as Error);
  }
}
// The listeners are removed: those of every wait together would slow a long file down more and more.
const waitForDrain = (into: NodeJS.EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      into.off("drain", done).off("close", done);
      resolve();
    };
    into.on("drain", done).on("close", done);
  });

const max32 = 0xffff_ffff;
const zip64Threshold = 0xf000_0000;
/** The width of the descriptor is decided before the bytes are known, with a safe margin. */
const isZip64 = ({ bytes, about = 0 }: ZipEntry): boolean => (bytes ?? about) > zip64Threshold;
// Checksums follow the bytes; names are UTF-8.
const flags = 0x0808;
const [plain, zip64] = [20, 45];
const compressionMethod = ({ compress }: ZipEntry): number => (compress ? 8 : 0);

function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.path);
  const wide = isZip64(entry);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x0403_4b50, 0);
  head.writeUInt16LE(wide ? zip64 : plain, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(compressionMethod(entry), 8);
  head.writeUInt32LE(dosTime(entry.at), 10);
  if (wide) {
    head.writeUInt32LE(max32, 18);
    head.writeUInt32LE(max32, 22);
  }
  head.writeUInt16LE(name.length, 26);
  const extra = wide ? zip64Field(0, 0) : Buffer.alloc(0);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, name, extra]);
}

function descriptor({ entry, crc, packed, bytes }: WrittenEntry): Buffer {
  const wide = isZip64(entry);
  const sums = Buffer.alloc(wide ? 24 : 16);
  sums.writeUInt32LE(0x0807_4b50, 0);
  sums.writeUInt32LE(crc, 4);
  if (wide) {
    sums.writeBigUInt64LE(BigInt(packed), 8);
    sums.writeBigUInt64LE(BigInt(bytes), 16);
    return sums;
  }
  if (Math.max(packed, bytes) >= max32) throw new Error(`${entry.path} is larger than was said`);
  sums.writeUInt32LE(packed, 8);
  sums.writeUInt32LE(bytes, 12);
  return sums;
}

function centralHeader({ entry, offset, crc, packed, bytes }: WrittenEntry): Buffer {
  const name = Buffer.from(entry.path);
  const isLarge = isZip64(entry);
  const isFar = offset >= max32;
  const extra =
    isLarge || isFar ? zip64Field(...(isLarge ? [bytes, packed] : []), ...(isFar ? [offset] : [])) : Buffer.alloc(0);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x0201_4b50, 0);
  // Made on UNIX, with the attributes of a plain file that its owner may write and everyone may read.
  head.writeUInt16LE((3 << 8) | zip64, 4);
  head.writeUInt16LE(extra.length > 0 ? zip64 : plain, 6);
  head.writeUInt16LE(flags, 8);
  head.writeUInt16LE(compressionMethod(entry), 10);
  head.writeUInt32LE(dosTime(entry.at), 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(isLarge ? max32 : packed, 20);
  head.writeUInt32LE(isLarge ? max32 : bytes, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  head.writeUInt32LE(isFar ? max32 : offset, 42);
  return Buffer.concat([head, name, extra]);
}

function zip64Field(...values: number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, at) => field.writeBigUInt64LE(BigInt(value), 4 + 8 * at));
  return field;
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(Math.min(size, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  return count < 0xffff && size < max32 && offset < max32 ? end : Buffer.concat([zip64End(count, size, offset), end]);
}

function zip64End(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x0606_4b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE((3 << 8) | zip64, 12);
  record.writeUInt16LE(zip64, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(0x0706_4b50, 56);
  record.writeBigUInt64LE(BigInt(offset + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** The resolution is two seconds and the range begins in 1980; in UTC, so that the same file is the same everywhere. */
function dosTime(at: Date): number {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107);
  const day = ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}
