import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pixelShape } from "@arcada/imaging/dicom/pixel-length";
import { readDicom } from "@arcada/imaging/dicom/read";
import { testData, truthFiles } from "./files.ts";
import { ourPixels } from "./ours.ts";
import { truthTable, twins, type TruthRow } from "./table.ts";
import { theirPixels } from "./theirs.ts";
import { shownFiles, shownRow } from "./shown.ts";
import { shownTable, type ShownRow } from "./shown-table.ts";
import { decoders } from "./decoders.ts";

// Needs the real files, DCMTK and OpenJPEG's opj_decompress. Run it after a change of the decoders or of the files.
const notes: Record<string, string> = {
  "dicom-data2/HTJ2K_08_RGB.dcm":
    "lossy: 678 of 921,600 samples differ by 1, since the two decoders round the wavelet's floating point numbers differently",
  "dicom-data2/JLSL_08_07_0_1F.dcm": "no second decoder reads JPEG-LS of 7 bits",
};

const at = (file: string): string => path.join(import.meta.dirname, "../..", file);
const rows: TruthRow[] = [];
for (const file of truthFiles()) {
  const twin = twins[file];
  const theirs = twin === undefined ? theirPixels(file) : theirPixels(twin);
  const note = notes[file];
  rows.push({
    file,
    ...described(file),
    theirs: theirs !== null && twin !== undefined ? { ...theirs, by: `twin ${path.basename(twin)}` } : theirs,
    ours: await ourPixels(file),
    ...(note !== undefined && { note }),
  });
}
writeFileSync(at("scripts/truth/decoder-truth.json"), `${JSON.stringify(rows, null, 2)}\n`);
const shown: ShownRow[] = [];
for (const { file, bytes } of shownFiles())
  shown.push(...[await shownRow(file, bytes, true)].filter((row) => row !== null));
writeFileSync(at("scripts/truth/shown-truth.json"), `${JSON.stringify(shown, null, 2)}\n`);
writeFileSync(at("docs/decoders.md"), decoders(truthTable(), shownTable()));

function described(file: string): Pick<TruthRow, "syntax" | "picture"> {
  try {
    const opened = readDicom(readFileSync(path.join(testData, file)));
    const { rows: high, columns, frames, photometric } = pixelShape(opened);
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
