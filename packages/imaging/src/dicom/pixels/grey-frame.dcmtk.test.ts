import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rescaleValue } from "../../view/rescale-to-grey-values.ts";
import { toGrey16 } from "./grey16.ts";
import { decodeFrame, greyOf } from "./decode-frame.ts";
import { readDicom } from "../parse/read-dicom.ts";
import { present } from "@arcada/testing/require-present";

const data = process.env["ARCADA_TEST_DATA"] ?? "../shared/data";
const canCompare = existsSync(join(data, "dcm4che-img")) && hasDcmtk();

/**
 * Compares the viewer's value under the pointer with DCMTK's values of the same file: stored values and the modality
 * transformation.
 */
describe.skipIf(!canCompare)("the grey value under the pointer (ARCADA_TEST_DATA, DCMTK)", () => {
  it.each([
    "pano-dicom/pano-CR-ModalityLUT.dcm",
    "dcm4che-img/CT-JPEGLosslessSV1.dcm",
    "dcm4che-img/MR-JPEGLosslessSV1.dcm",
    "dcm4che-img/signed-raw-9bit.dcm",
    "dicom-syntaxes/files/MR_small.dcm",
  ])("equals DCMTK's at twenty points of %s", async (name) => {
    const file = readDicom(readFileSync(join(data, name)));
    const grey = toGrey16(greyOf(file, await decodeFrame(file, 0)));
    const truth = byDcmtk(join(data, name));
    for (let index = 0; index < 20; index++) {
      const at = (index * 7_368_787 + 12_345) % (grey.columns * grey.rows);
      const shown = rescaleValue({ valueScale: grey.scale, valueOffset: grey.offset }, grey.data[at]);
      expect([at, shown]).toEqual([at, truth(at)]);
    }
  });
});

function hasDcmtk(): boolean {
  try {
    return execFileSync("dcmdump", ["--version"]).includes("dcmtk");
  } catch {
    return false;
  }
}

function byDcmtk(path: string): (at: number) => number {
  const folder = mkdtempSync(join(tmpdir(), "arcada-dcmtk-"));
  try {
    const plain = join(folder, "plain.dcm");
    execFileSync("dcmdjpeg", [path, plain], { stdio: "ignore" });
    const words = execFileSync("dcmdump", ["+L", "+W", folder, plain], { encoding: "latin1", maxBuffer: 1 << 28 });
    const raw = readFileSync(join(folder, present(readdirSync(folder).find((one) => one.endsWith(".raw")))));
    const dumpedValue = (tag: string) => new RegExp(`^ *\\(${tag}\\) .. \\[?([^\\]#]*)`, "m").exec(words)?.[1]?.trim();
    const number = (tag: string, without: number) => Number(dumpedValue(tag) ?? without);
    const [allocated, stored] = [number("0028,0100", 16), number("0028,0101", 16)];
    // DCMTK prints values of VR OW in hexadecimal.
    const base = /\(0028,3006\) OW/.test(words) ? 16 : 10;
    const table = words.includes("(0028,3000)")
      ? present(dumpedValue("0028,3006"))
          .split("\\")
          .map((entry) => parseInt(entry, base))
      : null;
    const first = Number(dumpedValue("0028,3002")?.split("\\")[1] ?? 0);
    return (at) => {
      const word = allocated === 8 ? raw[at] : raw.readUInt16LE(at * 2);
      const low = word & (2 ** stored - 1);
      const value = number("0028,0103", 0) === 1 && low >= 2 ** (stored - 1) ? low - 2 ** stored : low;
      if (table) return table[Math.min(table.length - 1, Math.max(0, value - first))];
      return Number((value * number("0028,1053", 1) + number("0028,1052", 0)).toPrecision(12));
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
