import { DicomError } from "../dicom-error.ts";
import type { HuffmanTable } from "./bit-reader.ts";
import { checkShape, type ExpectedShape } from "./wasm-decoder.ts";

export interface LosslessScan {
  /** Offset of the entropy-coded bytes. */
  start: number;
  components: { component: number; table: HuffmanTable }[];
  predictor: number;
  /** Point transform: bits that the samples were shifted right by. */
  shift: number;
  restartInterval: number;
}

export interface JpegFrame {
  bits: number;
  rows: number;
  columns: number;
  /** Component identifiers in the order of the frame. */
  components: number[];
}

/** The frame and scans of a JPEG Lossless codestream (T.81 Annex B). */
export function readLosslessSegments(coded: Uint8Array): { frame: JpegFrame; scans: LosslessScan[] } {
  const tables = new Map<number, HuffmanTable>();
  const scans: LosslessScan[] = [];
  let frame: JpegFrame | null = null;
  let restartInterval = 0;
  for (let at = nextMarker(coded, 0); at >= 0;) {
    const marker = coded[at + 1];
    if (marker === 0xd9) break;
    const length =
      marker === 0xd8 || (marker >= 0xd0 && marker <= 0xd7) ? 0 : ((coded[at + 2] ?? 0) << 8) | (coded[at + 3] ?? 0);
    const body = coded.subarray(at + 4, at + 2 + length);
    if (length > 2 && body.length < length - 2) break;
    if (marker === 0xc4) readHuffmanTables(body, tables);
    else if (marker === 0xdd) restartInterval = (body[0] << 8) | body[1];
    else if (marker === 0xc3) frame = readFrame(body);
    else if (marker >= 0xc0 && marker <= 0xcf)
      throw new DicomError("unsupported", `JPEG process SOF${marker - 0xc0} is not lossless Huffman`);
    else if (marker === 0xda && frame !== null)
      scans.push(readScan(body, frame, tables, at + 2 + length, restartInterval));
    at = nextMarker(coded, at + 2 + length);
  }
  if (frame === null || scans.flatMap((scan) => scan.components).length < frame.components.length) {
    throw new DicomError("truncated", "JPEG Lossless data without a whole frame");
  }
  return { frame, scans };
}

/** Entropy-coded bytes hold 0xFF only before 0x00 or a restart marker, and those are passed over. */
export function nextMarker(coded: Uint8Array, from: number): number {
  for (let at = from; at + 1 < coded.length; at++) {
    if (coded[at] === 0xff && coded[at + 1] !== 0 && coded[at + 1] !== 0xff && (coded[at + 1] & 0xf8) !== 0xd0)
      return at;
  }
  return -1;
}

function readFrame(body: Uint8Array): JpegFrame {
  const frame = readFrameHeader(body);
  const sampling = frame.components.map((_, index) => body[7 + index * 3]);
  if (sampling.some((factor) => factor !== sampling[0]))
    throw new DicomError("unsupported", "JPEG Lossless with subsampled components");
  return frame;
}

export function readFrameHeader(body: Uint8Array): JpegFrame {
  if (body.length < 6 || body.length < 6 + body[5] * 3) throw new DicomError("truncated", "JPEG frame header cut");
  const components = Array.from({ length: body[5] }, (_, index) => body[6 + index * 3]);
  return { bits: body[0], rows: (body[1] << 8) | body[2], columns: (body[3] << 8) | body[4], components };
}

/** @throws DicomError unsupported for JPEG of more than 8 bits, or of another shape than expected. */
export function checkJpeg8(coded: Uint8Array, expected: ExpectedShape): void {
  for (let at = nextMarker(coded, 0); at >= 0;) {
    const marker = coded[at + 1];
    const length = marker === 0xd8 ? 0 : ((coded[at + 2] ?? 0) << 8) | (coded[at + 3] ?? 0);
    if (marker === 0xda || marker === 0xd9) break;
    if (marker >= 0xc0 && marker <= 0xc2) {
      const frame = readFrameHeader(coded.subarray(at + 4, at + 2 + length));
      if (frame.bits !== 8) throw new DicomError("unsupported", `JPEG with ${frame.bits} bits`);
      return checkShape(
        { width: frame.columns, height: frame.rows, componentCount: frame.components.length },
        expected,
      );
    }
    at = nextMarker(coded, at + 2 + length);
  }
  throw new DicomError("truncated", "JPEG data without a frame header");
}

/** Bits of a sample by the frame header; 0 where there is none. */
export function readPrecision(coded: Uint8Array): number {
  for (let at = nextMarker(coded, 0); at >= 0 && coded[at + 1] !== 0xda;) {
    const marker = coded[at + 1];
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) return coded[at + 4];
    at = nextMarker(coded, marker === 0xd8 ? at + 2 : at + 2 + (((coded[at + 2] ?? 0) << 8) | (coded[at + 3] ?? 0)));
  }
  return 0;
}

/** Returns true if a JFIF or Adobe segment in the data states its colours. */
export function declaresColourSpace(coded: Uint8Array): boolean {
  for (let at = nextMarker(coded, 0); at >= 0 && coded[at + 1] !== 0xda;) {
    const marker = coded[at + 1];
    if (marker === 0xe0 || marker === 0xee) return true;
    at = nextMarker(coded, marker === 0xd8 ? at + 2 : at + 2 + (((coded[at + 2] ?? 0) << 8) | (coded[at + 3] ?? 0)));
  }
  return false;
}

function readScan(
  body: Uint8Array,
  frame: JpegFrame,
  tables: Map<number, HuffmanTable>,
  start: number,
  restartInterval: number,
): LosslessScan {
  const count = body[0];
  const components = Array.from({ length: count }, (_, index) => {
    const component = frame.components.indexOf(body[1 + index * 2]);
    const table = tables.get(body[2 + index * 2] >> 4);
    if (component < 0 || table === undefined)
      throw new DicomError("truncated", "JPEG scan names an unknown component or table");
    return { component, table };
  });
  const predictor = body[1 + count * 2];
  if (!(predictor >= 1 && predictor <= 7)) throw new DicomError("unsupported", `JPEG Lossless predictor ${predictor}`);
  return { start, components, predictor, shift: body[3 + count * 2] & 15, restartInterval };
}

export function readHuffmanTables(body: Uint8Array, tables: Map<number, HuffmanTable>): void {
  let at = 0;
  while (at + 17 <= body.length) {
    const counts = body.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    tables.set(body[at] & 0x1f, buildHuffmanTable(counts, body.subarray(at + 17, at + 17 + total)));
    at += 17 + total;
  }
}

function buildHuffmanTable(counts: Uint8Array, values: Uint8Array): HuffmanTable {
  const table = new Uint16Array(65536);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    for (let count = 0; count < counts[length - 1]; count++) {
      const from = code << (16 - length);
      table.fill((length << 8) | (values[index++] ?? 0), from, from + (1 << (16 - length)));
      code++;
    }
    code <<= 1;
  }
  return table;
}
