import { writeJoinedGlb, type Glb, type GlbEncoder } from "../mesh/write-glb.ts";
import type { GlbMesh } from "../mesh/read-glb.ts";
import { measureDeviation } from "./surface-deviation.ts";

/** The required part of meshoptimizer's simplifier, already initialised. */
export interface MeshSimplifier {
  /** Returns new indices of the same vertices, and an estimate of the error. */
  simplify(
    indices: Uint32Array,
    positions: Float32Array,
    stride: number,
    targetIndices: number,
    targetError: number,
    flags: "ErrorAbsolute"[],
  ): [Uint32Array, number];
}

/**
 * Surfaces with more triangles get a coarse copy: up to here, the streaming copy has less than 4 MB, which 100 Mbit/s
 * carry in a third of a second, and software graphics draw it in about a second.
 */
export const coarseCopyThreshold = 1_000_000;

const targetTriangles = 250_000;
/** A surface that keeps more triangles within the error is no faster than its streaming copy: it gets no coarse copy. */
const maxTriangles = 500_000;
/** mm, as the simplifier estimates it and as it is measured afterwards: coarser copies would not show the same teeth. */
const [maxEstimate, maxDeviation] = [0.1, 0.2];

/**
 * Writes a coarse copy of a surface, for the first seconds on the screen and for nothing else. Its `error` is the most
 * that a vertex of the surface is away from it, in mm. Null if the surface cannot be simplified that far within 0.2 mm.
 */
export function writeCoarseGlb(mesh: GlbMesh, encoder: GlbEncoder, simplifier: MeshSimplifier): Glb | null {
  const { positions } = mesh;
  const [indices] = simplifier.simplify(mesh.indices, positions, 3, 3 * targetTriangles, maxEstimate, [
    "ErrorAbsolute",
  ]);
  if (indices.length === 0 || indices.length > 3 * maxTriangles) return null;
  const deviation = measureDeviation(positions, { positions, indices }, maxDeviation);
  if (deviation === null) return null;
  const { bytes, error } = writeJoinedGlb({ ...mesh, indices }, encoder);
  return { bytes, error: deviation + error };
}
