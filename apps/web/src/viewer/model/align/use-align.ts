import { useEffect, useRef, useState } from "react";
import {
  identityTransform,
  invertTransform,
  compose,
  transformPoint,
  type RigidTransform,
} from "@arcada/imaging/geometry/rigid-transform";
import { registerPointPairs, type SurfacePoints } from "@arcada/imaging/surface/registration";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import { compareSurfaces } from "../mesh/compare-surfaces.ts";
import type { PickedPoint } from "../pick-point.ts";
import type { MeshLoad } from "../mesh/use-meshes.ts";
import { findAlignments, buildAlignmentSettings } from "./use-aligned-poses.ts";

/** The model that is moved, and the one with which it is registered. */
interface AlignPlan {
  from: string;
  onto: string;
}

export interface ModelAlignment {
  /** Null while no registration is in progress. */
  plan: AlignPlan | null;
  /** Points set so far, in the scene's space; the model that is clicked next has fewer or as many. */
  from: readonly Vector[];
  onto: readonly Vector[];
  next: string | null;
  part: number | null;
  /** The remaining distance between the surfaces after the fit, in mm. */
  rms: number | null;
  hasFailed: boolean;
  begin: (plan: AlignPlan) => void;
  place: (picked: PickedPoint) => void;
  removeLastPoint: () => void;
  /** Registers by the pairs, and then by the surfaces; without pairs from the model's current pose. */
  fit: () => void;
  cancel: () => void;
  /** Restores the pose of the file. */
  undo: (id: string) => void;
}

/** The points that are set, and the progress of the fit. */
interface AlignProgress {
  from: readonly Vector[];
  onto: readonly Vector[];
  part: number | null;
  hasFailed: boolean;
}

const idle: AlignProgress = { from: [], onto: [], part: null, hasFailed: false };

export const requiredPairs = 3;

/**
 * Registers one model with another: by pairs of points, then by their surfaces. The result is stored as an annotation.
 */
export function useAlign(
  annotations: AnnotationStore,
  loads: ReadonlyMap<string, MeshLoad>,
  poses: ReadonlyMap<string, RigidTransform>,
  ids: readonly string[],
): ModelAlignment {
  const [plan, setPlan] = useState<AlignPlan | null>(null);
  const [now, setNow] = useState(idle);
  const [rms, setRms] = useState<number | null>(null);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);
  const isFromNext = now.from.length === now.onto.length;
  const next = plan && (isFromNext ? plan.from : plan.onto);
  const undo = (id: string) =>
    annotations.remove(
      ...findAlignments(annotations, ids).flatMap((annotation) =>
        annotation.instanceId === id ? [annotation.id] : [],
      ),
    );
  const fit = () => {
    if (!plan) return;
    const controller = (work.current = new AbortController());
    setNow({ ...now, part: 0, hasFailed: false });
    const update = (change: Partial<AlignProgress>) =>
      controller.signal.aborted || setNow((before) => ({ ...before, ...change }));
    fitModels(plan, now, { loads, poses, signal: controller.signal, onPart: (part) => update({ part }) }).then(
      ({ rigidTransform, rms: left, pairs }) => {
        if (controller.signal.aborted) return;
        setRms(left);
        saveAlignment(annotations, ids, { plan, rigidTransform, pairs });
        setPlan(null);
      },
      () => update({ part: null, hasFailed: true }),
    );
  };
  return {
    ...now,
    plan,
    next,
    rms,
    begin: (made) => {
      setPlan(made);
      setNow(idle);
      setRms(null);
    },
    place: ({ id, point }) => {
      if (id === next && now.part === null)
        setNow(isFromNext ? { ...now, from: [...now.from, point] } : { ...now, onto: [...now.onto, point] });
    },
    removeLastPoint: () =>
      setNow(isFromNext ? { ...now, onto: now.onto.slice(0, -1) } : { ...now, from: now.from.slice(0, -1) }),
    fit,
    cancel: () => {
      work.current?.abort();
      setPlan(null);
    },
    undo,
  };
}

interface AlignResult {
  plan: AlignPlan;
  rigidTransform: RigidTransform;
  pairs: readonly Vector[];
}

function saveAlignment(
  annotations: AnnotationStore,
  ids: readonly string[],
  { plan, rigidTransform, pairs }: AlignResult,
): void {
  const [old] = findAlignments(annotations, ids).filter(({ instanceId }) => instanceId === plan.from);
  // An annotation needs points; a fit without pairs stores the new position of the model's origin.
  const zero: Vector = [0, 0, 0];
  annotations.put({
    ...(old && { id: old.id }),
    tool: "registration",
    instanceId: plan.from,
    points: (pairs.length > 0 ? pairs : [zero, transformPoint(rigidTransform, zero)]).map((point) => [...point]),
    plane: null,
    text: null,
    settings: buildAlignmentSettings(rigidTransform, plan.onto),
  });
}

interface FitContext {
  loads: ReadonlyMap<string, MeshLoad>;
  poses: ReadonlyMap<string, RigidTransform>;
  signal: AbortSignal;
  onPart: (part: number) => void;
}

async function fitModels(
  plan: AlignPlan,
  { from, onto }: { from: readonly Vector[]; onto: readonly Vector[] },
  { loads, poses, signal, onPart }: FitContext,
): Promise<{ rigidTransform: RigidTransform; rms: number; pairs: readonly Vector[] }> {
  const [one, other] = [loads.get(plan.from), loads.get(plan.onto)];
  if (one?.state !== "ready" || other?.state !== "ready") throw new Error("a model is not there");
  const rest = poses.get(plan.onto) ?? identityTransform;
  const was = poses.get(plan.from) ?? identityTransform;
  const own = from.slice(0, onto.length).map((point) => transformPoint(invertTransform(was), point));
  // The fit is computed in the other model's own space, which need not be the scene's.
  const goals = onto.map((point) => transformPoint(invertTransform(rest), point));
  const start =
    goals.length >= requiredPairs ? registerPointPairs(own, goals).rigidTransform : compose(invertTransform(rest), was);
  const job = { work: "fit", from: pointsOf(one), onto: pointsOf(other), start } as const;
  const { rigidTransform, rms } = await compareSurfaces(job, signal, onPart);
  return {
    rigidTransform: compose(rest, rigidTransform),
    rms,
    pairs: own.flatMap((point, at) => [point, goals[at] ?? point]),
  };
}

const pointsOf = ({ mesh }: Extract<MeshLoad, { state: "ready" }>): SurfacePoints => ({
  positions: mesh.positions,
  normals: mesh.normals,
});
