import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createToneFunction } from "../../image/voi-window.ts";
import { toGreyFrame } from "./grey-frame.ts";
import { unifyScale, toGrey16 } from "./grey16.ts";
import { readDicomHeader } from "../parse/dicom-header.ts";
import { makeImageFixture } from "@arcada/testing/images/dicom-images";
import { readOverlay } from "./overlay.ts";
import { decodeFrame } from "./decode-frame.ts";
import { readDicom } from "../parse/read-dicom.ts";
import { renderFrame } from "./render-frame.ts";
import { scaleWindow } from "./read-voi.ts";
import type { DicomDataset } from "../write/write-dicom.ts";
import type { DicomFile } from "../parse/dicom-file.ts";
import { present } from "@arcada/testing/require-present";

const grey = async (change: DicomDataset, frame = 0) => {
  const file = makeImageFixture(change);
  return toGreyFrame(file, await decodeFrame(file, frame), frame);
};
const shades = async (change: DicomDataset) => [...(await renderFrame(makeImageFixture(change), 0)).data];
const window = (center: string, width: string): DicomDataset => [
  [0x00281050, "DS", center],
  [0x00281051, "DS", width],
];

describe("an image of a file", () => {
  it("is shown by the function that the file names", async () => {
    expect(await shades(window("350.5", "401"))).toEqual([0, 0, 32, 96, 159, 223, 255, 255]);
    expect(await shades([...window("350", "400"), [0x00281056, "CS", "LINEAR_EXACT"]])).toEqual([
      0, 0, 32, 96, 159, 223, 255, 255,
    ]);
    // 255 ÷ (1 + e^(−4 (x − 350) ÷ 400))
    expect(await shades([...window("350", "400"), [0x00281056, "CS", "SIGMOID"]])).toEqual([
      7, 19, 47, 96, 159, 208, 236, 248,
    ]);
  });

  it("is shown through its table, whose first and last entries continue outside", async () => {
    const table: DicomDataset = [
      [0x00283002, "US", [3, 200, 12]],
      [0x00283006, "US", [4095, 0, 819]],
    ];
    const steps = Uint16Array.of(0, 199, 200, 201, 202, 203, 400, 65535);
    expect(
      await shades([
        [0x00283010, "SQ", [table]],
        [0x7fe00010, "OW", steps],
      ]),
    ).toEqual([255, 255, 255, 0, 51, 51, 51, 51]);
  });

  it("keeps values between the whole ones where the slope is no whole number, and the window where it was", async () => {
    const fine = await grey([
      [0x00281053, "DS", "0.001"],
      [0x00281052, "DS", "-0.35"],
      ...window("0", "0.4"),
      [0x00281056, "CS", "LINEAR_EXACT"],
    ]);
    expect([...fine.data].map((value) => Number((value * fine.scale + fine.offset).toFixed(6)))).toEqual([
      -0.35, -0.25, -0.15, -0.05, 0.05, 0.15, 0.25, 0.35,
    ]);
    const tone = createToneFunction(fine.window);
    expect([...fine.data].map((value) => Math.round(tone(value)))).toEqual([0, 0, 32, 96, 159, 223, 255, 255]);
    const inValues = createToneFunction({ center: 20, width: 30 });
    const half = createToneFunction(scaleWindow({ center: 20, width: 30 }, { scale: 0.5, offset: -7 }));
    for (let value = -10; value < 60; value += 0.5) expect(half((value + 7) / 0.5)).toBeCloseTo(inValues(value), 9);
  });

  it("turns a slope below nothing round, so that higher data are higher values", async () => {
    const turned = await grey([
      [0x00281053, "DS", "-0.5"],
      [0x00281052, "DS", "10"],
    ]);
    expect(turned.scale).toBe(0.5);
    expect([...turned.data].map((value) => value * turned.scale + turned.offset)).toEqual([
      10, -40, -90, -140, -190, -240, -290, -340,
    ]);
  });

  it("of floating-point numbers keeps them to a 65,535th of their range, ignoring padding and non-numbers", async () => {
    const values = [0.25, -1.5, NaN, 3e38, 2.5, Infinity, 0, 1];
    for (const bits of [32, 64] as const) {
      const pixels = bits === 32 ? new Float32Array(values) : new Float64Array(values);
      const floats = await grey([
        [0x00280100, "US", bits],
        [0x7fe00010, "OW", null],
        bits === 32 ? [0x00280122, "FL", 3e38] : [0x00280123, "FD", 3e38],
        [bits === 32 ? 0x7fe00008 : 0x7fe00009, bits === 32 ? "OF" : "OD", new Uint8Array(pixels.buffer)],
      ]);
      const shown = [...floats.data].map((value) => value * floats.scale + floats.offset);
      for (const [at, value] of values.entries())
        if (Math.abs(value) < 10) expect(Math.abs(shown[at] - value)).toBeLessThan(4 / 65535);
      expect([shown[2], shown[3], shown[5]].map((value) => value <= 2.5001 && value >= -1.5001)).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  it("of whole floating point numbers has them exactly", async () => {
    const pixels = Float32Array.of(-3, 0, 1, 2, 30000, -30000, 7, 8);
    const floats = await grey([
      [0x00280100, "US", 32],
      [0x7fe00010, "OW", null],
      [0x7fe00008, "OF", new Uint8Array(pixels.buffer)],
    ]);
    expect([[...floats.data], floats.scale, floats.offset]).toEqual([[...pixels], 1, 0]);
  });

  it("that needs more than 16 bits is reduced for viewers and states its scale; frames share one", async () => {
    const wide = await grey([
      [0x00280100, "US", 32],
      [0x00280101, "US", 32],
      [0x00280102, "US", 31],
      [0x7fe00010, "OW", new Uint8Array(Uint32Array.of(0, 1, 70_000, 131_070, 5, 6, 7, 8).buffer)],
    ]);
    const thin = toGrey16(wide);
    expect([...thin.data].map((value) => value * thin.scale + thin.offset)).toEqual(
      [0, 0, 70_000, 131_070, 4, 6, 6, 8].map((value) => expect.closeTo(value, -1)),
    );
    const plain = toGrey16(await grey([]));
    const [one, two] = unifyScale([thin, plain]);
    expect([one?.scale, one?.offset]).toEqual([two?.scale, two?.offset]);
    expect([...two.data].map((value) => value * two.scale + two.offset)).toEqual(
      [0, 100, 200, 300, 400, 500, 600, 700].map((value) => expect.closeTo(value, -1)),
    );
  });
});

/** The file as another program codes it; null where that is not installed. */
function byDcmtk(program: string, bytes: Uint8Array): DicomFile | null {
  if (spawnSync("which", [program]).status !== 0) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-coded-"));
  try {
    writeFileSync(path.join(folder, "in"), bytes);
    execFileSync(program, [path.join(folder, "in"), path.join(folder, "out")]);
    return readDicom(new Uint8Array(readFileSync(path.join(folder, "out"))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("an overlay", () => {
  const overlay = (change: DicomDataset): DicomDataset => [
    [0x60000010, "US", 2],
    [0x60000011, "US", 4],
    [0x60000040, "CS", "G"],
    [0x60000050, "SS", [1, 1]],
    [0x60000100, "US", 1],
    [0x60000102, "US", 0],
    ...change,
  ];

  it("is placed at its origin, also over the edge, and is white in the image", async () => {
    const file = makeImageFixture([
      ...window("350", "4000"),
      ...overlay([[0x60003000, "OW", Uint16Array.of(0b1001_0001)]]).map((element): DicomDataset[number] =>
        element[0] === 0x60000050 ? [0x60000050, "SS", [0, 2]] : element,
      ),
    ]);
    // The overlay's second row, one column further to the right, is the image's first.
    expect([...present(readOverlay(file, 0))]).toEqual([0, 1, 0, 0, 0, 0, 0, 0]);
    expect((await renderFrame(file, 0)).data[1]).toBe(255);
  });

  it("in bits that no value uses is not in the values", async () => {
    const file = makeImageFixture([
      ...window("2", "5"),
      ...overlay([]).map((element): DicomDataset[number] =>
        element[0] === 0x60000100
          ? [0x60000100, "US", 16]
          : element[0] === 0x60000102
            ? [0x60000102, "US", 12]
            : element,
      ),
      [0x00280101, "US", 12],
      [0x00280102, "US", 11],
      [0x7fe00010, "OW", Uint16Array.of(0x1000, 1, 2, 3, 0x0004, 0x1005, 6, 7)],
    ]);
    expect([...toGreyFrame(file, await decodeFrame(file, 0)).data]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...present(readOverlay(file, 0))]).toEqual([1, 0, 0, 0, 0, 1, 0, 0]);
    expect(readDicomHeader(file).hasOverlay).toBe(true);
    const coded = byDcmtk("dcmcrle", file.dataSet.byteArray);
    if (!coded) return;
    expect(coded.transferSyntax).toBe("1.2.840.10008.1.2.5");
    expect([...toGreyFrame(coded, await decodeFrame(coded, 0)).data]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...present(readOverlay(coded, 0))]).toEqual([1, 0, 0, 0, 0, 1, 0, 0]);
  });

  it("of several frames belongs to those from its origin on; without a number of frames to all", () => {
    const frames = (change: DicomDataset) =>
      makeImageFixture([
        [0x00280008, "IS", "3"],
        [0x7fe00010, "OW", new Uint16Array(24)],
        ...overlay([[0x60003000, "OW", Uint16Array.of(0b0000_0010_0000_0001)], ...change]),
      ]);
    const two = frames([
      [0x60000015, "IS", "2"],
      [0x60000051, "US", 2],
    ]);
    expect([0, 1, 2].map((frame) => readOverlay(two, frame)?.indexOf(1) ?? null)).toEqual([null, 0, 1]);
    const one = frames([]);
    expect([0, 1, 2].map((frame) => readOverlay(one, frame)?.indexOf(1))).toEqual([0, 0, 0]);
  });

  it("that is cut short, or empty, is none", () => {
    expect(readOverlay(makeImageFixture(overlay([])), 0)).toBeNull();
    const short = overlay([[0x60003000, "OW", Uint16Array.of(0xffff)]]).map((element): DicomDataset[number] =>
      element[0] === 0x60000010 ? [0x60000010, "US", 60000] : element,
    );
    expect(readOverlay(makeImageFixture(short), 0)).toBeNull();
  });
});
