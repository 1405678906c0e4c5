import { useMemo, useState, useCallback, useEffect, useRef } from "react";
import { identityTransform, transformPoint, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import {
  aimCamera,
  fitCamera,
  panCamera,
  orbitCamera,
  rollCamera,
  createViewCamera,
  zoomCamera,
  type BoundingBox,
  type ModelCamera,
  type CameraViewName,
  interpolateCameras,
} from "@arcada/imaging/view/model-camera";
import type { PatientFrame } from "@arcada/imaging/geometry/patient-frame";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { SceneModel } from "../scene-model.ts";
import { getDrawnMesh, type MeshLoad } from "../mesh/use-meshes.ts";

export interface CameraControls {
  /** Null until the first model is loaded. */
  camera: ModelCamera | null;
  /** The named view, until the user turns the model out of it. */
  view: CameraViewName | null;
  showView: (view: CameraViewName) => void;
  orbit: (by: Point2D) => void;
  roll: (angle: number) => void;
  pan: (by: Point2D) => void;
  zoom: (factor: number, at?: Point2D, by?: Point2D) => void;
  fit: () => void;
  togglePerspective: () => void;
  /** Turns so that a direction points at the eye, with a point in the middle. */
  faceDirection: (point: Vector, direction: Vector) => void;
  /** Replaces the camera. */
  setCamera: (camera: ModelCamera) => void;
}

/** The target of the camera. */
export interface CameraSubject {
  box: BoundingBox;
  frame: PatientFrame;
}

/** The camera of a scene. Until the user moves it, it adapts to each loaded model so that everything is visible. */
export function useModelCamera(subject: CameraSubject | null, size: Size | null): CameraControls {
  const [given, setGiven] = useState<ModelCamera | null>(null);
  const [view, setView] = useState<CameraViewName | null>("front");
  const [hasPerspective, setPerspective] = useState(false);
  const named = useMemo(
    () => (subject && size ? createViewCamera(view ?? "front", subject.frame, subject.box, size) : null),
    [subject, size, view],
  );
  const held = given ?? named;
  const camera = useMemo(() => held && { ...held, hasPerspective }, [held, hasPerspective]);
  const animation = useCameraAnimation(setGiven);
  const alter = (change: (camera: ModelCamera, viewport: Size) => ModelCamera, leavesView: boolean) => {
    if (!camera || !size) return;
    animation.stop();
    setGiven((now) => change(now ?? camera, size));
    if (leavesView) setView(null);
  };
  return {
    camera,
    view,
    showView: (name) => {
      animation.stop();
      setView(name);
      setGiven(null);
    },
    orbit: (by) => alter((now, viewport) => orbitCamera(now, by, viewport), true),
    roll: (angle) => alter((now) => rollCamera(now, angle), true),
    pan: (by) => alter((now) => panCamera(now, by), false),
    zoom: (factor, at, by) =>
      alter((now, viewport) => {
        const zoomed = zoomCamera(now, viewport, at ?? [viewport.width / 2, viewport.height / 2], factor);
        return by ? panCamera(zoomed, by) : zoomed;
      }, false),
    fit: () => alter((now, viewport) => (subject ? fitCamera(now, subject.box, viewport) : now), false),
    togglePerspective: () => setPerspective(!hasPerspective),
    faceDirection: (point, direction) => {
      if (!camera) return;
      setView(null);
      animation.animate(camera, aimCamera(camera, point, direction));
    },
    setCamera: (seen) => {
      animation.stop();
      setView(null);
      setGiven(seen);
    },
  };
}

const animationMs = 350;

interface CameraAnimation {
  animate: (from: ModelCamera, to: ModelCamera) => void;
  /** A drag on the model stops it in its current pose. */
  stop: () => void;
}

/** Animates a camera to its target, so that the user sees the way; at once if the user prefers reduced motion. */
function useCameraAnimation(set: (camera: ModelCamera) => void): CameraAnimation {
  const frame = useRef(0);
  const latest = useRef(set);
  useEffect(() => void (latest.current = set));
  const stop = useCallback(() => cancelAnimationFrame(frame.current), []);
  useEffect(() => stop, [stop]);
  const animate = useCallback(
    (from: ModelCamera, to: ModelCamera) => {
      stop();
      if (matchMedia("(prefers-reduced-motion: reduce)").matches) return latest.current(to);
      const began = performance.now();
      const step = () => {
        const part = Math.min(1, (performance.now() - began) / animationMs);
        latest.current(part === 1 ? to : interpolateCameras(from, to, part * part * (3 - 2 * part)));
        if (part < 1) frame.current = requestAnimationFrame(step);
      };
      step();
    },
    [stop],
  );
  return { animate, stop };
}

/** The scene as far as it is loaded; null before the first model. */
export function useCameraSubject(
  models: readonly SceneModel[],
  loads: ReadonlyMap<string, MeshLoad>,
  poses: ReadonlyMap<string, RigidTransform>,
  frame: PatientFrame,
): CameraSubject | null {
  const [known, setKnown] = useState<{ of: string; subject: CameraSubject | null }>({ of: "", subject: null });
  const ready = models.flatMap((model) => {
    const mesh = getDrawnMesh(loads.get(model.id));
    return mesh ? [{ model, mesh, pose: poses.get(model.id) ?? identityTransform }] : [];
  });
  const of = JSON.stringify([frame, ...ready.map(({ model, mesh, pose }) => [model.id, mesh.bounds, pose])]);
  // While a model is loaded again, the target is kept.
  if (ready.length === 0 || known.of === of) return known.subject;
  const box = boxAround(
    ready.map(({ mesh, pose }) => cornersOf(mesh.bounds).map((corner) => transformPoint(pose, corner))).flat(),
  );
  const subject = { box, frame };
  setKnown({ of, subject });
  return subject;
}

const cornersOf = ({ min, max }: BoundingBox): Vector[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((at) => [(at & 1 ? max : min)[0], (at & 2 ? max : min)[1], (at & 4 ? max : min)[2]]);

function boxAround(points: readonly Vector[]): BoundingBox {
  const side = (axis: 0 | 1 | 2, end: "min" | "max") => Math[end](...points.map((point) => point[axis]));
  return {
    min: [side(0, "min"), side(1, "min"), side(2, "min")],
    max: [side(0, "max"), side(1, "max"), side(2, "max")],
  };
}
