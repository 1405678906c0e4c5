import { useCallback, useEffect, useRef, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { CanalPoints } from "@arcada/imaging/canal/control-points";
import { toVector, type Vector } from "@arcada/imaging/geometry/vector";
import type { AnnotationStore } from "../../../annotations/store/use-annotations.ts";
import type { CtControls } from "../../use-ct-controls.ts";
import type { VolumeStore } from "../../loading/volume-store.ts";
import { runCanalTrace, type TraceProblem } from "./run-canal-trace.ts";
import { findLongestDoubt, replaceStretch, withAnswer, withPath } from "./traced-canal.ts";
import { useCanalQuestion, type CanalQuestion } from "./use-canal-question.ts";

interface CanalSearchState {
  /** The canal whose path is being looked for, and the share that is done. */
  running: { id: string; share: number } | null;
  /** The reason that the last search for a canal found nothing. */
  failure: { id: string; problem: TraceProblem } | null;
  cancel: () => void;
}

export interface CanalTracing extends CanalSearchState, CanalQuestion {
  /** True while the panel shows the search, so that the image need not. */
  isShownInPanel: boolean;
  /** An effect of what shows the search in the panel. */
  showInPanel: () => () => void;
  /** Replaces the points of a canal by points in its middle. An undo brings the user's own points back. */
  trace: (annotation: Annotation) => void;
  /** Finds the canal anew on both sides of a point that the user has put; the point itself stays. */
  traceAround: (annotation: Annotation, index: number) => void;
  /** Takes a click as a point of the asked canal, and finds the stretch anew. */
  answer: (point: Vector) => void;
}

/** Finds the path of nerve canals in the volume, one at a time, and asks where the volume does not tell. */
export function useCanalTracing(
  store: VolumeStore,
  annotations: AnnotationStore,
  controls: Pick<CtControls, "tool" | "setTool" | "setCrosshair">,
): CanalTracing {
  const question = useCanalQuestion(controls);
  const { latest, run, ...state } = useCanalSearch(store, annotations);
  const [panelCount, setPanelCount] = useState(0);
  const showInPanel = useCallback(() => {
    setPanelCount((count) => count + 1);
    return () => setPanelCount((count) => count - 1);
  }, []);
  const traceBetween = (annotation: Annotation, anchors: readonly number[]): Promise<Annotation | null> =>
    run(annotation, annotation.points.filter((_, at) => anchors.includes(at)).map(toVector), (found) =>
      replaceStretch(annotation, anchors, found),
    );
  const askIfTraced = (traced: Annotation | null) => traced && question.ask(traced);
  return {
    ...state,
    ...question,
    isShownInPanel: panelCount > 0,
    showInPanel,
    trace: (annotation) =>
      void run(annotation, annotation.points.map(toVector), (found) => withPath(annotation, found)).then(askIfTraced),
    traceAround: (annotation, index) => {
      const [from, to] = [Math.max(0, index - 2), Math.min(annotation.points.length - 1, index + 2)];
      // A question would take the planner away from the point that is being moved.
      void traceBetween(annotation, [...new Set([from, index, to])]);
    },
    answer: (point) => {
      const annotation = latest.current.list.find(({ id }) => id === question.asked);
      const stretch = annotation && findLongestDoubt(annotation);
      question.leave();
      if (!stretch) return;
      const { annotation: answered, anchors } = withAnswer(annotation, stretch, point);
      latest.current.put(answered);
      void traceBetween(answered, anchors).then(askIfTraced);
    },
  };
}

/** Runs one search at a time; its result is the canal as it was saved, or null if nothing was. */
function useCanalSearch(store: VolumeStore, annotations: AnnotationStore) {
  const [running, setRunning] = useState<CanalTracing["running"]>(null);
  const [failure, setFailure] = useState<CanalTracing["failure"]>(null);
  const aborter = useRef<AbortController | null>(null);
  const latest = useRef(annotations);
  useEffect(() => void (latest.current = annotations));
  useEffect(() => () => aborter.current?.abort(), []);
  const run = async (
    annotation: Annotation,
    points: readonly Vector[],
    apply: (found: CanalPoints) => Annotation,
  ): Promise<Annotation | null> => {
    aborter.current?.abort();
    const controller = (aborter.current = new AbortController());
    const { id } = annotation;
    setFailure(null);
    setRunning({ id, share: 0 });
    const found = await runCanalTrace(store, points, (share) => setRunning({ id, share }), controller.signal);
    if (controller.signal.aborted) return null;
    setRunning(null);
    if (typeof found === "string") {
      setFailure({ id, problem: found });
      return null;
    }
    // A person who removed or moved it in the meantime has the last word.
    if (!latest.current.list.some((now) => now.id === id && hasSamePoints(now, annotation))) return null;
    const traced = apply(found);
    latest.current.put(traced);
    return traced;
  };
  const cancel = () => {
    aborter.current?.abort();
    setRunning(null);
  };
  return { running, failure, latest, run, cancel };
}

const hasSamePoints = (one: Annotation, other: Annotation): boolean =>
  JSON.stringify(one.points) === JSON.stringify(other.points);
