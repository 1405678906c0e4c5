import { useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import { determineOrientation, type Orientation, type PlacedScan } from "@arcada/imaging/orientation/scan-orientation";
import {
  identityTransform,
  invertTransform,
  rotate,
  type RigidTransform,
} from "@arcada/imaging/geometry/rigid-transform";
import {
  createPatientFrame,
  rotateFrontToBack,
  rotateUpsideDown,
  type Jaw,
  type PatientFrame,
} from "@arcada/imaging/geometry/patient-frame";
import { toVector } from "@arcada/imaging/geometry/vector";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import type { SceneModel } from "../scene-model.ts";
import { getDrawnMesh, type MeshLoad } from "../mesh/use-meshes.ts";
import type { CameraControls } from "../rendering/use-model-camera.ts";

/** The orientation of the patient in a scene, and the corrections that a user can make. */
export interface SceneOrientation extends Orientation {
  /** True if every model is loaded or has failed: an unknown orientation remains unknown. */
  isSettled: boolean;
  /** True if no model is known as an upper or a lower jaw. */
  needsJaw: boolean;
  /** True if a user has set the orientation. */
  isUserSet: boolean;
  turnUpsideDown: () => void;
  turnFrontToBack: () => void;
  /** Confirms that the orientation shown is right. */
  confirm: () => void;
  setJaw: (jaw: Jaw) => void;
  /** Restores the detected orientation. */
  reset: () => void;
}

interface Given {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  poses: ReadonlyMap<string, RigidTransform>;
  annotations: AnnotationStore;
}

interface Placed extends PlacedScan {
  id: string;
  pose: RigidTransform;
}

/**
 * The orientation set by the user, else the one detected from the scans. A correction of a known orientation is saved
 * at once; any other when it is confirmed.
 */
export function useOrientation({ models, loads, poses, annotations }: Given): SceneOrientation {
  const [unconfirmed, setUnconfirmed] = useState<PatientFrame | null>(null);
  const scans = models.flatMap((model): Placed[] => {
    const mesh = getDrawnMesh(loads.get(model.id));
    if (!mesh) return [];
    return [{ id: model.id, shape: mesh.shape, jaw: model.jaw, pose: poses.get(model.id) ?? identityTransform }];
  });
  const annotation = annotations.list.find(
    ({ tool, instanceId }) => tool === "orientation" && scans.some(({ id }) => id === instanceId),
  );
  const userFrame = annotation ? readFrame(annotation, scans) : null;
  const found = userFrame ? { frame: userFrame, isKnown: true } : determineOrientation(scans);
  const now = unconfirmed ? { frame: unconfirmed, isKnown: false } : found;
  const save = (frame: PatientFrame) => {
    const [scan] = scans;
    if (scan) annotations.put({ ...buildAnnotation(frame, scan), id: annotation?.id });
    setUnconfirmed(null);
  };
  const alter = (frame: PatientFrame) => (now.isKnown ? save(frame) : setUnconfirmed(frame));
  return {
    ...now,
    isSettled: scans.length > 0 && models.every(({ id }) => loads.get(id) && loads.get(id)?.state !== "loading"),
    needsJaw: scans.every(({ jaw }) => jaw === null),
    isUserSet: userFrame !== null || unconfirmed !== null,
    turnUpsideDown: () => alter(rotateUpsideDown(now.frame)),
    turnFrontToBack: () => alter(rotateFrontToBack(now.frame)),
    confirm: () => save(now.frame),
    setJaw: (jaw) => {
      const { frame, isKnown } = determineOrientation(scans.map((scan) => ({ ...scan, jaw })));
      if (isKnown) save(frame);
      else setUnconfirmed(frame);
    },
    reset: () => {
      setUnconfirmed(null);
      if (annotation) annotations.remove(annotation.id);
    },
  };
}

/** A user who turns the scene sees it turned, even after looking at it from elsewhere. */
export function withViewReset(
  orientation: SceneOrientation,
  { view, showView }: Pick<CameraControls, "view" | "showView">,
): SceneOrientation {
  const thenShowView =
    <A extends unknown[]>(action: (...given: A) => void) =>
    (...given: A): void => {
      action(...given);
      showView(view ?? "front");
    };
  return {
    ...orientation,
    turnUpsideDown: thenShowView(orientation.turnUpsideDown),
    turnFrontToBack: thenShowView(orientation.turnFrontToBack),
    setJaw: thenShowView(orientation.setJaw),
    reset: thenShowView(orientation.reset),
  };
}

/** In the model's own space: the annotation stays valid when the model is moved. */
const buildAnnotation = ({ up, back }: PatientFrame, { id, pose }: Placed): Omit<Annotation, "id"> => ({
  tool: "orientation",
  instanceId: id,
  points: [up, back].map((direction) => [...rotate(invertTransform(pose), direction)]),
  plane: null,
  text: null,
});

/** Null if the directions are invalid. */
function readFrame({ instanceId, points }: Annotation, scans: readonly Placed[]): PatientFrame | null {
  const pose = scans.find(({ id }) => id === instanceId)?.pose ?? identityTransform;
  const [up, back] = points.map((point) => rotate(pose, toVector(point)));
  if (!up || !back) return null;
  const frame = createPatientFrame(up, back);
  return Math.hypot(...frame.left) > 0.99 ? frame : null;
}
