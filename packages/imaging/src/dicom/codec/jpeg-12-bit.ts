import { DicomError } from "../dicom-error.ts";
import { BitReader, type HuffmanTable } from "./bit-reader.ts";
import { inverseDct } from "./inverse-dct.ts";
import { nextMarker, readFrameHeader, readHuffmanTables, type JpegFrame } from "./jpeg-markers.ts";
import { checkShape, type ExpectedShape } from "./wasm-decoder.ts";

export interface DctFrame {
  bits: number;
  /** `[row][column]`, unsigned as coded. */
  data: Uint16Array;
}

/**
 * Decodes grey JPEG of 12 bits: sequential DCT, Huffman coded (process 4; ITU-T T.81 Annex F).
 * @throws DicomError truncated when the entropy-coded bytes end early, unsupported for other processes and for colour.
 */
export function decodeJpeg12(coded: Uint8Array, expected: ExpectedShape): DctFrame {
  const { frame, quantisation, scan } = readSegments(coded, expected);
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
    level = readBlock(reader, scan, quantisation, block, level);
    inverseDct(block, frame.bits);
    copyBlock(block, data, frame, (at % across) * 8, Math.floor(at / across) * 8);
    if (reader.isExhausted) throw new DicomError("truncated", `JPEG data ends in block ${at} of ${blocks}`);
  }
  return { bits: frame.bits, data };
}

interface Scan {
  start: number;
  dcTable: HuffmanTable;
  acTable: HuffmanTable;
  restartInterval: number;
}

function readSegments(
  coded: Uint8Array,
  expected: ExpectedShape,
): { frame: JpegFrame; quantisation: Uint16Array; scan: Scan } {
  const quantisationTables = new Map<number, Uint16Array>();
  const tables = new Map<number, HuffmanTable>();
  let frame: (JpegFrame & { quantisation: number }) | null = null;
  let restartInterval = 0;
  for (let at = nextMarker(coded, 0); at >= 0;) {
    const marker = coded[at + 1];
    const length = marker === 0xd8 ? 0 : ((coded[at + 2] ?? 0) << 8) | (coded[at + 3] ?? 0);
    const body = coded.subarray(at + 4, at + 2 + length);
    if (marker === 0xd9 || body.length < length - 2) break;
    if (marker === 0xc4) readHuffmanTables(body, tables);
    else if (marker === 0xdb) readQuantisationTables(body, quantisationTables);
    else if (marker === 0xdd) restartInterval = (body[0] << 8) | body[1];
    else if (marker === 0xc1) frame = { ...readFrame(body, coded.length, expected), quantisation: body[8] };
    else if (marker >= 0xc0 && marker <= 0xcf)
      throw new DicomError("unsupported", `JPEG process SOF${marker - 0xc0} with more than 8 bits`);
    else if (marker === 0xda && frame !== null) {
      const [quantisation, dcTable, acTable] = [
        quantisationTables.get(frame.quantisation),
        tables.get(body[2] >> 4),
        tables.get(0x10 | (body[2] & 15)),
      ];
      if (quantisation === undefined || dcTable === undefined || acTable === undefined)
        throw new DicomError("truncated", "JPEG scan without its tables");
      return { frame, quantisation, scan: { start: at + 2 + length, dcTable, acTable, restartInterval } };
    }
    at = nextMarker(coded, at + 2 + length);
  }
  throw new DicomError("truncated", "JPEG data without a frame and a scan");
}

function readFrame(body: Uint8Array, bytes: number, expected: ExpectedShape): JpegFrame {
  const frame = readFrameHeader(body);
  checkShape({ width: frame.columns, height: frame.rows, componentCount: frame.components.length }, expected);
  if (frame.components.length !== 1) throw new DicomError("unsupported", `JPEG in colour with ${frame.bits} bits`);
  if (frame.bits !== 12) throw new DicomError("unsupported", `JPEG with ${frame.bits} bits`);
  // Every block takes at least two codes of one bit: a forged size is rejected before memory is allocated for it.
  if (bytes * 4 < Math.ceil(frame.columns / 8) * Math.ceil(frame.rows / 8))
    throw new DicomError("truncated", "JPEG data too short for its size");
  return frame;
}

/** Quantisation tables, still in zigzag order (T.81 B.2.4.1). */
function readQuantisationTables(body: Uint8Array, quantisationTables: Map<number, Uint16Array>): void {
  let at = 0;
  while (at < body.length) {
    const size = body[at] >> 4 === 0 ? 1 : 2;
    const from = at + 1;
    if (from + 64 * size > body.length) throw new DicomError("truncated", "JPEG quantisation table cut");
    const value = (index: number) =>
      size === 1 ? body[from + index] : (body[from + index * 2] << 8) | body[from + index * 2 + 1];
    quantisationTables.set(
      body[at] & 15,
      Uint16Array.from({ length: 64 }, (_, index) => value(index)),
    );
    at = from + 64 * size;
  }
}

/** Fills `block` `[row][column]` with its dequantised coefficients; returns the new DC level. */
function readBlock(
  reader: BitReader,
  scan: Scan,
  quantisation: Uint16Array,
  block: Int32Array,
  before: number,
): number {
  block.fill(0);
  const level = before + reader.signed(reader.symbol(scan.dcTable) & 15);
  block[0] = level * quantisation[0];
  for (let index = 1; index < 64; index++) {
    const symbol = reader.symbol(scan.acTable);
    const [zeros, size] = [symbol >> 4, symbol & 15];
    if (size === 0 && zeros !== 15) break;
    index += zeros;
    if (index > 63) throw new DicomError("truncated", "JPEG block with more than 64 coefficients");
    if (size > 0) block[zigzag[index]] = reader.signed(size) * quantisation[index];
  }
  return level;
}

/** The place `[row][column]` of each coefficient in the order of coding (T.81 figure 5). */
const zigzag = Uint8Array.from(
  Array.from({ length: 64 }, (_, index) => index).sort((one, other) => {
    const [a, b] = [diagonal(one), diagonal(other)];
    // Even diagonals are walked upwards, odd ones downwards.
    return a - b || (a % 2 === 0 ? other - one : one - other);
  }),
);

function diagonal(index: number): number {
  return (index >> 3) + (index & 7);
}

function copyBlock(block: Int32Array, data: Uint16Array, frame: JpegFrame, left: number, top: number): void {
  const [blockWidth, high] = [Math.min(8, frame.columns - left), Math.min(8, frame.rows - top)];
  for (let row = 0; row < high; row++)
    for (let column = 0; column < blockWidth; column++)
      data[(top + row) * frame.columns + left + column] = block[row * 8 + column];
}
