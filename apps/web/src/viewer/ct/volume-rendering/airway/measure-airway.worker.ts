import { segmentAirway, type AirwayCrossSection } from "@arcada/imaging/surface/airway";
import type { VoxelGrid } from "@arcada/imaging/surface/voxel-grid";
import { IsosurfaceBuilder } from "@arcada/imaging/surface/isosurface-builder";
import { computeVertexNormals } from "@arcada/imaging/mesh/vertex-normals";
import { smoothMesh } from "@arcada/imaging/surface/smooth-mesh";
import type { Vector } from "@arcada/imaging/geometry/vector";

export interface AirwayJob {
  grid: VoxelGrid;
  /** Grey value as stored. */
  threshold: number;
  seed: Vector;
}

export interface MeasuredAirway {
  /** mm³. */
  volume: number;
  crossSections: AirwayCrossSection[];
  narrowest: AirwayCrossSection | null;
  surface: {
    positions: Float32Array<ArrayBuffer>;
    normals: Float32Array<ArrayBuffer>;
    indices: Uint32Array<ArrayBuffer>;
  };
}

/** Null where there is no air. */
export type AirwayResult = { airway: MeasuredAirway | null };

self.addEventListener("message", ({ data }: MessageEvent<AirwayJob>) => {
  const airway = measureAirway(data);
  const parts = airway ? Object.values(airway.surface).map(({ buffer }) => buffer) : [];
  self.postMessage({ airway } satisfies AirwayResult, { transfer: parts });
});

function measureAirway({ grid, threshold, seed }: AirwayJob): MeasuredAirway | null {
  const airway = segmentAirway(grid, threshold, seed);
  if (!airway) return null;
  const { info, data } = grid;
  const size = info.columns * info.rows;
  // Air is the densest matter of the negated values: the surface encloses values above the threshold.
  const surface = new IsosurfaceBuilder(info, ~threshold + 1);
  for (let slice = 0; slice < info.slices; slice++)
    surface.addSlice(
      data.subarray(slice * size, (slice + 1) * size).map((value) => ~value),
      airway.mask.subarray(slice * size, (slice + 1) * size),
    );
  const mesh = smoothMesh(surface.finish(), 2);
  const { volume, sections: crossSections, narrowest } = airway;
  return {
    volume,
    crossSections,
    narrowest,
    surface: {
      positions: Float32Array.from(mesh.positions),
      normals: computeVertexNormals(mesh),
      indices: Uint32Array.from(mesh.indices ?? []),
    },
  };
}
