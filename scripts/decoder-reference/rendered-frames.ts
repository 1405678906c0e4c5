import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFrame, greyOf, isColour } from "@arcada/imaging/dicom/pixels/decode-frame";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { renderFrame } from "@arcada/imaging/dicom/pixels/render-frame";
import { createSyntheticImages } from "./synthetic-images.ts";
import { testData, comparisonFiles } from "./real-test-files.ts";
import type { RenderedRow } from "./rendered-table.ts";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/**
 * Returns the files whose images are compared: the grey ones of the collections, and synthetic ones for functions that
 * no file there has.
 */
export function renderedFiles(): { file: string; bytes: Uint8Array }[] {
  const made = createSyntheticImages().map(({ name, bytes }) => ({ file: `made/${name}`, bytes }));
  const real = comparisonFiles().map((file) => ({ file, bytes: new Uint8Array(readFileSync(join(testData, file))) }));
  return [...made, ...real];
}

/** Returns null if the image is refused or in colour. */
export async function compareRenderedFrame(
  file: string,
  bytes: Uint8Array,
  withDcmtk: boolean,
): Promise<RenderedRow | null> {
  const open = tryRead(bytes);
  const told = open && (await dcmtkOptions(open));
  if (!open || !told) return null;
  const { data } = await renderFrame(open, 0);
  const theirs = withDcmtk ? renderByDcmtk(bytes, told) : null;
  const note = theirs && notes[file];
  return {
    file,
    told: told.join(" "),
    ours: createHash("sha256").update(data).digest("hex"),
    furthest: theirs && maxDifference(data, theirs),
    ...(note && { note }),
  };
}

const swapped = "DCMTK swaps 32-bit samples of big endian files as pairs of 16-bit words";
const notes: Record<string, string> = {
  "made/slope-of-a-thousandth.dcm": "DCMTK rounds values to whole numbers before it applies the window",
  "dicom-syntaxes/files/rtdose_expb.dcm": swapped,
  "dicom-syntaxes/files/rtdose_expb_1frame.dcm": swapped,
};

function tryRead(bytes: Uint8Array): DicomFile | null {
  try {
    return readDicom(bytes);
  } catch {
    return null;
  }
}

async function dcmtkOptions(file: DicomFile): Promise<string[] | null> {
  try {
    const raw = await decodeFrame(file, 0);
    if (isColour(raw)) return null;
    const grey = greyOf(file, raw);
    // DCMTK does not support LINEAR_EXACT: it equals LINEAR with half a value more in the centre and one more in the
    // width.
    if (file.text("x00281056") === "LINEAR_EXACT")
      return windowOptions(file.number("x00281050")! + 0.5, file.number("x00281051")! + 1);
    if (grey.hasFileWindow && grey.window.shape === "table") return ["+Wl", "1"];
    if (grey.hasFileWindow) return ["+Wi", "1"];
    const { center, width } = grey.window;
    return windowOptions((center - 0.5) * grey.scale + grey.offset + 0.5, (width - 1) * grey.scale + 1);
  } catch {
    return null;
  }
}

const windowOptions = (center: number, width: number): string[] => ["+Ww", String(center), String(width)];

function renderByDcmtk(bytes: Uint8Array, told: readonly string[]): Uint8Array | null {
  const folder = mkdtempSync(join(tmpdir(), "arcada-shown-"));
  try {
    const [from, to] = [join(folder, "from.dcm"), join(folder, "to.pgm")];
    writeFileSync(from, bytes);
    for (const program of ["dcmj2pnm", "dcml2pnm"]) {
      try {
        execFileSync(program, ["+op", "-S", ...told, from, to], { stdio: "ignore", timeout: 60_000 });
        return readPgm(readFileSync(to));
      } catch {}
    }
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Binary PGM: P5, comments, width, height, 255, bytes. */
function readPgm(bytes: Buffer): Uint8Array | null {
  const head = /^P5\s+(?:#.*\s+)*(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 400).toString("latin1"));
  return head && bytes.subarray(head[0].length);
}

function maxDifference(ours: Uint8Array, theirs: Uint8Array): number {
  if (ours.length !== theirs.length) return 256;
  let furthest = 0;
  for (let at = 0; at < ours.length; at++) furthest = Math.max(furthest, Math.abs(ours[at] - theirs[at]));
  return furthest;
}
