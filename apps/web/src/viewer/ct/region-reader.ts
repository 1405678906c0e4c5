import { regionValues, type Profile, type RegionShape, type RegionValues } from "@arcada/imaging/view/grey-values";
import type { Plane } from "@arcada/imaging/view/plane";
import type { Vector } from "@arcada/imaging/view/vector";
import { planeGrid, profileThrough } from "@arcada/imaging/view/volume-values";
import type { VolumeStore } from "./volume-store.ts";

export interface RegionReader {
  region: (
    store: VolumeStore,
    plane: Plane,
    shape: RegionShape,
    a: Vector,
    b: Vector,
    of: object,
  ) => RegionValues | null;
  profile: (store: VolumeStore, a: Vector, b: Vector, of: object) => Profile;
}

/**
 * Reads grey values once for each state of an annotation: the page is rendered again with every slice that is scrolled.
 */
export function regionReader(): RegionReader {
  const known = new WeakMap<object, { store: VolumeStore; region?: RegionValues | null; profile?: Profile }>();
  const entryOf = (of: object, store: VolumeStore) => {
    const found = known.get(of);
    if (found?.store === store) return found;
    const made = { store };
    known.set(of, made);
    return made as NonNullable<typeof found>;
  };
  return {
    region: (store, plane, shape, a, b, of) => {
      const entry = entryOf(of, store);
      if (entry.region === undefined) {
        const { grid, toGrid } = planeGrid(store.values, plane, a);
        entry.region = regionValues(grid, shape, toGrid(a), toGrid(b));
      }
      return entry.region;
    },
    profile: (store, a, b, of) => {
      const entry = entryOf(of, store);
      return (entry.profile ??= profileThrough(store.values, a, b));
    },
  };
}
