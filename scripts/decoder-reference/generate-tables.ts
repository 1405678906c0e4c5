import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readPixelShape } from "@arcada/imaging/dicom/pixels/pixel-shape";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { testData, comparisonFiles } from "./real-test-files.ts";
import { decodeOurPixels } from "./our-pixels.ts";
import { readDecoderTable, sameImageFiles, type DecoderRow } from "./decoder-table.ts";
import { decodeReferencePixels } from "./reference-pixels.ts";
import { renderedFiles, compareRenderedFrame } from "./rendered-frames.ts";
import { readRenderedTable, type RenderedRow } from "./rendered-table.ts";
import { renderDecodersPage } from "./decoders-page.ts";

// Needs the real files, DCMTK and OpenJPEG's opj_decompress. Run it after a change of the decoders or of the files.
const notes: Record<string, string> = {
  "dicom-data2/HTJ2K_08_RGB.dcm":
    "lossy: 678 of 921,600 samples differ by 1, since the two decoders round the wavelet's floating point numbers differently",
  "dicom-data2/JLSL_08_07_0_1F.dcm": "no second decoder reads JPEG-LS of 7 bits",
};

const inRepository = (file: string): string => path.join(import.meta.dirname, "../..", file);
const rows: DecoderRow[] = [];
for (const file of comparisonFiles()) {
  const sameImage = sameImageFiles[file];
  const theirs = sameImage === undefined ? decodeReferencePixels(file) : decodeReferencePixels(sameImage);
  const note = notes[file];
  rows.push({
    file,
    ...describeFile(file),
    theirs: theirs !== null && sameImage !== undefined ? { ...theirs, by: `twin ${path.basename(sameImage)}` } : theirs,
    ours: await decodeOurPixels(file),
    ...(note !== undefined && { note }),
  });
}
writeFileSync(inRepository("scripts/decoder-reference/decoder-table.json"), `${JSON.stringify(rows, null, 2)}\n`);
const shown: RenderedRow[] = [];
for (const { file, bytes } of renderedFiles())
  shown.push(...[await compareRenderedFrame(file, bytes, true)].filter((row) => row !== null));
writeFileSync(inRepository("scripts/decoder-reference/rendered-table.json"), `${JSON.stringify(shown, null, 2)}\n`);
writeFileSync(inRepository("docs/decoders.md"), renderDecodersPage(readDecoderTable(), readRenderedTable()));

function describeFile(file: string): Pick<DecoderRow, "syntax" | "picture"> {
  try {
    const opened = readDicom(readFileSync(path.join(testData, file)));
    const { rows: high, columns, frames, photometric } = readPixelShape(opened);
    if (high === 0) return { syntax: opened.transferSyntax, picture: "" };
    const bits = opened.uint16("x00280101") ?? 0;
    const sign = opened.uint16("x00280103") === 1 ? " signed" : "";
    const size = `${columns} × ${high}${frames > 1 ? ` × ${frames}` : ""}`;
    return {
      syntax: opened.transferSyntax,
      picture: `${size}, ${bits} ${bits === 1 ? "bit" : "bits"}${sign}, ${photometric}`,
    };
  } catch {
    return { syntax: "", picture: "" };
  }
}
