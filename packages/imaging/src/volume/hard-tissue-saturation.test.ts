import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDicom } from "../dicom/parse/read-dicom.ts";
import { createToneFunction, type VoiWindow } from "../image/voi-window.ts";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { defaultStudy } from "@arcada/phantom/phantom-study";
import type { Volume } from "./volume.ts";
import { readDicomHeader } from "../dicom/parse/dicom-header.ts";
import { saturatesHardTissue } from "./hard-tissue-saturation.ts";
import { buildVolume } from "./build-volume.ts";
import { present } from "@arcada/testing/require-present";

const softTissue: VoiWindow = { center: 40, width: 400 };
const size = { columns: 64, rows: 64, slices: 40, voxel: 2.4 };
const person = { id: "1", name: "Head^Drawn", sex: "O", birthDate: "19700101" } as const;

/** Generates a head whose files name this window, in text of the same length as the generated "900" and "3600". */
async function drawn(center: string, width: string): Promise<Volume> {
  const files = [...createCbctFiles(makeHead("burnt"), person, { size, study: defaultStudy })].map(({ bytes }) =>
    renamed(renamed(bytes, 0x1050, center.padEnd(4)), 0x1051, width.padEnd(4)),
  );
  return buildVolume(files.map((bytes) => readDicom(bytes)));
}

/** The bytes with another text in an element of group 0028, explicit little endian, four characters long. */
function renamed(bytes: Uint8Array, element: number, text: string): Uint8Array {
  const out = bytes.slice();
  const tag = [0x28, 0x00, element & 0xff, element >> 8, 0x44, 0x53, 4, 0];
  const at = out.findIndex((_, from) => tag.every((byte, offset) => out[from + offset] === byte));
  expect(at).toBeGreaterThan(0);
  out.set(new TextEncoder().encode(text), at + tag.length);
  return out;
}

describe("the first window of a volume", () => {
  it("differs from the file's if that one shows bone and teeth as one white", async () => {
    const { info } = await drawn("40", "400");
    expect(info.fileWindow).toEqual(softTissue);
    const tone = createToneFunction(info.window);
    // Dentine and enamel of the drawn head.
    expect(tone(2100) - tone(1400)).toBeGreaterThan(25);
    expect(tone(1400)).toBeLessThan(230);
  });

  it("is the file's if bone and teeth are distinguishable in it", async () => {
    for (const [center, width] of [
      ["900", "3600"],
      ["1000", "3000"],
    ] as const) {
      const { info } = await drawn(center, width);
      expect(info.window).toMatchObject({ center: Number(center), width: Number(width) });
      expect(info.fileWindow).toBeUndefined();
    }
  });

  it("burns nothing out of values that hold no class of their own", () => {
    expect(saturatesHardTissue(softTissue, new Int32Array(1000).fill(500))).toBe(false);
  });
});

const folder = join(process.env["ARCADA_TEST_DATA"] ?? "../shared/data", "ct-skull-phantom/Philips/S21570/S2030");

describe.skipIf(!existsSync(folder))("a real head (ARCADA_TEST_DATA)", () => {
  it("is not opened by a window of soft tissue, and is by one of bone", { timeout: 60_000 }, async () => {
    const files = readdirSync(folder)
      .filter((name) => /^I\d+$/.test(name))
      .map((name) => readDicom(readFileSync(join(folder, name))))
      .toSorted(
        (a, b) =>
          present(readDicomHeader(a).imagePosition, "imagePosition")[2] -
          present(readDicomHeader(b).imagePosition, "imagePosition")[2],
      );
    const { info, data } = await buildVolume(files);
    // Its own window is for bone.
    expect([info.window, info.fileWindow]).toEqual([{ center: 900, width: 2500 }, undefined]);
    const values = Int32Array.from(data.filter((_, at) => at % 97 === 0));
    expect(saturatesHardTissue(softTissue, values)).toBe(true);
    expect(saturatesHardTissue(info.window, values)).toBe(false);
  });
});
