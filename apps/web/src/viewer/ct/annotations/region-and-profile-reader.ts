import {
  measureRegion,
  type LineProfile,
  type RegionShape,
  type RegionStatistics,
} from "@arcada/imaging/view/grey-value-statistics";
import type { Plane } from "@arcada/imaging/view/plane-view";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { createPlaneGrid, sampleVolumeProfile } from "@arcada/imaging/view/volume-values";
import type { VolumeStore } from "../loading/volume-store.ts";

export interface RegionReader {
  region: (
    store: VolumeStore,
    plane: Plane,
    shape: RegionShape,
    a: Vector,
    b: Vector,
    key: object,
  ) => RegionStatistics | null;
  profile: (store: VolumeStore, a: Vector, b: Vector, key: object) => LineProfile;
}

/**
 * Reads grey values once for each state of an annotation: the page is rendered again with every slice that is scrolled.
 */
export function createRegionReader(): RegionReader {
  const known = new WeakMap<object, { store: VolumeStore; region?: RegionStatistics | null; profile?: LineProfile }>();
  const getEntry = (key: object, store: VolumeStore) => {
    const found = known.get(key);
    if (found?.store === store) return found;
    const made = { store };
    known.set(key, made);
    return made as NonNullable<typeof found>;
  };
  return {
    region: (store, plane, shape, a, b, key) => {
      const entry = getEntry(key, store);
      if (entry.region === undefined) {
        const { grid, toGrid } = createPlaneGrid(store.values, plane, a);
        entry.region = measureRegion(grid, shape, toGrid(a), toGrid(b));
      }
      return entry.region;
    },
    profile: (store, a, b, key) => {
      const entry = getEntry(key, store);
      return (entry.profile ??= sampleVolumeProfile(store.values, a, b));
    },
  };
}
