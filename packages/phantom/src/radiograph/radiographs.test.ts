import dicomParser from "dicom-parser";
import { describe, expect, it } from "vitest";
import { createCephalogram, getCephLandmarks, getCephRulerEnds, cephSize } from "./cephalogram.ts";
import { createIntraoralRadiograph, intraoralSize, chooseRadiographTooth } from "./intraoral-radiograph.ts";
import { makeHead } from "../anatomy/head.ts";
import { createPanorama, panoramaSize } from "./panorama.ts";

const head = makeHead("test");
const patient = { id: "P1", name: "Zhang^Wei=张^伟", sex: "M", birthDate: "19850611" } as const;

const files = {
  PX: createPanorama(head, patient),
  DX: createCephalogram(head, patient),
  IO: createIntraoralRadiograph(head, patient),
};

function pixelsOf({ bytes }: { bytes: Uint8Array }): Uint16Array {
  const element = dicomParser.parseDicom(bytes).elements["x7fe00010"];
  return new Uint16Array(bytes.slice(element.dataOffset, element.dataOffset + element.length).buffer);
}

describe("generated X-rays", () => {
  const sizes = { PX: panoramaSize, DX: cephSize, IO: intraoralSize };

  it.each(["PX", "DX", "IO"] as const)(
    "are DICOM files of 12 bits with the spacing of their detector: %s",
    (modality) => {
      const read = dicomParser.parseDicom(files[modality].bytes);
      const { columns, rows, pixel, enlarged } = sizes[modality];
      expect(read.string("x00080060")).toBe(modality);
      expect([read.uint16("x00280011"), read.uint16("x00280010"), read.uint16("x00280101")]).toEqual([
        columns,
        rows,
        12,
      ]);
      expect(read.floatString("x00181164")).toBe(pixel);
      expect(read.floatString("x00181114")).toBe(enlarged);
      expect(read.elements["x7fe00010"].length).toBe(2 * columns * rows);
    },
  );

  it("of one visit belong to one study in three series", () => {
    const reads = Object.values(files).map(({ bytes }) => dicomParser.parseDicom(bytes));
    expect(new Set(reads.map((read) => read.string("x0020000d"))).size).toBe(1);
    expect(new Set(reads.map((read) => read.string("x0020000e"))).size).toBe(3);
  });

  it("use their whole range and clip little of it", () => {
    for (const values of Object.values(files).map(pixelsOf)) {
      const sorted = values.slice().sort();
      const part = (share: number) => sorted[Math.floor(share * (sorted.length - 1))];
      expect(part(0.99) - part(0.01)).toBeGreaterThan(1600);
      expect(values.filter((value) => value === 4095).length / values.length).toBeLessThan(0.01);
    }
  });
});

describe("the cephalogram's truth", () => {
  it("has a ruler with its marks at the stated positions", () => {
    const { from, to, length } = getCephRulerEnds();
    expect(((from.row - to.row) * cephSize.pixel) / cephSize.enlarged).toBeCloseTo(length, 6);
    const pixels = pixelsOf(files.DX);
    const at = (column: number, row: number) => pixels[Math.round(row) * cephSize.columns + Math.round(column)];
    for (const { column, row } of [from, to]) {
      expect(at(column, row)).toBeGreaterThan(2000);
      expect(at(column, row - 12)).toBeLessThan(1200);
    }
  });

  it("has landmarks with angles of a usual face", () => {
    const { S, N, A, B, ["U1 tip"]: upper, ["L1 tip"]: lower } = getCephLandmarks(head);
    const angle = (a: typeof S, b: typeof S, c: typeof S) => {
      const [first, second] = [a, c].map((end) => Math.atan2(end.row - b.row, end.column - b.column));
      const turn = (Math.abs(first - second) * 180) / Math.PI;
      return turn > 180 ? 360 - turn : turn;
    };
    expect(angle(S, N, A)).toBeGreaterThan(78);
    expect(angle(S, N, A)).toBeLessThan(86);
    expect(angle(S, N, B)).toBeGreaterThan(75);
    expect(angle(S, N, A)).toBeGreaterThan(angle(S, N, B));
    expect(upper.column).toBeGreaterThan(lower.column);
  });
});

describe("the intra-oral radiograph", () => {
  it("shows a filled tooth unless another is requested", () => {
    expect(chooseRadiographTooth(head).state).toBe("filled");
    expect(createIntraoralRadiograph(head, patient, {}, 31).name).toBe("IO31.dcm");
  });
});
