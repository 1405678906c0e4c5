import { useMemo, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { PanoramaEdge } from "@arcada/imaging/arch/detection/panorama-truncation";
import { createCurvedSurface, patientUp, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { VolumeStore } from "../loading/volume-store.ts";
import { defaultJaw } from "@arcada/imaging/arch/arch-display-settings";
import { readDrawnArch, findArchAnnotation, buildArchSettings } from "../../ct-core/arch-annotation.ts";
import { insertControlPoint } from "./insert-control-point.ts";
import { useDetectedArch } from "./use-detected-arch.ts";
import type { LiveAnnotations } from "./use-dragged-annotations.ts";
import type { Jaw } from "@arcada/imaging/arch/detection/detected-arches";

/** `guessed`: detected automatically; `drawn`: a user has drawn or changed it. */
type ArchState = "looking" | "none" | "guessed" | "drawn";

export interface ArchLine {
  state: ArchState;
  jaw: Jaw;
  setJaw: (jaw: Jaw) => void;
  /** Control points, patient LPS in mm; none while there is no arch. */
  points: readonly Vector[];
  up: Vector;
  path: CurvedSurface | null;
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
  findAnnotation: (jaw: Jaw) => Annotation | undefined;
  getPath: (jaw: Jaw) => CurvedSurface | null;
}

/** The arch of the selected jaw: the drawn one, else the detected one. */
export function useArchLine(
  store: VolumeStore,
  { list, alter }: LiveAnnotations,
  owner: string | null,
  remove: (id: string) => void,
  isWanted: boolean,
): ArchLine {
  const detected = useDetectedArch(store, isWanted);
  const [jaw, setJaw] = useState<Jaw>(defaultJaw);
  const findAnnotation = (of: Jaw) => findArchAnnotation(list, of);
  const found = detected === "looking" ? null : detected;
  const getLine = (of: Jaw): { points: readonly Vector[]; up: Vector } => {
    const drawn = findAnnotation(of);
    if (drawn) return readDrawnArch(drawn);
    return { points: found?.[of] ?? [], up: found?.up ?? patientUp };
  };
  const annotation = findAnnotation(jaw);
  const { points, up } = getLine(jaw);
  const path = useArchPath(points, up);
  const put = (next: readonly Vector[], isOver: boolean, upwards = up) =>
    alter(
      {
        ...(annotation && { id: annotation.id }),
        ...buildArchAnnotation(jaw, next, upwards),
        instanceId: owner,
      },
      isOver,
    );
  return {
    state: annotation ? "drawn" : detected === "looking" ? "looking" : detected ? "guessed" : "none",
    jaw,
    setJaw,
    points,
    up,
    path,
    edges: found?.edges ?? [],
    setPoints: put,
    addPoint: (point) => put(insertControlPoint(points, point), true),
    removePoint: (index) => points.length > 3 && put(points.toSpliced(index, 1), true),
    biteUp: found && found.up !== patientUp && String(found.up) !== String(patientUp) ? found.up : null,
    setUp: (upwards) => put(points, true, upwards),
    reset: annotation ? () => remove(annotation.id) : null,
    findAnnotation,
    getPath: (of) => {
      if (of === jaw) return path;
      const line = getLine(of);
      return createCurvedSurface(line.points, line.up);
    },
  };
}

/** The path through these points, computed once for each state of them. */
function useArchPath(points: readonly Vector[], up: Vector): CurvedSurface | null {
  const serialized = JSON.stringify([points, up]);
  return useMemo(() => {
    const [control, upwards] = JSON.parse(serialized) as [Vector[], Vector];
    return createCurvedSurface(control, upwards);
  }, [serialized]);
}

const buildArchAnnotation = (
  jaw: Jaw,
  points: readonly Vector[],
  up: Vector,
): Omit<Annotation, "id" | "instanceId"> => ({
  tool: "arch",
  points: points.map((point) => [...point]),
  plane: "volume",
  text: null,
  settings: buildArchSettings(jaw, up),
});
