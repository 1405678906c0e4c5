import dicomParser from "dicom-parser";
import { describe, expect, it } from "vitest";
import { createCbctFiles, getCbctOrigin, createCbctVolume, type CbctSize } from "./cbct.ts";
import { makeHead } from "../anatomy/head.ts";
import { materialGreyValues } from "./grey-values.ts";
import { present } from "@arcada/testing/require-present";

const size: CbctSize = { columns: 128, rows: 128, slices: 80, voxel: 1.2 };
const head = makeHead("test");
const volume = createCbctVolume(head, size);
const greyAt = ([x, y, z]: readonly number[]) => {
  const [column, row, slice] = [x, y, z].map((value, axis) => Math.round((value - volume.origin[axis]) / size.voxel));
  return volume.data[(slice * size.rows + row) * size.columns + column];
};

describe("a generated head", () => {
  it("has one crown, one implant and a tooth for every FDI number", () => {
    const states = head.teeth.map((tooth) => tooth.state);
    expect(new Set(head.teeth.map((tooth) => tooth.fdi)).size).toBe(32);
    expect(states.filter((state) => state === "crowned")).toHaveLength(1);
    expect(head.implants).toHaveLength(1);
    expect(states).toContain("missing");
  });

  it("is in LPS: 11 to the right, 36 to the left and behind 31, upper teeth above", () => {
    const neck = (fdi: number) => present(head.teeth.find((tooth) => tooth.fdi === fdi)).neck;
    expect(neck(11)[0]).toBeLessThan(0);
    expect(neck(36)[0]).toBeGreaterThan(20);
    expect(neck(36)[1]).toBeGreaterThan(neck(31)[1] + 15);
    expect(neck(16)[2]).toBeGreaterThan(neck(46)[2] + 8);
  });

  it("has teeth whose axes are of length 1 and perpendicular to each other", () => {
    for (const { axes } of head.teeth) {
      const { mesial, buccal, crown } = axes;
      for (const [a, b, product] of [
        [mesial, mesial, 1],
        [buccal, buccal, 1],
        [crown, crown, 1],
        [mesial, buccal, 0],
        [buccal, crown, 0],
        [crown, mesial, 0],
      ] as const) {
        expect(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]).toBeCloseTo(product, 9);
      }
    }
  });
});

describe("a generated CBCT", () => {
  it("shows enamel, canal and air where the head has them", () => {
    const sound = head.teeth.filter((tooth) => tooth.state === "sound" && tooth.fdi % 10 < 8);
    expect(sound.length).toBeGreaterThan(15);
    for (const { neck, axes, shape } of sound) {
      const inCrown = neck.map((value, axis) => value + axes.crown[axis] * shape.crown * 0.6);
      expect(greyAt(inCrown)).toBeGreaterThan(1000);
    }
    for (const canal of [head.canals.left, head.canals.right]) {
      const mean = canal.slice(20, 50).reduce((sum, point) => sum + greyAt(point), 0) / 30;
      expect(mean).toBeLessThan(450);
    }
    expect(greyAt([0, 42, -20])).toBeLessThan(-700);
    expect(
      greyAt(head.implants[0].apex.map((value, axis) => (value + head.implants[0].head[axis]) / 2)),
    ).toBeGreaterThan(materialGreyValues.enamel);
  });

  it("is the same for the same seed and another for another", () => {
    const small = { columns: 24, rows: 24, slices: 4, voxel: 5 };
    expect(createCbctVolume(makeHead("test"), small).data).toEqual(createCbctVolume(head, small).data);
    expect(createCbctVolume(makeHead("other"), small).data).not.toEqual(createCbctVolume(head, small).data);
  });

  it("is one series of DICOM files whose positions are those of the volume", () => {
    const tiny = { columns: 32, rows: 32, slices: 5, voxel: 4 };
    const patient = { id: "P1", name: "Zhang^Wei=张^伟", sex: "M", birthDate: "19850611" } as const;
    const files = [...createCbctFiles(head, patient, { size: tiny })].map(({ bytes }) => dicomParser.parseDicom(bytes));
    expect(files).toHaveLength(5);
    expect(new Set(files.map((file) => file.string("x0020000e"))).size).toBe(1);
    expect(new Set(files.map((file) => file.string("x00080018"))).size).toBe(5);
    const [x, y, z] = getCbctOrigin(tiny);
    files.forEach((file, i) => {
      expect([0, 1, 2].map((axis) => file.floatString("x00200032", axis))).toEqual([x, y, z + 4 * i]);
    });
    const pixels = files[2].elements["x7fe00010"];
    const expected = createCbctVolume(head, tiny).data.subarray(2 * 1024, 3 * 1024);
    const bytes = files[2].byteArray.slice(pixels.dataOffset, pixels.dataOffset + pixels.length);
    expect(new Int16Array(bytes.buffer)).toEqual(expected);
  });
});
