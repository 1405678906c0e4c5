import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { MeshoptDecoder } from "meshoptimizer/decoder";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { MeshoptSimplifier } from "meshoptimizer/simplifier";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCoarseGlb } from "@arcada/imaging/surface/coarse-copy";
import { readGlb, type GlbMesh } from "@arcada/imaging/mesh/read-glb";
import { convertSrgbToLinear } from "@arcada/imaging/mesh/srgb-to-linear";
import { countTriangles, computeEnclosedVolume, weld, type Mesh } from "@arcada/imaging/mesh/mesh";
import { readMesh } from "@arcada/imaging/mesh/read-mesh";
import { writePly, writeStl } from "@arcada/imaging/mesh/write-mesh";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { convertModel } from "./convert-model.ts";
import { makeCoarseCopy } from "./make-coarse-copies.ts";
import { present } from "@arcada/testing/require-present";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-models-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => MeshoptDecoder.ready);
const scan = createArchScan(makeHead("light copy"), "lower");

async function light(bytes: Uint8Array, format: "stl" | "ply") {
  const file = path.join(folder, `scan.${format}`);
  writeFileSync(file, bytes);
  const made = await convertModel({ path: file, format, jaw: "lower", materials: [] }, folder);
  if (made.did !== "model") throw new Error(made.did);
  return { error: present(made.info.glbError, "glbError"), bytes: new Uint8Array(readFileSync(made.glb.path)) };
}

/** For each vertex of a scan, finds the nearest vertex of its streaming copy, in mm; their orders differ. */
function farthest(of: Float32Array, from: Float32Array): number {
  const cells = Map.groupBy(
    Array.from({ length: from.length / 3 }, (_, at) => at),
    (at) => cellOf(from, at, [0, 0, 0]),
  );
  let worst = 0;
  for (let at = 0; at < of.length / 3; at++) {
    const near = neighbours.flatMap((step) => cells.get(cellOf(of, at, step)) ?? []);
    const distances = near.map((other) => Math.hypot(...[0, 1, 2].map((i) => of[3 * at + i] - from[3 * other + i])));
    worst = Math.max(worst, Math.min(...distances));
  }
  return worst;
}
const around = [-1, 0, 1];
const neighbours = around.flatMap((x) => around.flatMap((y) => around.map((z) => [x, y, z])));
const cellOf = (points: Float32Array, at: number, step: number[]): string =>
  step.map((by, i) => Math.floor(points[3 * at + i] / 0.25) + by).join();

describe("the streaming copy of a scan", () => {
  it("keeps every triangle, no vertex farther off than stated, and a twelfth of the bytes", async () => {
    const original = writeStl(scan);
    const { bytes, error } = await light(original, "stl");
    const back = readGlb(bytes, MeshoptDecoder);
    expect(error).toBeLessThan(0.005);
    expect(computeEnclosedVolume(back as Mesh) / computeEnclosedVolume(scan)).toBeCloseTo(1, 3);
    expect(countTriangles(back as Mesh)).toBe(countTriangles(weld(scan)));
    expect(farthest(weld(readMesh(original, "stl")).positions, back.positions)).toBeLessThanOrEqual(error + 1e-6);
    expect(original.length / bytes.length).toBeGreaterThan(12);
  });

  it("keeps a scan's colours exactly, as linear light", async () => {
    const { bytes } = await light(writePly(scan), "ply");
    const { indices, colours } = readGlb(bytes, MeshoptDecoder);
    // Vertices of no triangle are left out.
    const seen = (from: Uint16Array, by: Uint32Array) =>
      [...new Set(by)].map((at) => from.subarray(3 * at, 3 * at + 3).join()).toSorted();
    expect(seen(present(colours), indices)).toEqual(
      seen(convertSrgbToLinear(present(scan.colours, "colours")), present(scan.indices, "indices")),
    );
  });

  it("is the same file whenever it is made, and none once it is cut", async () => {
    const [{ bytes }, again] = [await light(writeStl(scan), "stl"), await light(writeStl(scan), "stl")];
    expect(Buffer.compare(bytes, again.bytes)).toBe(0);
    expect(() => readGlb(bytes.subarray(0, bytes.length - 40), MeshoptDecoder)).toThrow("truncated");
    expect(() => readGlb(bytes.fill(0xff, 200, 2000), MeshoptDecoder)).toThrow("notMesh");
  });
});

/** The coarse copy of a sphere around the origin. */
async function makeCoarseSphere(radius: number, steps: number) {
  const file = path.join(folder, "sphere.glb");
  const streaming = (await light(writeStl(createSphereMesh([0, 0, 0], radius, steps)), "stl")).bytes;
  writeFileSync(file, streaming);
  const { bytes, error } = present(await makeCoarseCopy(file, streaming.length), "coarse copy");
  return { error, bytes: bytes.length, mesh: readGlb(bytes, MeshoptDecoder) };
}

/** The greatest depth of a triangle's middle inside a sphere around the origin, in mm. */
function measureDepth({ positions, indices }: GlbMesh, radius: number): number {
  let deepest = 0;
  for (let at = 0; at < indices.length; at += 3) {
    const middle = [0, 1, 2].map(
      (axis) => [0, 1, 2].reduce((sum, corner) => sum + positions[3 * indices[at + corner] + axis], 0) / 3,
    );
    deepest = Math.max(deepest, radius - Math.hypot(...middle));
  }
  return deepest;
}

/** Triangles of half a square millimetre, each by itself. */
function scatterTriangles(count: number): GlbMesh {
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  const positions = Float32Array.from(
    { length: 9 * count },
    (_, at) => corners[at % 9] + 2 * (Math.floor(at / 9 / 80 ** (at % 3)) % 80),
  );
  return { positions, indices: Uint32Array.from({ length: 3 * count }, (_, at) => at), colours: null };
}

describe("the coarse copy of a scan", () => {
  it("has a quarter of a million triangles in less than 1.5 MB, none farther off than stated", async () => {
    const { error, bytes, mesh } = await makeCoarseSphere(20, 640);
    const triangles = countTriangles(mesh as Mesh);
    expect(triangles).toBeGreaterThan(200_000);
    expect(triangles).toBeLessThanOrEqual(250_000);
    expect(bytes).toBeLessThan(1_500_000);
    expect(error).toBeLessThan(0.05);
    expect(measureDepth(mesh, 20)).toBeLessThanOrEqual(error);
  });

  it("is tried again if its streaming copy cannot be read at present", async () => {
    await expect(makeCoarseCopy(path.join(folder, "nothing.glb"), 1)).rejects.toThrow("ENOENT");
  });

  it("is not made of a surface that would lose its shape", async () => {
    await MeshoptSimplifier.ready;
    expect(writeCoarseGlb(scatterTriangles(510_000), MeshoptEncoder, MeshoptSimplifier)).toBeNull();
  });
});
