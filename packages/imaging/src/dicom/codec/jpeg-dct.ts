import { DicomError } from "../error.ts";
import { BitReader, type HuffmanTable } from "./bit-reader.ts";
import { inverseDct } from "./inverse-dct.ts";
import { nextMarker, readFrameHead, readTables, type Frame } from "./jpeg-markers.ts";
import { checkShape, type Expected } from "./wasm.ts";

export interface DctFrame {
  bits: number;
  /** `[row][column]`, unsigned as coded. */
  data: Uint16Array;
}

/**
 * Decodes grey JPEG of 12 bits: sequential DCT, Huffman coded (process 4; ITU-T T.81 Annex F).
 * @throws DicomError truncated when the entropy-coded bytes end early, unsupported for other processes and for colour.
 */
export function decodeJpeg12(coded: Uint8Array, expected: Expected): DctFrame {
  const { frame, quantum, scan } = readSegments(coded, expected);
  const data = new Uint16Array(frame.columns * frame.rows);
  const reader = new BitReader(coded, scan.start);
  const block = new Int32Array(64);
  const across = Math.ceil(frame.columns / 8);
  const blocks = across * Math.ceil(frame.rows / 8);
  let level = 0;
  for (let at = 0; at < blocks; at++) {
    if (scan.restartInterval > 0 && at > 0 && at % scan.restartInterval === 0) {
      reader.restart();
      level = 0;
    }
    level = readBlock(reader, scan, quantum, block, level);
    inverseDct(block, frame.bits);
    put(block, data, frame, (at % across) * 8, Math.floor(at / across) * 8);
    if (reader.ranOut) throw new DicomError("truncated", `JPEG data ends in block ${at} of ${blocks}`);
  }
  return { bits: frame.bits, data };
}

interface Scan {
  start: number;
  levels: HuffmanTable;
  waves: HuffmanTable;
  restartInterval: number;
}

function readSegments(coded: Uint8Array, expected: Expected): { frame: Frame; quantum: Uint16Array; scan: Scan } {
  const quanta = new Map<number, Uint16Array>();
  const tables = new Map<number, HuffmanTable>();
  let frame: (Frame & { quantum: number }) | null = null;
  let restartInterval = 0;
  for (let at = nextMarker(coded, 0); at >= 0;) {
    const marker = coded[at + 1];
    const length = marker === 0xd8 ? 0 : ((coded[at + 2] ?? 0) << 8) | (coded[at + 3] ?? 0);
    const body = coded.subarray(at + 4, at + 2 + length);
    if (marker === 0xd9 || body.length < length - 2) break;
    if (marker === 0xc4) readTables(body, tables);
    else if (marker === 0xdb) readQuanta(body, quanta);
    else if (marker === 0xdd) restartInterval = (body[0] << 8) | body[1];
    else if (marker === 0xc1) frame = { ...readFrame(body, coded.length, expected), quantum: body[8] };
    else if (marker >= 0xc0 && marker <= 0xcf)
      throw new DicomError("unsupported", `JPEG process SOF${marker - 0xc0} with more than 8 bits`);
    else if (marker === 0xda && frame !== null) {
      const [quantum, levels, waves] = [
        quanta.get(frame.quantum),
        tables.get(body[2] >> 4),
        tables.get(0x10 | (body[2] & 15)),
      ];
      if (quantum === undefined || levels === undefined || waves === undefined)
        throw new DicomError("truncated", "JPEG scan without its tables");
      return { frame, quantum, scan: { start: at + 2 + length, levels, waves, restartInterval } };
    }
    at = nextMarker(coded, at + 2 + length);
  }
  throw new DicomError("truncated", "JPEG data without a frame and a scan");
}

function readFrame(body: Uint8Array, bytes: number, expected: Expected): Frame {
  const frame = readFrameHead(body);
  checkShape({ width: frame.columns, height: frame.rows, componentCount: frame.components.length }, expected);
  if (frame.components.length !== 1) throw new DicomError("unsupported", `JPEG in colour with ${frame.bits} bits`);
  if (frame.bits !== 12) throw new DicomError("unsupported", `JPEG with ${frame.bits} bits`);
  // Every block takes two codes of a bit at least: a forged size is refused before memory is taken for it.
  if (bytes * 4 < Math.ceil(frame.columns / 8) * Math.ceil(frame.rows / 8))
    throw new DicomError("truncated", "JPEG data too short for its size");
  return frame;
}

/** Quantisation tables, still in zigzag order (T.81 B.2.4.1). */
function readQuanta(body: Uint8Array, quanta: Map<number, Uint16Array>): void {
  let at = 0;
  while (at < body.length) {
    const size = body[at] >> 4 === 0 ? 1 : 2;
    const from = at + 1;
    if (from + 64 * size > body.length) throw new DicomError("truncated", "JPEG quantisation table cut");
    const value = (index: number) =>
      size === 1 ? body[from + index] : (body[from + index * 2] << 8) | body[from + index * 2 + 1];
    quanta.set(
      body[at] & 15,
      Uint16Array.from({ length: 64 }, (_, index) => value(index)),
    );
    at = from + 64 * size;
  }
}

/** Fills `block` `[row][column]` with its dequantised coefficients; returns the new DC level. */
function readBlock(reader: BitReader, scan: Scan, quantum: Uint16Array, block: Int32Array, before: number): number {
  block.fill(0);
  const level = before + reader.signed(reader.symbol(scan.levels) & 15);
  block[0] = level * quantum[0];
  for (let index = 1; index < 64; index++) {
    const symbol = reader.symbol(scan.waves);
    const [zeros, size] = [symbol >> 4, symbol & 15];
    if (size === 0 && zeros !== 15) break;
    index += zeros;
    if (index > 63) throw new DicomError("truncated", "JPEG block with more than 64 coefficients");
    if (size > 0) block[zigzag[index]] = reader.signed(size) * quantum[index];
  }
  return level;
}

/** The place `[row][column]` of each coefficient in the order of coding (T.81 figure 5). */
const zigzag = Uint8Array.from(
  Array.from({ length: 64 }, (_, place) => place).sort((one, other) => {
    const [a, b] = [diagonal(one), diagonal(other)];
    // Even diagonals are walked upwards, odd ones downwards.
    return a - b || (a % 2 === 0 ? other - one : one - other);
  }),
);

function diagonal(place: number): number {
  return (place >> 3) + (place & 7);
}

function put(block: Int32Array, data: Uint16Array, frame: Frame, left: number, top: number): void {
  const [wide, high] = [Math.min(8, frame.columns - left), Math.min(8, frame.rows - top)];
  for (let row = 0; row < high; row++)
    for (let column = 0; column < wide; column++)
      data[(top + row) * frame.columns + left + column] = block[row * 8 + column];
}
