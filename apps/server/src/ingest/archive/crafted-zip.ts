import { crc32, deflateRawSync } from "node:zlib";

/** An entry as an attacker may write it: omitted fields are correct. */
export interface CraftedEntry {
  name: string | Uint8Array;
  data?: Uint8Array;
  flags?: number;
  /** Unix mode in the upper half. */
  attributes?: number;
  /** Claimed instead of the true one. */
  size?: number;
  sum?: number;
  packed?: number;
  /** The central header's extra field. */
  extra?: Uint8Array;
  /** Shares the bytes of the entry before it. */
  sharesBytes?: boolean;
}
interface CraftedEnd {
  /** Claimed instead of the true number of entries. */
  count?: number;
  /** Bytes before the end record, such as those that make an archive a 64-bit one. */
  before?: Uint8Array;
}

/** Archives for tests: also those that no tool would write. */
export function craftZip(
  entries: readonly CraftedEntry[],
  { count, before = new Uint8Array() }: CraftedEnd = {},
): Uint8Array {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let [at, last] = [0, 0];
  for (const entry of entries) {
    const data = entry.data ?? new Uint8Array();
    const packed = deflateRawSync(data);
    const name = Buffer.from(typeof entry.name === "string" ? Buffer.from(entry.name) : entry.name);
    const fields = {
      flags: entry.flags ?? 0,
      sum: entry.sum ?? crc32(data),
      packed: entry.packed ?? packed.length,
      size: entry.size ?? data.length,
      name: name.length,
    };
    if (!entry.sharesBytes) {
      last = at;
      locals.push(header(0x04034b50, fields), name, packed);
      at += 30 + name.length + packed.length;
    }
    const extra = entry.extra ?? new Uint8Array();
    central.push(
      centralHeader({ ...fields, extra: extra.length }, entry.attributes ?? 0, last),
      name,
      Buffer.from(extra),
    );
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([...locals, directory, before, end(count ?? entries.length, directory.length, at)]);
}

interface Fields {
  flags: number;
  sum: number;
  packed: number;
  size: number;
  name: number;
}

/** APPNOTE 4.3.7, and from its second field on a part of 4.3.12. */
function header(signature: number, { flags, sum, packed, size, name }: Fields): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.writeUInt32LE(signature, 0);
  bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(flags, 6);
  bytes.writeUInt16LE(8, 8);
  bytes.writeUInt32LE(sum, 14);
  bytes.writeUInt32LE(packed, 18);
  bytes.writeUInt32LE(size, 22);
  bytes.writeUInt16LE(name, 26);
  return bytes;
}

function centralHeader({ extra, ...fields }: Fields & { extra: number }, attributes: number, offset: number): Buffer {
  const bytes = Buffer.alloc(46);
  bytes.writeUInt32LE(0x02014b50, 0);
  bytes.writeUInt16LE((3 << 8) | 20, 4);
  header(0, fields).copy(bytes, 6, 4, 28);
  bytes.writeUInt16LE(extra, 30);
  bytes.writeUInt32LE(attributes >>> 0, 38);
  bytes.writeUInt32LE(offset, 42);
  return bytes;
}

function end(count: number, size: number, offset: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x06054b50, 0);
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}
