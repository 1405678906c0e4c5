import { useEffect, useMemo, useRef, useState } from "react";
import {
  createBiteColourScale,
  getDistanceColour,
  createVersionColourScale,
  type DistanceColourScale,
} from "@arcada/imaging/mesh/distance-statistics";
import { convertSrgbToLinear } from "@arcada/imaging/mesh/srgb-to-linear";
import { identityTransform, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import { compareSurfaces } from "../mesh/compare-surfaces.ts";
import type { ModelDisplayControls } from "../rendering/use-model-display-settings.ts";
import type { MeshLoad } from "../mesh/use-meshes.ts";

/** The bite between two jaws, or the distance of one version from another. */
export const distanceMapKinds = ["bite", "version"] as const;
export type DistanceMapKind = (typeof distanceMapKinds)[number];

export interface DistanceMapRequest {
  kind: DistanceMapKind;
  /** The model that is coloured; for a bite both are. */
  a: string;
  b: string;
}

type MapState =
  | { state: "none" }
  | { state: "failed" }
  | { state: "working"; part: number }
  | { state: "ready"; plan: DistanceMapRequest; distances: ReadonlyMap<string, Float32Array> };

export interface DistanceMap {
  current: MapState;
  scale: DistanceColourScale;
  /** In mm: for a bite, the distance that counts as near; for versions, the end of the scale. */
  range: number;
  setRange: (range: number) => void;
  start: (plan: DistanceMapRequest) => void;
  stop: () => void;
  tints: ReadonlyMap<string, Uint16Array>;
}

/** mm: vertices farther from the other surface have no distance. */
const maxDistances: Record<DistanceMapKind, number> = { bite: 2, version: 4 };
const defaultRanges: Record<DistanceMapKind, number> = { bite: 0.5, version: 0.5 };

/**
 * A distance map between two models, computed in a worker. The map is discarded if a model is moved or loaded again.
 */
export function useDistanceMap(
  loads: ReadonlyMap<string, MeshLoad>,
  poses: ReadonlyMap<string, RigidTransform>,
  displaySettings: ModelDisplayControls,
): DistanceMap {
  const [current, setCurrent] = useState<MapState>({ state: "none" });
  const [range, setRange] = useState(defaultRanges.bite);
  const work = useRef<AbortController | null>(null);
  const end = () => {
    work.current?.abort();
    work.current = null;
  };
  useEffect(
    () => () => {
      end();
      setCurrent({ state: "none" });
    },
    [loads, poses],
  );
  const start = (plan: DistanceMapRequest) => {
    end();
    const controller = (work.current = new AbortController());
    setRange((before) =>
      current.state === "ready" && current.plan.kind === plan.kind ? before : defaultRanges[plan.kind],
    );
    setCurrent({ state: "working", part: 0 });
    const update = (next: MapState) => controller.signal.aborted || setCurrent(next);
    computeDistances(plan, loads, poses, controller.signal, (part) => update({ state: "working", part })).then(
      (distances) => update({ state: "ready", plan, distances }),
      () => update({ state: "failed" }),
    );
  };
  const kind = current.state === "ready" ? current.plan.kind : "bite";
  const scale = useMemo(
    () => (kind === "bite" ? createBiteColourScale(range) : createVersionColourScale(range)),
    [kind, range],
  );
  const tints = useTints(current, scale, displaySettings);
  const stop = () => {
    end();
    setCurrent({ state: "none" });
  };
  return { current, scale, range, setRange, start, stop, tints };
}

async function computeDistances(
  { kind, a, b }: DistanceMapRequest,
  loads: ReadonlyMap<string, MeshLoad>,
  poses: ReadonlyMap<string, RigidTransform>,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<Map<string, Float32Array>> {
  const directions = kind === "bite" ? [[a, b] as const, [b, a] as const] : [[a, b] as const];
  const found = new Map<string, Float32Array>();
  for (const [at, [from, onto]] of directions.entries()) {
    const [one, other] = [loads.get(from), loads.get(onto)];
    if (one?.state !== "ready" || other?.state !== "ready" || !other.tree) throw new Error("a model is not there");
    const job = {
      work: "distances",
      from: { positions: one.mesh.positions, pose: poses.get(from) ?? identityTransform },
      onto: { positions: other.mesh.positions, ...other.tree, pose: poses.get(onto) ?? identityTransform },
      reach: maxDistances[kind],
    } as const;
    const { distances } = await compareSurfaces(job, signal, (part) => onPart((at + part) / directions.length));
    found.set(from, distances);
  }
  return found;
}

/** A vertex without a distance keeps its model's colour. */
function useTints(
  current: MapState,
  scale: DistanceColourScale,
  displaySettings: ModelDisplayControls,
): ReadonlyMap<string, Uint16Array> {
  const distances = current.state === "ready" ? current.distances : null;
  const plain = distances ? [...distances.keys()].map((id) => displaySettings.get(id).colour).join() : "";
  return useMemo(() => {
    const colours = plain.split(",");
    return new Map(
      [...(distances ?? [])].map(([id, values], at) => [
        id,
        computeTint(values, scale, parseColour(colours[at] ?? "")),
      ]),
    );
  }, [distances, scale, plain]);
}

function computeTint(distances: Float32Array, scale: DistanceColourScale, plain: readonly number[]): Uint16Array {
  const bytes = new Uint8Array(3 * distances.length);
  distances.forEach((mm, vertex) => bytes.set(getDistanceColour(scale, mm) ?? plain, 3 * vertex));
  return convertSrgbToLinear(bytes);
}

const parseColour = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) || 0);
