import { useMemo, useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import type { PanoramaEdge } from "@arcada/imaging/arch/edges";
import type { Jaw } from "@arcada/imaging/arch/guess";
import { archPath, patientUp, type ArchPath } from "@arcada/imaging/arch/path";
import type { Vector } from "@arcada/imaging/view/vector";
import type { VolumeStore } from "../volume-store.ts";
import { archDrawn, archMarkIn, archSettings, firstJaw } from "./arch-mark.ts";
import { withPoint } from "./plan.ts";
import { useGuess } from "./use-guess.ts";
import type { LiveMarks } from "./use-live-marks.ts";

/** `guessed`: detected automatically; `drawn`: a user has drawn or changed it. */
type ArchState = "looking" | "none" | "guessed" | "drawn";

export interface ArchLine {
  state: ArchState;
  jaw: Jaw;
  setJaw: (jaw: Jaw) => void;
  /** Control points, patient LPS in mm; none while there is no arch. */
  points: readonly Vector[];
  up: Vector;
  path: ArchPath | null;
  /** The parts of the lower jaw that the field of view cuts, as far as the arch was found. */
  edges: readonly PanoramaEdge[];
  setPoints: (points: readonly Vector[], isOver: boolean) => void;
  addPoint: (point: Vector) => void;
  removePoint: (index: number) => void;
  /** The up direction of the bite, if it differs from the patient's. */
  biteUp: Vector | null;
  setUp: (up: Vector) => void;
  /** Discards the drawn arch in favour of the detected one; null if none was drawn. */
  reset: (() => void) | null;
  /** The annotation that the next arch drawn for this jaw replaces. */
  markOf: (jaw: Jaw) => Mark | undefined;
  pathOf: (jaw: Jaw) => ArchPath | null;
}

/** The arch of the selected jaw: the drawn one, else the detected one. */
export function useArchLine(
  store: VolumeStore,
  { list, alter }: LiveMarks,
  owner: string | null,
  remove: (id: string) => void,
  isWanted: boolean,
): ArchLine {
  const guess = useGuess(store, isWanted);
  const [jaw, setJaw] = useState<Jaw>(firstJaw);
  const markOf = (of: Jaw) => archMarkIn(list, of);
  const found = guess === "looking" ? null : guess;
  const lineOf = (of: Jaw): { points: readonly Vector[]; up: Vector } => {
    const drawn = markOf(of);
    if (drawn) return archDrawn(drawn);
    return { points: found?.[of] ?? [], up: found?.up ?? patientUp };
  };
  const mark = markOf(jaw);
  const { points, up } = lineOf(jaw);
  const path = usePath(points, up);
  const put = (next: readonly Vector[], isOver: boolean, upwards = up) =>
    alter(
      {
        ...(mark && { id: mark.id }),
        ...archMark(jaw, next, upwards),
        instanceId: owner,
      },
      isOver,
    );
  return {
    state: mark ? "drawn" : guess === "looking" ? "looking" : guess ? "guessed" : "none",
    jaw,
    setJaw,
    points,
    up,
    path,
    edges: found?.edges ?? [],
    setPoints: put,
    addPoint: (point) => put(withPoint(points, point), true),
    removePoint: (index) => points.length > 3 && put(points.toSpliced(index, 1), true),
    biteUp: found && found.up !== patientUp && String(found.up) !== String(patientUp) ? found.up : null,
    setUp: (upwards) => put(points, true, upwards),
    reset: mark ? () => remove(mark.id) : null,
    markOf,
    pathOf: (of) => {
      if (of === jaw) return path;
      const line = lineOf(of);
      return archPath(line.points, line.up);
    },
  };
}

/** The path through these points, computed once for each state of them. */
function usePath(points: readonly Vector[], up: Vector): ArchPath | null {
  const told = JSON.stringify([points, up]);
  return useMemo(() => {
    const [control, upwards] = JSON.parse(told) as [Vector[], Vector];
    return archPath(control, upwards);
  }, [told]);
}

const archMark = (jaw: Jaw, points: readonly Vector[], up: Vector): Omit<Mark, "id" | "instanceId"> => ({
  tool: "arch",
  points: points.map((point) => [...point]),
  plane: "volume",
  text: null,
  settings: archSettings(jaw, up),
});
