import { DicomError } from "../dicom-error.ts";
import { maxInflatedSize } from "./inflate-limits.ts";

/**
 * Undoes raw deflate (RFC 1951; PS3.5 A.5 and A.4.13) where Node's zlib is missing. `head` is put before the result.
 * @throws DicomError truncated when the coded bytes end early or make no sense, bomb when they unpack to more than `limit`.
 */
export function inflateRaw(coded: Uint8Array, limit = maxInflatedSize(coded), head: Uint8Array = noBytes): Uint8Array {
  const bits = new BitReader(coded);
  const out = new OutputBuffer(limit + head.length, head, coded.length * 4);
  for (let last = 0; last === 0;) {
    last = bits.readBits(1);
    const kind = bits.readBits(2);
    if (kind === 0) copyStored(bits, out);
    else if (kind === 1) readBlock(bits, out, fixedLiteralTable, fixedDistanceTable);
    else if (kind === 2) readBlock(bits, out, ...readDynamicTables(bits));
    else throw corruptionError("a block of an unknown kind");
  }
  return out.bytes();
}

const noBytes = new Uint8Array();

const corruptionError = (detail: string): DicomError => new DicomError("truncated", `deflated data: ${detail}`);

/** Bits from the lowest of each byte upwards. */
class BitReader {
  #bytes: Uint8Array;
  #at = 0;
  #hold = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readBits(count: number): number {
    while (this.#count < count) {
      if (this.#at >= this.#bytes.length) throw corruptionError("its end is missing");
      this.#hold |= this.#bytes[this.#at++] << this.#count;
      this.#count += 8;
    }
    const value = this.#hold & ((1 << count) - 1);
    this.#hold >>>= count;
    this.#count -= count;
    return value;
  }

  readSymbol({ entries, longest }: CodeTable): number {
    while (this.#count < longest && this.#at < this.#bytes.length) {
      this.#hold |= this.#bytes[this.#at++] << this.#count;
      this.#count += 8;
    }
    const entry = entries[this.#hold & ((1 << longest) - 1)];
    const length = entry >>> 16;
    if (length === 0) throw corruptionError("a code that no table has");
    if (length > this.#count) throw corruptionError("its end is missing");
    this.#hold >>>= length;
    this.#count -= length;
    return entry & 0xffff;
  }

  /** The bytes that follow as they are, from the next whole byte on. */
  readStored(): Uint8Array {
    this.readBits(this.#count & 7);
    const size = this.readBits(16);
    if ((size ^ this.readBits(16)) !== 0xffff) throw corruptionError("a stored block with a wrong length");
    this.#at -= this.#count >> 3;
    [this.#hold, this.#count] = [0, 0];
    if (this.#at + size > this.#bytes.length) throw corruptionError("its end is missing");
    this.#at += size;
    return this.#bytes.subarray(this.#at - size, this.#at);
  }
}

/** Symbols by their next `longest` bits: code length in the upper 16 bits (0: no such code), symbol in the lower ones. */
interface CodeTable {
  entries: Uint32Array;
  longest: number;
}

/** The canonical Huffman code of RFC 1951 3.2.2, given the length of each symbol's code. */
function buildCodeTable(lengths: Uint8Array): CodeTable {
  const longest = Math.max(1, ...lengths);
  const entries = new Uint32Array(1 << longest);
  let code = 0;
  for (let length = 1; length <= longest; length++) {
    lengths.forEach((own, symbol) => {
      if (own !== length) return;
      if (code >= 1 << length) throw new DicomError("truncated", "deflated data: more codes than fit");
      for (let at = reverseBits(code, length); at < entries.length; at += 1 << length)
        entries[at] = (length << 16) | symbol;
      code++;
    });
    code <<= 1;
  }
  return { entries, longest };
}

/** Codes are packed from their highest bit on, everything else from its lowest. */
function reverseBits(code: number, length: number): number {
  let out = 0;
  for (let bit = 0; bit < length; bit++) out |= ((code >> bit) & 1) << (length - 1 - bit);
  return out;
}

class OutputBuffer {
  #limit: number;
  #data: Uint8Array;
  /** The first byte that a repetition may reach back to. */
  #start: number;
  #length: number;

  constructor(limit: number, head: Uint8Array, guess: number) {
    this.#limit = limit;
    this.#data = new Uint8Array(Math.min(limit, head.length + Math.max(guess, 1024)));
    this.#data.set(head);
    this.#start = this.#length = head.length;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#data.length) return;
    if (needed > this.#limit) throw new DicomError("bomb", `deflated data of more than ${this.#limit} bytes`);
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(needed, this.#data.length * 2)));
    grown.set(this.#data.subarray(0, this.#length));
    this.#data = grown;
  }

  add(byte: number): void {
    this.#reserve(1);
    this.#data[this.#length++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#data.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  repeat(distance: number, count: number): void {
    if (distance > this.#length - this.#start) throw corruptionError("a repetition of what was never there");
    this.#reserve(count);
    const [data, from] = [this.#data, this.#length];
    this.#length += count;
    // A forged file consists of long runs.
    if (distance === 1 && count > 32) data.fill(data[from - 1], from, from + count);
    else if (distance >= count && count > 32) data.copyWithin(from, from - distance, from - distance + count);
    else for (let at = from; at < from + count; at++) data[at] = data[at - distance];
  }

  // A small result, which stays in memory, is copied to its exact size. A large one is returned as a view, because a
  // copy would hold it twice.
  bytes = (): Uint8Array =>
    this.#length > 1 << 20 ? this.#data.subarray(0, this.#length) : this.#data.slice(0, this.#length);
}

const copyStored = (bits: BitReader, out: OutputBuffer): void => out.append(bits.readStored());

function readBlock(bits: BitReader, out: OutputBuffer, literals: CodeTable, distances: CodeTable): void {
  for (;;) {
    const literal = bits.readSymbol(literals);
    if (literal === 256) return;
    if (literal < 256) out.add(literal);
    else {
      const length = lengthRanges[literal - 257];
      if (length === undefined) throw corruptionError("a length that does not exist");
      const count = length.base + bits.readBits(length.extra);
      const distance = distanceRanges[bits.readSymbol(distances)];
      if (distance === undefined) throw corruptionError("a distance that does not exist");
      out.repeat(distance.base + bits.readBits(distance.extra), count);
    }
  }
}

interface SymbolRange {
  base: number;
  extra: number;
}

/** RFC 1951 3.2.5: each symbol begins where the one before ends. */
function buildRanges(first: number, extras: readonly number[]): SymbolRange[] {
  let base = first;
  return extras.map((extra) => {
    const range = { base, extra };
    base += 1 << extra;
    return range;
  });
}

const extraBits = (symbols: number, perStep: number): number[] =>
  Array.from({ length: symbols }, (_, symbol) => Math.max(0, Math.floor(symbol / perStep) - 1));

// The last length, 258, has its own symbol without extra bits.
const lengthRanges = [...buildRanges(3, extraBits(28, 4)), { base: 258, extra: 0 }];
const distanceRanges = buildRanges(1, extraBits(30, 2));

const fixedLiteralTable = buildCodeTable(
  Uint8Array.from({ length: 288 }, (_, literal) => (literal < 144 ? 8 : literal < 256 ? 9 : literal < 280 ? 7 : 8)),
);
const fixedDistanceTable = buildCodeTable(new Uint8Array(30).fill(5));

/** RFC 1951 3.2.7: the order in which the lengths of the codes for code lengths are written. */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function readDynamicTables(bits: BitReader): [CodeTable, CodeTable] {
  const literals = bits.readBits(5) + 257;
  const distances = bits.readBits(5) + 1;
  const written = bits.readBits(4) + 4;
  const forLengths = new Uint8Array(19);
  for (const index of codeLengthOrder.slice(0, written)) forLengths[index] = bits.readBits(3);
  const table = buildCodeTable(forLengths);
  const all = new Uint8Array(literals + distances);
  for (let at = 0; at < all.length;) {
    const symbol = bits.readSymbol(table);
    if (symbol < 16) {
      all[at++] = symbol;
      continue;
    }
    if (symbol === 16 && at === 0) throw corruptionError("a repeated length at the beginning");
    const value = symbol === 16 ? all[at - 1] : 0;
    const count = symbol === 16 ? 3 + bits.readBits(2) : symbol === 17 ? 3 + bits.readBits(3) : 11 + bits.readBits(7);
    if (at + count > all.length) throw corruptionError("more code lengths than codes");
    all.fill(value, at, at + count);
    at += count;
  }
  return [buildCodeTable(all.subarray(0, literals)), buildCodeTable(all.subarray(literals))];
}
