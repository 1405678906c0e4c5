import { airwayOf, type AirwaySection } from "@arcada/imaging/surface/airway";
import type { GridValues } from "@arcada/imaging/surface/grid-values";
import { IsoSurface } from "@arcada/imaging/surface/isosurface";
import { vertexNormals } from "@arcada/imaging/surface/normals";
import { smoothed } from "@arcada/imaging/surface/smooth";
import type { Vector } from "@arcada/imaging/view/vector";

export interface AirwayJob {
  grid: GridValues;
  /** Grey value as stored. */
  threshold: number;
  seed: Vector;
}

export interface MeasuredAirway {
  /** mm³. */
  volume: number;
  sections: AirwaySection[];
  narrowest: AirwaySection | null;
  surface: {
    positions: Float32Array<ArrayBuffer>;
    normals: Float32Array<ArrayBuffer>;
    indices: Uint32Array<ArrayBuffer>;
  };
}

/** Null where there is no air. */
export type AirwayAnswer = { airway: MeasuredAirway | null };

self.addEventListener("message", ({ data }: MessageEvent<AirwayJob>) => {
  const airway = measured(data);
  const parts = airway ? Object.values(airway.surface).map(({ buffer }) => buffer) : [];
  self.postMessage({ airway } satisfies AirwayAnswer, { transfer: parts });
});

function measured({ grid, threshold, seed }: AirwayJob): MeasuredAirway | null {
  const airway = airwayOf(grid, threshold, seed);
  if (!airway) return null;
  const { info, data } = grid;
  const size = info.columns * info.rows;
  // Air is the densest matter of the negated values: the surface encloses values above the threshold.
  const surface = new IsoSurface(info, ~threshold + 1);
  for (let slice = 0; slice < info.slices; slice++)
    surface.addSlice(
      data.subarray(slice * size, (slice + 1) * size).map((value) => ~value),
      airway.mask.subarray(slice * size, (slice + 1) * size),
    );
  const mesh = smoothed(surface.finish(), 2);
  const { volume, sections, narrowest } = airway;
  return {
    volume,
    sections,
    narrowest,
    surface: {
      positions: Float32Array.from(mesh.positions),
      normals: vertexNormals(mesh),
      indices: Uint32Array.from(mesh.indices ?? []),
    },
  };
}
