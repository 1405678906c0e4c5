import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { readOverlay } from "../pixels/overlay.ts";
import { writePresentationState } from "./write-presentation-state.ts";
import { resolvePresentation } from "./presentation-state.ts";
import { readDicom } from "../parse/read-dicom.ts";
import { renderFrame } from "../pixels/render-frame.ts";
import { writeDicom, type DicomDataset } from "../write/write-dicom.ts";
import { present } from "@arcada/testing/require-present";

const [columns, rows, sopClass] = [64, 64, "1.2.840.10008.5.1.4.1.1.1.1"];
const identity: DicomDataset = [
  [0x00100010, "PN", "Wang^Li"],
  [0x00100020, "LO", "7"],
  [0x00100030, "DA", "19900101"],
  [0x00100040, "CS", "F"],
  [0x0020000d, "UI", "1.2.3"],
  [0x00080020, "DA", "20260102"],
  [0x00080030, "TM", "101112"],
  [0x00080050, "SH", null],
  [0x00080090, "PN", null],
  [0x00200010, "SH", null],
];
/** Every value of 12 bits once. */
const imageBytes = writeDicom(
  [
    ...identity,
    [0x00080060, "CS", "DX"],
    [0x0020000e, "UI", "1.2.3.4"],
    [0x00280002, "US", 1],
    [0x00280004, "CS", "MONOCHROME2"],
    [0x00280010, "US", rows],
    [0x00280011, "US", columns],
    [0x00280100, "US", 16],
    [0x00280101, "US", 12],
    [0x00280102, "US", 11],
    [0x00280103, "US", 0],
    [0x7fe00010, "OW", Uint16Array.from({ length: columns * rows }, (_, value) => value)],
  ],
  { sopClassUid: sopClass, sopInstanceUid: "1.2.3.4.5" },
);
const state = writePresentationState({
  identity,
  image: { sopClass, sopInstance: "1.2.3.4.5", series: "1.2.3.4", columns, rows },
  uid: { series: "1.2.3.6", instance: "1.2.3.6.1" },
  window: { center: 2000, width: 1500 },
  inverted: false,
  turns: 0,
  mirrored: false,
  graphics: [],
  creator: "Dr. Li",
  at: new Date("2026-01-02T03:04:05Z"),
});

const isInstalled = ["dcmodify", "dcmp2pgm"].every((name) => spawnSync("which", [name]).status === 0);
it.skipIf(!isInstalled)("a presentation table darkens an image as DCMTK shows it", async ({ onTestFinished }) => {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-table-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [image, states, shown] = ["image.dcm", "state.dcm", "shown.pgm"].map((name) => path.join(folder, name));
  writeFileSync(image, imageBytes);
  writeFileSync(states, state);
  const shades = Array.from({ length: 256 }, (_, at) => Math.round(255 * (at / 255) ** 2));
  const table = shades.map((shade) => shade.toString(16).padStart(4, "0")).join("\\");
  const item = "(2050,0010)[0]";
  const change = ["-e", "(2050,0020)", "-i", `${item}.(0028,3002)=256\\0\\8`, "-i", `${item}.(0028,3006)=${table}`];
  execFileSync("dcmodify", ["-nb", ...change, states]);
  execFileSync("dcmp2pgm", ["-p", states, image, shown]);
  const file = readDicom(imageBytes);
  const { presentation } = present(resolvePresentation([readDicom(readFileSync(states))], file));
  expect(presentation).toMatchObject({ notApplied: [], inverted: false });
  const ours = (await renderFrame(file, 0, presentation.window)).data;
  const theirs = readFileSync(shown).subarray(-ours.length);
  // DCMTK truncates values that we round, at both tables.
  const differences = ours.map((shade, at) => Math.abs(shade - theirs[at]));
  expect(Math.max(...differences)).toBeLessThanOrEqual(2);
  expect(Math.max(...ours) - Math.min(...ours)).toBe(255);
});

it("a shutter that is a bitmap is named, and drawn no more than compound graphics are", () => {
  const about: DicomDataset = [[0x00081140, "SQ", [[[0x00081155, "UI", "1.2.3.4.5"]]]]];
  const made = readDicom(
    writeDicom(
      [
        [0x00081115, "SQ", [about]],
        [0x00181600, "CS", "BITMAP"],
        [0x00181623, "US", 0x6002],
        [0x00700001, "SQ", [[...about, [0x00700209, "SQ", [[[0x00700294, "CS", "RULER"]]]]]]],
        [0x60020010, "US", rows],
        [0x60020011, "US", columns],
        [0x60020050, "SS", [1, 1]],
        [0x60020100, "US", 1],
        [0x60020102, "US", 0],
        [0x60023000, "OW", new Uint16Array((columns * rows) / 16).fill(0xffff)],
      ],
      { sopClassUid: "1.2.840.10008.5.1.4.1.1.11.1", sopInstanceUid: "1.2.3.6.2" },
    ),
  );
  const found = present(resolvePresentation([made], readDicom(imageBytes)));
  expect(found.presentation.notApplied).toEqual(["graphics", "shutter"]);
  expect(readOverlay(made, 0, { rows, columns })).toBeNull();
});
