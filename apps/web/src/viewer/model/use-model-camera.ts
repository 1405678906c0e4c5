import { useMemo, useState } from "react";
import { atRest, moved, type Movement } from "@arcada/imaging/surface/movement";
import {
  facing,
  fittedModel,
  movedModel,
  orbited,
  rolled,
  viewCamera,
  zoomedModel,
  type Box,
  type ModelCamera,
  type ViewName,
} from "@arcada/imaging/view/model-camera";
import type { PatientFrame } from "@arcada/imaging/view/patient-frame";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { Vector } from "@arcada/imaging/view/vector";
import type { SceneModel } from "./scene-model.ts";
import { useFlight } from "./use-flight.ts";
import type { MeshLoad } from "./use-meshes.ts";

export interface ModelControls {
  /** Null until the first model is loaded. */
  camera: ModelCamera | null;
  /** The named view, until the user turns the model out of it. */
  view: ViewName | null;
  look: (view: ViewName) => void;
  orbit: (by: Spot) => void;
  roll: (angle: number) => void;
  pan: (by: Spot) => void;
  zoom: (factor: number, at?: Spot, by?: Spot) => void;
  fit: () => void;
  togglePerspective: () => void;
  /** Turns so that a direction points at the eye, with a point in the middle. */
  face: (point: Vector, direction: Vector) => void;
  /** Takes over another camera. */
  take: (camera: ModelCamera) => void;
}

/** The target of the camera. */
export interface Subject {
  box: Box;
  frame: PatientFrame;
}

/** The camera of a scene. Until the user moves it, it adapts to each loaded model so that everything is visible. */
export function useModelCamera(subject: Subject | null, size: Size | null): ModelControls {
  const [given, setGiven] = useState<ModelCamera | null>(null);
  const [view, setView] = useState<ViewName | null>("front");
  const [hasPerspective, setPerspective] = useState(false);
  const named = useMemo(
    () => (subject && size ? viewCamera(view ?? "front", subject.frame, subject.box, size) : null),
    [subject, size, view],
  );
  const held = given ?? named;
  const camera = useMemo(() => held && { ...held, hasPerspective }, [held, hasPerspective]);
  const flight = useFlight(setGiven);
  const alter = (change: (camera: ModelCamera, pane: Size) => ModelCamera, leavesView: boolean) => {
    if (!camera || !size) return;
    flight.stop();
    setGiven((now) => change(now ?? camera, size));
    if (leavesView) setView(null);
  };
  return {
    camera,
    view,
    look: (name) => {
      flight.stop();
      setView(name);
      setGiven(null);
    },
    orbit: (by) => alter((now, pane) => orbited(now, by, pane), true),
    roll: (angle) => alter((now) => rolled(now, angle), true),
    pan: (by) => alter((now) => movedModel(now, by), false),
    zoom: (factor, at, by) =>
      alter((now, pane) => {
        const zoomed = zoomedModel(now, pane, at ?? [pane.width / 2, pane.height / 2], factor);
        return by ? movedModel(zoomed, by) : zoomed;
      }, false),
    fit: () => alter((now, pane) => (subject ? fittedModel(now, subject.box, pane) : now), false),
    togglePerspective: () => setPerspective(!hasPerspective),
    face: (point, direction) => {
      if (!camera) return;
      setView(null);
      flight.fly(camera, facing(camera, point, direction));
    },
    take: (seen) => {
      flight.stop();
      setView(null);
      setGiven(seen);
    },
  };
}

/** The scene as far as it is loaded; null before the first model. */
export function useSubject(
  models: readonly SceneModel[],
  loads: ReadonlyMap<string, MeshLoad>,
  poses: ReadonlyMap<string, Movement>,
  frame: PatientFrame,
): Subject | null {
  const [known, setKnown] = useState<{ of: string; subject: Subject | null }>({ of: "", subject: null });
  const ready = models.flatMap((model) => {
    const load = loads.get(model.id);
    return load?.state === "ready" ? [{ model, mesh: load.mesh, pose: poses.get(model.id) ?? atRest }] : [];
  });
  const of = JSON.stringify([frame, ...ready.map(({ model, mesh, pose }) => [model.id, mesh.bounds, pose])]);
  // While a model is loaded again, the target is kept.
  if (ready.length === 0 || known.of === of) return known.subject;
  const box = boxAround(
    ready.map(({ mesh, pose }) => cornersOf(mesh.bounds).map((corner) => moved(pose, corner))).flat(),
  );
  const subject = { box, frame };
  setKnown({ of, subject });
  return subject;
}

const cornersOf = ({ min, max }: Box): Vector[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((at) => [(at & 1 ? max : min)[0], (at & 2 ? max : min)[1], (at & 4 ? max : min)[2]]);

function boxAround(points: readonly Vector[]): Box {
  const side = (axis: 0 | 1 | 2, end: "min" | "max") => Math[end](...points.map((point) => point[axis]));
  return {
    min: [side(0, "min"), side(1, "min"), side(2, "min")],
    max: [side(0, "max"), side(1, "max"), side(2, "max")],
  };
}
