import { useEffect, useRef, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { CanalPoints } from "@arcada/imaging/canal/control-points";
import { toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { AnnotationStore } from "../../../annotations/store/use-annotations.ts";
import type { CtControls } from "../../use-ct-controls.ts";
import type { VolumeStore } from "../../loading/volume-store.ts";
import { runCanalTrace, type TraceProblem } from "./run-canal-trace.ts";
import { findLongestDoubt, replaceStretch, withAnswer, withPath } from "./traced-canal.ts";

export interface CanalTracing {
  /** The canal whose path is being looked for, and the share that is done. */
  running: { id: string; share: number } | null;
  /** The reason that the last search for a canal found nothing. */
  failure: { id: string; problem: TraceProblem } | null;
  /** Replaces the points of a canal by points in its middle. An undo brings the user's own points back. */
  trace: (annotation: Annotation) => void;
  /** Finds the canal anew on both sides of a point that the user has put; the point itself stays. */
  traceAround: (annotation: Annotation, index: number) => void;
  cancel: () => void;
  /** The canal whose doubtful stretch waits for one more click; null if none does. */
  asked: string | null;
  /** Shows the longest doubtful stretch of a canal, and waits there for a click with the canal tool. */
  ask: (annotation: Annotation) => void;
  /** Takes a click as a point of the asked canal, and finds the stretch anew. */
  answer: (point: Vector) => void;
  /** Leaves the stretch as it is. */
  leave: () => void;
}

/** Finds the path of nerve canals in the volume, one at a time, and asks where the volume does not tell. */
export function useCanalTracing(
  store: VolumeStore,
  annotations: AnnotationStore,
  controls: Pick<CtControls, "tool" | "setTool" | "setCrosshair">,
): CanalTracing {
  const [running, setRunning] = useState<CanalTracing["running"]>(null);
  const [failure, setFailure] = useState<CanalTracing["failure"]>(null);
  const [question, setQuestion] = useState<string | null>(null);
  // Another tool ends the question: a later press with the canal tool begins a new canal.
  const asked = controls.tool === "canal" ? question : null;
  useEffect(() => void (controls.tool === "canal" || setQuestion(null)), [controls.tool]);
  const aborter = useRef<AbortController | null>(null);
  const latest = useRef(annotations);
  useEffect(() => void (latest.current = annotations));
  useEffect(() => () => aborter.current?.abort(), []);
  const run = async (
    annotation: Annotation,
    points: readonly Vector[],
    apply: (found: CanalPoints) => Annotation,
  ): Promise<void> => {
    aborter.current?.abort();
    const controller = (aborter.current = new AbortController());
    const { id } = annotation;
    setFailure(null);
    setQuestion(null);
    setRunning({ id, share: 0 });
    const found = await runCanalTrace(store, points, (share) => setRunning({ id, share }), controller.signal);
    if (controller.signal.aborted) return;
    setRunning(null);
    if (typeof found === "string") setFailure({ id, problem: found });
    // A person who removed or moved it in the meantime has the last word.
    else if (latest.current.list.some((now) => now.id === id && hasSamePoints(now, annotation))) {
      const traced = apply(found);
      latest.current.put(traced);
      ask(traced);
    }
  };
  const ask = (annotation: Annotation) => {
    const stretch = findLongestDoubt(annotation);
    if (!stretch) return;
    controls.setCrosshair(stretch.middle);
    controls.setTool("canal");
    setQuestion(annotation.id);
  };
  const traceBetween = (annotation: Annotation, anchors: readonly number[]) =>
    void run(annotation, annotation.points.filter((_, at) => anchors.includes(at)).map(toVector), (found) =>
      replaceStretch(annotation, anchors, found),
    );
  return {
    running,
    failure,
    trace: (annotation) =>
      void run(annotation, annotation.points.map(toVector), (found) => withPath(annotation, found)),
    traceAround: (annotation, index) => {
      const [from, to] = [Math.max(0, index - 2), Math.min(annotation.points.length - 1, index + 2)];
      traceBetween(annotation, [...new Set([from, index, to])]);
    },
    cancel: () => {
      aborter.current?.abort();
      setRunning(null);
    },
    asked,
    ask,
    answer: (point) => {
      const annotation = latest.current.list.find(({ id }) => id === asked);
      const stretch = annotation && findLongestDoubt(annotation);
      if (!stretch) return setQuestion(null);
      const { annotation: answered, anchors } = withAnswer(annotation, stretch, point);
      latest.current.put(answered);
      traceBetween(answered, anchors);
      controls.setTool("cross");
    },
    leave: () => {
      setQuestion(null);
      controls.setTool("cross");
    },
  };
}

const hasSamePoints = (one: Annotation, other: Annotation): boolean =>
  JSON.stringify(one.points) === JSON.stringify(other.points);
