import { volumeOf, type Mesh } from "@arcada/imaging/mesh/mesh";
import { writeStl } from "@arcada/imaging/mesh/write";
import { Bodies } from "@arcada/imaging/surface/bodies";
import { IsoSurface } from "@arcada/imaging/surface/isosurface";
import { smoothed } from "@arcada/imaging/surface/smooth";
import type { VolumeGeometry } from "@arcada/imaging/view/volume-geometry";
import { MeshoptSimplifier } from "three/addons/libs/meshopt_simplifier.module.js";

export interface SurfacePlan {
  /** The geometry of the voxels that are sent. */
  geometry: VolumeGeometry;
  /** Grey value as stored. */
  threshold: number;
  isLargestOnly: boolean;
  smoothing: number;
  mostTriangles: number;
  /** A file, or the data needed to register another surface with it. */
  as: "stl" | "mesh";
}

/** The page sends the plan, then the requested slices. */
export type SurfaceOrder = { plan: SurfacePlan } | { values: Int16Array<ArrayBuffer> };
export type SurfaceAnswer =
  | { wanted: { from: number; to: number }; part: number }
  | { stl: Uint8Array<ArrayBuffer>; triangles: number; volume: number }
  | { mesh: { positions: Float32Array<ArrayBuffer>; indices: Uint32Array<ArrayBuffer> } }
  | { isEmpty: true };

const atOnce = 8;
let bring: ((values: Int16Array) => void) | null = null;

self.addEventListener("message", ({ data }: MessageEvent<SurfaceOrder>) => {
  if ("plan" in data) void make(data.plan);
  else bring?.(data.values);
});

const tell = (answer: SurfaceAnswer, transfer: Transferable[] = []): void => self.postMessage(answer, { transfer });

async function make(plan: SurfacePlan): Promise<void> {
  const made = await surfaceOf(plan);
  if (!made.indices || made.indices.length === 0) return tell({ isEmpty: true });
  const mesh = await fewer(smoothed(made, plan.smoothing), plan.mostTriangles);
  if (plan.as === "mesh") {
    const [positions, indices] = [Float32Array.from(mesh.positions), Uint32Array.from(mesh.indices ?? [])];
    return tell({ mesh: { positions, indices } }, [positions.buffer, indices.buffer]);
  }
  const stl = writeStl(mesh, "Arcada surface, patient LPS, mm");
  const triangles = (mesh.indices?.length ?? 0) / 3;
  tell({ stl, triangles, volume: volumeOf(mesh) }, [stl.buffer]);
}

async function surfaceOf({ geometry, threshold, isLargestOnly }: SurfacePlan): Promise<Mesh> {
  const { columns, rows } = geometry;
  const passes = isLargestOnly ? 2 : 1;
  const bodies = new Bodies(columns, rows, threshold);
  if (isLargestOnly) await eachSlice(geometry, 0, passes, (_, values) => bodies.addSlice(values));
  const largest = isLargestOnly ? bodies.largest() : -1;
  const surface = new IsoSurface(geometry, threshold);
  await eachSlice(geometry, passes - 1, passes, (slice, values) =>
    surface.addSlice(values, isLargestOnly ? bodies.mask(slice, largest) : undefined),
  );
  return surface.finish();
}

async function eachSlice(
  { columns, rows, slices }: VolumeGeometry,
  pass: number,
  passes: number,
  visit: (slice: number, values: Int16Array) => void,
): Promise<void> {
  const size = columns * rows;
  for (let from = 0; from < slices; from += atOnce) {
    const to = Math.min(slices, from + atOnce);
    const values = await new Promise<Int16Array>((resolve) => {
      bring = resolve;
      tell({ wanted: { from, to }, part: (pass + from / slices) / passes });
    });
    for (let slice = from; slice < to; slice++)
      visit(slice, values.subarray((slice - from) * size, (slice - from + 1) * size));
  }
}

/** Collapses edges where the surface changes least; it stays closed. */
async function fewer(mesh: Mesh, most: number): Promise<Mesh> {
  if (!mesh.indices || mesh.indices.length <= 3 * most) return mesh;
  await MeshoptSimplifier.ready;
  const [indices] = MeshoptSimplifier.simplify(mesh.indices, mesh.positions, 3, 3 * most, 1);
  const [places, count] = MeshoptSimplifier.compactMesh(indices);
  const positions = new Float32Array(3 * count);
  for (const [from, to] of places.entries())
    if (to < count) positions.set(mesh.positions.subarray(3 * from, 3 * from + 3), 3 * to);
  return { positions, indices, colours: null };
}
