import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decodeFrame, greyOf } from "@arcada/imaging/dicom/pixels/decode-frame";
import { resolvePresentation } from "@arcada/imaging/dicom/presentation/presentation-state";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { scaleWindow } from "@arcada/imaging/dicom/pixels/read-voi";
import { toGrey8 } from "@arcada/imaging/image/voi-window";
import { createSyntheticImages } from "./synthetic-images.ts";
import { hasDcmtk } from "./reference-pixels.ts";
import { present } from "@arcada/testing/require-present";

const folder = mkdtempSync(join(tmpdir(), "arcada-presentation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string) => join(folder, name);
const run = (program: string, ...options: string[]) =>
  execFileSync(program, options, { cwd: folder, stdio: "ignore", timeout: 60_000 });
const readFile = (name: string) => readDicom(new Uint8Array(readFileSync(inFolder(name))));

// The attributes that DCMTK requires in an image before it makes a presentation state for it.
const requiredElements = [
  "(0010,0020)=1",
  "(0010,0010)=A",
  "(0020,000d)=1.2.3",
  "(0020,000e)=1.2.3.4",
  "(0008,0060)=OT",
];

async function renderOurs(): Promise<Uint8Array> {
  const image = readFile("picture.dcm");
  const { presentation } = present(resolvePresentation([readFile("state.dcm")], image));
  const grey = greyOf(image, await decodeFrame(image, 0));
  const window = presentation.window ? scaleWindow(presentation.window, grey) : grey.window;
  return toGrey8(grey, { ...window, inverted: presentation.inverted ?? grey.inverted });
}

describe.skipIf(!hasDcmtk())("an image with a presentation state made by DCMTK", () => {
  it.each(["linear.dcm", "table.dcm", "inverted.dcm", "slope-of-a-half.dcm"])(
    "is within one shade of DCMTK's: %s, upright and inverse",
    async (name) => {
      writeFileSync(inFolder("picture.dcm"), present(createSyntheticImages().find((made) => made.name === name)).bytes);
      for (const element of requiredElements) run("dcmodify", "-nb", "-i", element, "picture.dcm");
      run("dcmpsmk", "picture.dcm", "state.dcm");
      if (name !== "table.dcm") run("dcmodify", "-nb", "-m", "(0028,3110)[0].(0028,1050)=1300", "state.dcm");
      for (const shape of ["IDENTITY", "INVERSE"]) {
        run("dcmodify", "-nb", "-m", `(2050,0020)=${shape}`, "state.dcm");
        run("dcmp2pgm", "-p", "state.dcm", "picture.dcm", "shown.pgm");
        const shades = await renderOurs();
        const theirs = readFileSync(inFolder("shown.pgm")).subarray(-shades.length);
        const furthest = shades.reduce((far, shade, place) => Math.max(far, Math.abs(shade - theirs[place])), 0);
        expect([shape, furthest]).toEqual([shape, expect.toSatisfy((far: number) => far <= 1)]);
      }
    },
  );
});
