import { DicomError } from "../dicom-error.ts";
import { BitReader } from "./bit-reader.ts";
import { readLosslessSegments, type LosslessScan } from "./jpeg-markers.ts";
import { checkShape, type ExpectedShape } from "./wasm-decoder.ts";

export interface LosslessFrame {
  columns: number;
  rows: number;
  samples: number;
  bits: number;
  /** `[row][column][sample]`, unsigned as coded. */
  data: Uint16Array;
}

/**
 * Decodes JPEG Lossless, Huffman coded (processes 14 and 14 SV1; ITU-T T.81 Annex H).
 * @throws DicomError truncated when the entropy-coded bytes end early, unsupported for other JPEG processes.
 */
export function decodeJpegLossless(coded: Uint8Array, expected: ExpectedShape): LosslessFrame {
  const { frame, scans } = readLosslessSegments(coded);
  checkShape({ width: frame.columns, height: frame.rows, componentCount: frame.components.length }, expected);
  // Every difference takes at least one bit: a forged size is rejected before memory is allocated for it.
  if (coded.length * 8 < frame.columns * frame.rows * frame.components.length)
    throw new DicomError("truncated", "JPEG Lossless data too short for its size");
  const data = new Uint16Array(frame.columns * frame.rows * frame.components.length);
  for (const scan of scans)
    decodeScan(coded, scan, data, frame.columns, frame.rows, frame.components.length, frame.bits);
  return { columns: frame.columns, rows: frame.rows, samples: frame.components.length, bits: frame.bits, data };
}

function decodeScan(
  coded: Uint8Array,
  scan: LosslessScan,
  data: Uint16Array,
  columns: number,
  rows: number,
  step: number,
  bits: number,
): void {
  const reader = new BitReader(coded, scan.start);
  const first = 1 << (bits - scan.shift - 1);
  let untilRestart = scan.restartInterval;
  let firstRow = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (scan.restartInterval > 0 && untilRestart-- === 0) {
        reader.restart();
        untilRestart = scan.restartInterval - 1;
        // T.81 H.1.2.1: after a restart the prediction starts again, as on a first line.
        firstRow = row;
      }
      const isFirst = column === 0 && row === firstRow;
      for (const { component, table } of scan.components) {
        const at = (row * columns + column) * step + component;
        const guess = isFirst
          ? first
          : predict(data, at, step, columns * step, column === 0, row === firstRow, scan.predictor);
        data[at] = guess + reader.difference(table);
      }
    }
    if (reader.isExhausted) throw new DicomError("truncated", `JPEG Lossless data ends in row ${row} of ${rows}`);
  }
  if (scan.shift > 0)
    for (const { component } of scan.components)
      for (let at = component; at < data.length; at += step) data[at] <<= scan.shift;
}

function predict(
  data: Uint16Array,
  at: number,
  step: number,
  line: number,
  atLeft: boolean,
  atTop: boolean,
  predictor: number,
): number {
  if (atTop) return data[at - step];
  if (atLeft) return data[at - line];
  if (predictor === 1) return data[at - step];
  const [left, above, corner] = [data[at - step], data[at - line], data[at - line - step]];
  if (predictor === 2) return above;
  if (predictor === 3) return corner;
  if (predictor === 4) return left + above - corner;
  if (predictor === 5) return left + ((above - corner) >> 1);
  if (predictor === 6) return above + ((left - corner) >> 1);
  return (left + above) >> 1;
}
