import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DicomError, type DicomReason } from "@arcada/imaging/dicom/dicom-error";
import { readPixelShape } from "@arcada/imaging/dicom/pixels/pixel-shape";
import { decodeFrame } from "@arcada/imaging/dicom/pixels/decode-frame";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import type { RawData } from "../../packages/imaging/src/dicom/pixels/pixel-samples.ts";
import { testData } from "./real-test-files.ts";

/** The result of our decoder for a file: a checksum over all its frames, or the reason of a rejection. */
export type DecodeOutcome = { pixels: string } | { refused: DicomReason; detail: string };

/**
 * SHA-256 of the stored values of all frames, one after another, `[row][column][sample]`: whole numbers as 32 bits in
 * little endian, so that files that keep the same values in 8, 16 or 32 bits have one checksum.
 */
export async function decodeOurPixels(path: string): Promise<DecodeOutcome> {
  try {
    const file = readDicom(readFileSync(join(testData, path)));
    const sum = createHash("sha256");
    for (let frame = 0; frame < readPixelShape(file).frames; frame++)
      sum.update(toCanonicalBytes((await decodeFrame(file, frame)).data));
    return { pixels: sum.digest("hex") };
  } catch (error) {
    if (error instanceof DicomError) return { refused: error.reason, detail: error.message };
    throw error;
  }
}

export function toCanonicalBytes(values: RawData | readonly number[]): Uint8Array {
  const out = new DataView(new ArrayBuffer(values.length * 4));
  for (let at = 0; at < values.length; at++) out.setInt32(at * 4, values[at], true);
  return new Uint8Array(out.buffer);
}
