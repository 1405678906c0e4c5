import { computeEnclosedVolume, type Mesh } from "@arcada/imaging/mesh/mesh";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { ConnectedComponents } from "@arcada/imaging/surface/voxel-connected-components";
import { IsosurfaceBuilder } from "@arcada/imaging/surface/isosurface-builder";
import { smoothMesh } from "@arcada/imaging/surface/smooth-mesh";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import { MeshoptSimplifier } from "three/addons/libs/meshopt_simplifier.module.js";

export interface SurfaceOptions {
  /** The geometry of the voxels that are sent. */
  geometry: VolumeGeometry;
  /** Grey value as stored. */
  threshold: number;
  isLargestOnly: boolean;
  smoothing: number;
  maxTriangles: number;
  /** A file, or the data needed to register another surface with it. */
  as: "stl" | "mesh";
}

/** The page sends the plan, then the requested slices. */
export type SurfaceMessage = { plan: SurfaceOptions } | { values: Int16Array<ArrayBuffer> };
export type SurfaceResult =
  | { wanted: { from: number; to: number }; part: number }
  | { stl: Uint8Array<ArrayBuffer>; triangles: number; volume: number }
  | { mesh: { positions: Float32Array<ArrayBuffer>; indices: Uint32Array<ArrayBuffer> } }
  | { isEmpty: true };

const slicesPerRequest = 8;
let receiveSlices: ((values: Int16Array) => void) | null = null;

self.addEventListener("message", ({ data }: MessageEvent<SurfaceMessage>) => {
  if ("plan" in data) void extract(data.plan);
  else receiveSlices?.(data.values);
});

const post = (answer: SurfaceResult, transfer: Transferable[] = []): void => self.postMessage(answer, { transfer });

async function extract(plan: SurfaceOptions): Promise<void> {
  const made = await buildSurface(plan);
  if (!made.indices || made.indices.length === 0) return post({ isEmpty: true });
  const mesh = await simplify(smoothMesh(made, plan.smoothing), plan.maxTriangles);
  if (plan.as === "mesh") {
    const [positions, indices] = [Float32Array.from(mesh.positions), Uint32Array.from(mesh.indices ?? [])];
    return post({ mesh: { positions, indices } }, [positions.buffer, indices.buffer]);
  }
  const stl = writeStl(mesh, "Arcada surface, patient LPS, mm");
  const triangles = (mesh.indices?.length ?? 0) / 3;
  post({ stl, triangles, volume: computeEnclosedVolume(mesh) }, [stl.buffer]);
}

async function buildSurface({ geometry, threshold, isLargestOnly }: SurfaceOptions): Promise<Mesh> {
  const { columns, rows } = geometry;
  const passes = isLargestOnly ? 2 : 1;
  const bodies = new ConnectedComponents(columns, rows, threshold);
  if (isLargestOnly) await forEachSlice(geometry, 0, passes, (_, values) => bodies.addSlice(values));
  const largest = isLargestOnly ? bodies.findLargest() : -1;
  const surface = new IsosurfaceBuilder(geometry, threshold);
  await forEachSlice(geometry, passes - 1, passes, (slice, values) =>
    surface.addSlice(values, isLargestOnly ? bodies.getSliceMask(slice, largest) : undefined),
  );
  return surface.finish();
}

async function forEachSlice(
  { columns, rows, slices }: VolumeGeometry,
  pass: number,
  passes: number,
  visit: (slice: number, values: Int16Array) => void,
): Promise<void> {
  const size = columns * rows;
  for (let from = 0; from < slices; from += slicesPerRequest) {
    const to = Math.min(slices, from + slicesPerRequest);
    const values = await new Promise<Int16Array>((resolve) => {
      receiveSlices = resolve;
      post({ wanted: { from, to }, part: (pass + from / slices) / passes });
    });
    for (let slice = from; slice < to; slice++)
      visit(slice, values.subarray((slice - from) * size, (slice - from + 1) * size));
  }
}

/** Collapses edges where the surface changes least; it stays closed. */
async function simplify(mesh: Mesh, maxCount: number): Promise<Mesh> {
  if (!mesh.indices || mesh.indices.length <= 3 * maxCount) return mesh;
  await MeshoptSimplifier.ready;
  const [indices] = MeshoptSimplifier.simplify(mesh.indices, mesh.positions, 3, 3 * maxCount, 1);
  const [places, count] = MeshoptSimplifier.compactMesh(indices);
  const positions = new Float32Array(3 * count);
  for (const [from, to] of places.entries())
    if (to < count) positions.set(mesh.positions.subarray(3 * from, 3 * from + 3), 3 * to);
  return { positions, indices, colours: null };
}
