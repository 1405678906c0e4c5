import { useEffect, useMemo, useRef, useState } from "react";
import { biteScale, colourOf, versionScale, type DistanceScale } from "@arcada/imaging/mesh/distances";
import { linearColours } from "@arcada/imaging/mesh/linear-colours";
import { atRest, type Movement } from "@arcada/imaging/surface/movement";
import { compare } from "../compare.ts";
import type { ModelLooks } from "../use-model-looks.ts";
import type { MeshLoad } from "../use-meshes.ts";

/** The bite between two jaws, or the distance of one version from another. */
export const mapKinds = ["bite", "version"] as const;
export type MapKind = (typeof mapKinds)[number];

export interface MapPlan {
  kind: MapKind;
  /** The model that is coloured; for a bite both are. */
  a: string;
  b: string;
}

type MapState =
  | { state: "none" }
  | { state: "failed" }
  | { state: "working"; part: number }
  | { state: "ready"; plan: MapPlan; distances: ReadonlyMap<string, Float32Array> };

export interface DistanceMap {
  now: MapState;
  scale: DistanceScale;
  /** In mm: for a bite, the distance that counts as near; for versions, the end of the scale. */
  range: number;
  setRange: (range: number) => void;
  start: (plan: MapPlan) => void;
  stop: () => void;
  tints: ReadonlyMap<string, Uint16Array>;
}

/** mm: vertices farther from the other surface have no distance. */
const reaches: Record<MapKind, number> = { bite: 2, version: 4 };
const firstRanges: Record<MapKind, number> = { bite: 0.5, version: 0.5 };

/**
 * A distance map between two models, computed in a worker. The map is discarded if a model is moved or loaded again.
 */
export function useMap(
  loads: ReadonlyMap<string, MeshLoad>,
  poses: ReadonlyMap<string, Movement>,
  looks: ModelLooks,
): DistanceMap {
  const [now, setNow] = useState<MapState>({ state: "none" });
  const [range, setRange] = useState(firstRanges.bite);
  const work = useRef<AbortController | null>(null);
  const end = () => {
    work.current?.abort();
    work.current = null;
  };
  useEffect(
    () => () => {
      end();
      setNow({ state: "none" });
    },
    [loads, poses],
  );
  const start = (plan: MapPlan) => {
    end();
    const gone = (work.current = new AbortController());
    setRange((before) => (now.state === "ready" && now.plan.kind === plan.kind ? before : firstRanges[plan.kind]));
    setNow({ state: "working", part: 0 });
    const tell = (next: MapState) => gone.signal.aborted || setNow(next);
    distancesOf(plan, loads, poses, gone.signal, (part) => tell({ state: "working", part })).then(
      (distances) => tell({ state: "ready", plan, distances }),
      () => tell({ state: "failed" }),
    );
  };
  const kind = now.state === "ready" ? now.plan.kind : "bite";
  const scale = useMemo(() => (kind === "bite" ? biteScale(range) : versionScale(range)), [kind, range]);
  const tints = useTints(now, scale, looks);
  const stop = () => {
    end();
    setNow({ state: "none" });
  };
  return { now, scale, range, setRange, start, stop, tints };
}

async function distancesOf(
  { kind, a, b }: MapPlan,
  loads: ReadonlyMap<string, MeshLoad>,
  poses: ReadonlyMap<string, Movement>,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<Map<string, Float32Array>> {
  const ways = kind === "bite" ? [[a, b] as const, [b, a] as const] : [[a, b] as const];
  const found = new Map<string, Float32Array>();
  for (const [at, [from, onto]] of ways.entries()) {
    const [one, other] = [loads.get(from), loads.get(onto)];
    if (one?.state !== "ready" || other?.state !== "ready" || !other.tree) throw new Error("a model is not there");
    const job = {
      work: "distances",
      from: { positions: one.mesh.positions, pose: poses.get(from) ?? atRest },
      onto: { positions: other.mesh.positions, ...other.tree, pose: poses.get(onto) ?? atRest },
      reach: reaches[kind],
    } as const;
    const { distances } = await compare(job, signal, (part) => onPart((at + part) / ways.length));
    found.set(from, distances);
  }
  return found;
}

/** A vertex without a distance keeps its model's colour. */
function useTints(now: MapState, scale: DistanceScale, looks: ModelLooks): ReadonlyMap<string, Uint16Array> {
  const distances = now.state === "ready" ? now.distances : null;
  const plain = distances ? [...distances.keys()].map((id) => looks.of(id).colour).join() : "";
  return useMemo(() => {
    const colours = plain.split(",");
    return new Map(
      [...(distances ?? [])].map(([id, values], at) => [id, tintOf(values, scale, bytesOf(colours[at] ?? ""))]),
    );
  }, [distances, scale, plain]);
}

function tintOf(distances: Float32Array, scale: DistanceScale, plain: readonly number[]): Uint16Array {
  const bytes = new Uint8Array(3 * distances.length);
  distances.forEach((mm, vertex) => bytes.set(colourOf(scale, mm) ?? plain, 3 * vertex));
  return linearColours(bytes);
}

const bytesOf = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) || 0);
