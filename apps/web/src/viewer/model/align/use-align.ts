import { useEffect, useRef, useState } from "react";
import { atRest, inverted, joined, moved, type Movement } from "@arcada/imaging/surface/movement";
import { movementOfPairs, type SurfacePoints } from "@arcada/imaging/surface/registration";
import type { Vector } from "@arcada/imaging/view/vector";
import type { Marks } from "../../marks/use-marks.ts";
import { compare } from "../compare.ts";
import type { Picked } from "../picking.ts";
import type { MeshLoad } from "../use-meshes.ts";
import { alignments, settingsOf } from "./use-poses.ts";

/** The model that is moved, and the one with which it is registered. */
interface AlignPlan {
  from: string;
  onto: string;
}

export interface Align {
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
  place: (picked: Picked) => void;
  back: () => void;
  /** Registers by the pairs, and then by the surfaces; without pairs from the model's current pose. */
  fit: () => void;
  cancel: () => void;
  /** Restores the pose of the file. */
  undo: (id: string) => void;
}

/** The points that are set, and the progress of the fit. */
interface Step {
  from: readonly Vector[];
  onto: readonly Vector[];
  part: number | null;
  hasFailed: boolean;
}

const idle: Step = { from: [], onto: [], part: null, hasFailed: false };

export const pairsNeeded = 3;

/**
 * Registers one model with another: by pairs of points, then by their surfaces. The result is stored as an annotation.
 */
export function useAlign(
  marks: Marks,
  loads: ReadonlyMap<string, MeshLoad>,
  poses: ReadonlyMap<string, Movement>,
  ids: readonly string[],
): Align {
  const [plan, setPlan] = useState<AlignPlan | null>(null);
  const [now, setNow] = useState(idle);
  const [rms, setRms] = useState<number | null>(null);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);
  const isFromNext = now.from.length === now.onto.length;
  const next = plan && (isFromNext ? plan.from : plan.onto);
  const undo = (id: string) =>
    marks.remove(...alignments(marks, ids).flatMap((mark) => (mark.instanceId === id ? [mark.id] : [])));
  const fit = () => {
    if (!plan) return;
    const gone = (work.current = new AbortController());
    setNow({ ...now, part: 0, hasFailed: false });
    const tell = (change: Partial<Step>) => gone.signal.aborted || setNow((before) => ({ ...before, ...change }));
    fitted(plan, now, { loads, poses, signal: gone.signal, onPart: (part) => tell({ part }) }).then(
      ({ movement, rms: left, pairs }) => {
        if (gone.signal.aborted) return;
        setRms(left);
        keep(marks, ids, { plan, movement, pairs });
        setPlan(null);
      },
      () => tell({ part: null, hasFailed: true }),
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
    back: () => setNow(isFromNext ? { ...now, onto: now.onto.slice(0, -1) } : { ...now, from: now.from.slice(0, -1) }),
    fit,
    cancel: () => {
      work.current?.abort();
      setPlan(null);
    },
    undo,
  };
}

interface Made {
  plan: AlignPlan;
  movement: Movement;
  pairs: readonly Vector[];
}

function keep(marks: Marks, ids: readonly string[], { plan, movement, pairs }: Made): void {
  const [old] = alignments(marks, ids).filter(({ instanceId }) => instanceId === plan.from);
  // An annotation needs points; a fit without pairs stores the new position of the model's origin.
  const zero: Vector = [0, 0, 0];
  marks.put({
    ...(old && { id: old.id }),
    tool: "registration",
    instanceId: plan.from,
    points: (pairs.length > 0 ? pairs : [zero, moved(movement, zero)]).map((point) => [...point]),
    plane: null,
    text: null,
    settings: settingsOf(movement, plan.onto),
  });
}

interface Bench {
  loads: ReadonlyMap<string, MeshLoad>;
  poses: ReadonlyMap<string, Movement>;
  signal: AbortSignal;
  onPart: (part: number) => void;
}

async function fitted(
  plan: AlignPlan,
  { from, onto }: { from: readonly Vector[]; onto: readonly Vector[] },
  { loads, poses, signal, onPart }: Bench,
): Promise<{ movement: Movement; rms: number; pairs: readonly Vector[] }> {
  const [one, other] = [loads.get(plan.from), loads.get(plan.onto)];
  if (one?.state !== "ready" || other?.state !== "ready") throw new Error("a model is not there");
  const rest = poses.get(plan.onto) ?? atRest;
  const was = poses.get(plan.from) ?? atRest;
  const own = from.slice(0, onto.length).map((point) => moved(inverted(was), point));
  // The fit is computed in the other model's own space, which need not be the scene's.
  const goals = onto.map((point) => moved(inverted(rest), point));
  const start = goals.length >= pairsNeeded ? movementOfPairs(own, goals).movement : joined(inverted(rest), was);
  const job = { work: "fit", from: pointsOf(one), onto: pointsOf(other), start } as const;
  const { movement, rms } = await compare(job, signal, onPart);
  return { movement: joined(rest, movement), rms, pairs: own.flatMap((point, at) => [point, goals[at] ?? point]) };
}

const pointsOf = ({ mesh }: Extract<MeshLoad, { state: "ready" }>): SurfacePoints => ({
  positions: mesh.positions,
  normals: mesh.normals,
});
