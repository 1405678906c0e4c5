import { describe, expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import { findDesignPlace, readConstructionInfo } from "./read-construction-info.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const matrixXml = (values: readonly (number | string)[]): string =>
  values.map((value, at) => `<_${Math.floor(at / 4)}${at % 4}>${value}</_${Math.floor(at / 4)}${at % 4}>`).join("");
const scan = (name: string, values?: readonly (number | string)[]): string =>
  `<ScanFile><FileName>${name}</FileName>${values ? `<TransformationMatrix>${matrixXml(values)}</TransformationMatrix>` : ""}</ScanFile>`;
const info = (scans: string, teeth = ""): Uint8Array =>
  utf8(`<ConstructionInfo><ScanFiles>${scans}</ScanFiles><Teeth>${teeth}</Teeth></ConstructionInfo>`);
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** A quarter turn about the third axis, then a step of 10, 20 and 30 mm. */
const moved = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1];

describe("a construction info", () => {
  it("gives scans by their file names, with the teeth and the matrix that are figures", () => {
    const part = "<PartType>PreparationScan</PartType><ToothNumbers><int>16</int><int>99</int></ToothNumbers>";
    const { scans } = readConstructionInfo(
      info(
        scan("C:\\Data\\case\\case-upperjaw.stl", moved).replace("</ScanFile>", `${part}</ScanFile>`) +
          scan("b.stl", ["x"]),
      ),
    );
    expect(scans).toEqual([
      { fileName: "case-upperjaw.stl", part: "PreparationScan", teeth: [16], matrix: moved },
      { fileName: "b.stl", part: null, teeth: [], matrix: null },
    ]);
  });

  it("gives margin lines, and drops those with a point that is no figure", () => {
    const point = (x: string) => `<Vec3><x>${x}</x><y>2</y><z>-1.5e1</z></Vec3>`;
    const tooth = (number: number, second: string) =>
      `<Tooth><Number>${number}</Number><Margin>${point("1") + point(second) + point("3")}</Margin></Tooth>`;
    expect(readConstructionInfo(info("", tooth(16, "2") + tooth(17, "NaN"))).margins).toEqual([
      { tooth: 16, points: [1, 2, 3].map((x) => [x, 2, -15]) },
    ]);
  });

  it("is refused for being another kind of file", () => {
    expect(() => readConstructionInfo(utf8("<Treatment/>"))).toThrow(expect.objectContaining({ problem: "notExocad" }));
  });
});

describe("the place of a returned design", () => {
  const placeOf = (scans: string) => findDesignPlace(readConstructionInfo(info(scans)));

  it("is on the scans if none was moved", () => {
    expect(placeOf(scan("a.stl", identity) + scan("b.stl"))).toEqual({ alignment: "same", toScans: null });
  });

  it("is found again by the inverse of a movement that all scans share", () => {
    const { alignment, toScans } = placeOf(scan("a.stl", moved) + scan("b.stl", moved));
    expect(alignment).toBe("moved");
    // A point of the scan at 1, 2, 3 lies at 8, 21, 33 in the scene.
    const [x, y, z] = [0, 1, 2].map(
      (at) =>
        8 * present(present(toScans)[at]) +
        21 * present(present(toScans)[4 + at]) +
        33 * present(present(toScans)[8 + at]) +
        present(present(toScans)[12 + at]),
    );
    expect([x, y, z]).toEqual([1, 2, 3]);
  });

  it("is not concluded from scans that moved differently, nor from a matrix that deforms", () => {
    expect(placeOf(scan("a.stl", moved) + scan("b.stl", identity)).alignment).toBe("apart");
    expect(placeOf(scan("a.stl", identity.with(0, 2))).alignment).toBe("apart");
  });
});
