import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Mesh } from "../mesh/mesh.ts";
import { renderMeshImage } from "./mesh-image.ts";
import { readMesh } from "../mesh/read-mesh.ts";

const at = (image: Uint8ClampedArray, width: number, x: number, y: number) => [
  ...image.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
];

/** Two squares facing the front of the patient (-y): a small red one before a large blue one. */
const squares: Mesh = {
  positions: new Float32Array(
    [
      [1, -1],
      [2, 3],
    ].flatMap(([r, y]) => [-r, y, -r, r, y, -r, r, y, r, -r, y, r]),
  ),
  indices: new Uint32Array([0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]),
  colours: new Uint8Array([0, 0, 0, 0, 1, 1, 1, 1].flatMap((blue) => (blue ? [0, 0, 200] : [200, 0, 0]))),
};

describe("the image of a surface", () => {
  it("shows the nearer part in its colour and leaves the rest transparent", () => {
    const image = renderMeshImage(squares, { width: 40, height: 40, view: "front", jaw: null });
    const [red, , blue, alpha] = at(image, 40, 20, 20);
    expect([red > 100, blue, alpha]).toEqual([true, 0, 255]);
    expect(at(image, 40, 6, 20)[2]).toBeGreaterThan(100);
    expect(at(image, 40, 0, 0)).toEqual([0, 0, 0, 0]);
  });

  it("is transparent for a surface without triangles", () => {
    const none: Mesh = { positions: new Float32Array(0), indices: null, colours: null };
    expect(renderMeshImage(none, { width: 4, height: 4, view: "left", jaw: null }).every((value) => value === 0)).toBe(
      true,
    );
  });
});

const scan = join(process.env["ARCADA_TEST_DATA"] ?? "../shared/data", "ios-smartee/derived/case0-upper.stl");

describe.skipIf(!existsSync(scan))("the image of a real scan (ARCADA_TEST_DATA)", () => {
  it("fills its frame", () => {
    const mesh = readMesh(readFileSync(scan), "stl");
    const image = renderMeshImage(mesh, { width: 320, height: 240, view: "occlusal", jaw: "upper" });
    let covered = 0;
    for (let i = 3; i < image.length; i += 4) covered += image[i] > 0 ? 1 : 0;
    expect(covered / (320 * 240)).toBeGreaterThan(0.15);
  });
});
