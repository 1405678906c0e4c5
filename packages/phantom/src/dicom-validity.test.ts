import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createCbctFiles } from "./cbct/cbct.ts";
import { createCephalogram } from "./radiograph/cephalogram.ts";
import { createIntraoralRadiograph } from "./radiograph/intraoral-radiograph.ts";
import { makeHead } from "./anatomy/head.ts";
import { createPanorama } from "./radiograph/panorama.ts";
import type { PhantomPatient } from "./phantom-study.ts";

const head = makeHead("valid");
const patient: PhantomPatient = { id: "1", name: "Zhang^Wei=张^伟", sex: "M", birthDate: "19900102" };

const images = {
  panorama: () => createPanorama(head, patient).bytes,
  cephalogram: () => createCephalogram(head, patient).bytes,
  film: () => createIntraoralRadiograph(head, patient).bytes,
  "slice of a CBCT": () => {
    const size = { columns: 32, rows: 32, slices: 4, voxel: 4 };
    for (const { bytes } of createCbctFiles(head, patient, { size })) return bytes;
    throw new Error("no slice");
  },
};

const folder = mkdtempSync(join(tmpdir(), "arcada-valid-"));
afterAll(() => rmSync(folder, { recursive: true }));

const isHere = spawnSync("dciodvfy", ["-version"]).error === undefined;

describe.skipIf(!isHere)("a generated image (dciodvfy of dicom3tools)", { timeout: 120_000 }, () => {
  it.each(Object.entries(images))("is DICOM without an error: %s", (_, make) => {
    const place = join(folder, "made.dcm");
    writeFileSync(place, make());
    const said = spawnSync("dciodvfy", ["-new", place], { encoding: "utf8" }).stderr;
    expect(said).not.toBe("");
    expect(said.split("\n").filter((line) => line.startsWith("Error"))).toEqual([]);
    // The tool's list of coding schemes is older than ISO 3950 in PS3.16 table 8-1.
    expect(said.split("\n").filter((line) => line.startsWith("Warning") && !line.includes("<ISO3950>"))).toEqual([]);
  });
});
