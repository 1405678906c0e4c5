import { readFileSync } from "node:fs";
import type { DecodeOutcome } from "./our-pixels.ts";
import type { ReferencePixels } from "./reference-pixels.ts";

/** One real file: the result of another decoder for its pixels, and ours. */
export interface DecoderRow {
  file: string;
  syntax: string;
  /** Its pixels in words: size, frames, bits, colour. */
  picture: string;
  theirs: ReferencePixels | null;
  ours: DecodeOutcome;
  /** The reason for a difference, if it is known and correct. */
  note?: string;
}

const tableFile = new URL("decoder-table.json", import.meta.url);

export const readDecoderTable = (): DecoderRow[] => JSON.parse(readFileSync(tableFile, "utf8")) as DecoderRow[];

/** Files that hold the pixels of another one: the truth where no other decoder reads the syntax. */
export const sameImageFiles: Record<string, string> = {
  "dicom-data2/liver_deflate.dcm": "dicom-data2/liver.dcm",
  "dicom-data2/liver_rle.dcm": "dicom-data2/liver.dcm",
  "dicom-data2/liver_nonbyte_aligned_deflate.dcm": "dicom-data2/liver_nonbyte_aligned.dcm",
  "dicom-data2/liver_nonbyte_aligned_rle.dcm": "dicom-data2/liver_nonbyte_aligned.dcm",
  // DCMTK swaps 32-bit samples of big endian files as pairs of 16-bit words, so its values differ from those of the
  // twins.
  "dicom-syntaxes/files/rtdose_expb.dcm": "dicom-syntaxes/files/rtdose.dcm",
  "dicom-syntaxes/files/rtdose_expb_1frame.dcm": "dicom-syntaxes/files/rtdose_1frame.dcm",
};
