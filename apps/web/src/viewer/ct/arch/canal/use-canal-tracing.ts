import { useEffect, useRef, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { CanalPoints } from "@arcada/imaging/canal/control-points";
import { toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { AnnotationStore } from "../../../annotations/store/use-annotations.ts";
import type { VolumeStore } from "../../loading/volume-store.ts";
import { runCanalTrace, type TraceProblem } from "./run-canal-trace.ts";
import { replaceStretch, withPath } from "./traced-canal.ts";

export interface CanalTracing {
  /** The canal whose path is being looked for, and the share that is done. */
  running: { id: string; share: number } | null;
  /** Why the last search for a canal found nothing. */
  failure: { id: string; problem: TraceProblem } | null;
  /** Replaces the points of a canal by points in its middle. An undo brings the user's own points back. */
  trace: (annotation: Annotation) => void;
  /** Finds the canal anew on both sides of a point that the user has put; the point itself stays. */
  traceAround: (annotation: Annotation, index: number) => void;
  cancel: () => void;
}

/** Finds the path of nerve canals in the volume, one at a time. */
export function useCanalTracing(store: VolumeStore, annotations: AnnotationStore): CanalTracing {
  const [running, setRunning] = useState<CanalTracing["running"]>(null);
  const [failure, setFailure] = useState<CanalTracing["failure"]>(null);
  const aborter = useRef<AbortController | null>(null);
  const latest = useRef(annotations);
  useEffect(() => void (latest.current = annotations));
  useEffect(() => () => aborter.current?.abort(), []);
  const run = async (
    annotation: Annotation,
    points: readonly Vector[],
    apply: (found: CanalPoints) => void,
  ): Promise<void> => {
    aborter.current?.abort();
    const controller = (aborter.current = new AbortController());
    const { id } = annotation;
    setFailure(null);
    setRunning({ id, share: 0 });
    const found = await runCanalTrace(store, points, (share) => setRunning({ id, share }), controller.signal);
    if (controller.signal.aborted) return;
    setRunning(null);
    if (typeof found === "string") setFailure({ id, problem: found });
    // Whoever removed or moved it in the meantime has the last word.
    else if (latest.current.list.some((now) => now.id === id && hasSamePoints(now, annotation))) apply(found);
  };
  return {
    running,
    failure,
    trace: (annotation) =>
      void run(annotation, annotation.points.map(toVector), (found) => latest.current.put(withPath(annotation, found))),
    traceAround: (annotation, index) => {
      const from = Math.max(0, index - 2);
      const points = annotation.points.map(toVector);
      const anchors = [...new Set([from, index, Math.min(points.length - 1, index + 2)])];
      void run(
        annotation,
        points.filter((_, at) => anchors.includes(at)),
        (found) => latest.current.put(replaceStretch(annotation, anchors, found)),
      );
    },
    cancel: () => {
      aborter.current?.abort();
      setRunning(null);
    },
  };
}

const hasSamePoints = (one: Annotation, other: Annotation): boolean =>
  JSON.stringify(one.points) === JSON.stringify(other.points);
