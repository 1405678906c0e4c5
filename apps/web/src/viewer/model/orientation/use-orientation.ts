import { useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { orientationOf, type Orientation, type PlacedScan } from "@arcada/imaging/orientation/orientation";
import { atRest, inverted, turned, type Movement } from "@arcada/imaging/surface/movement";
import { frameFrom, frontToBack, upsideDown, type Jaw, type PatientFrame } from "@arcada/imaging/view/patient-frame";
import { vectorOf } from "@arcada/imaging/view/vector";
import type { Marks } from "../../marks/use-marks.ts";
import type { SceneModel } from "../scene-model.ts";
import type { MeshLoad } from "../use-meshes.ts";
import type { ModelControls } from "../use-model-camera.ts";

/** The orientation of the patient in a scene, and the corrections that a user can make. */
export interface SceneOrientation extends Orientation {
  /** True if every model is loaded or has failed: an unknown orientation remains unknown. */
  isSettled: boolean;
  /** True if no model is known as an upper or a lower jaw. */
  asksJaw: boolean;
  /** True if a user has set the orientation. */
  isSaid: boolean;
  turnUpsideDown: () => void;
  turnFrontToBack: () => void;
  /** Confirms that the orientation shown is right. */
  confirm: () => void;
  sayJaw: (jaw: Jaw) => void;
  /** Restores the detected orientation. */
  reset: () => void;
}

interface Given {
  models: readonly SceneModel[];
  loads: ReadonlyMap<string, MeshLoad>;
  poses: ReadonlyMap<string, Movement>;
  marks: Marks;
}

interface Placed extends PlacedScan {
  id: string;
  pose: Movement;
}

/**
 * The orientation set by the user, else the one detected from the scans. A correction of a known orientation is saved
 * at once; any other when it is confirmed.
 */
export function useOrientation({ models, loads, poses, marks }: Given): SceneOrientation {
  const [tried, setTried] = useState<PatientFrame | null>(null);
  const scans = models.flatMap((model): Placed[] => {
    const load = loads.get(model.id);
    if (load?.state !== "ready") return [];
    return [{ id: model.id, shape: load.mesh.shape, jaw: model.jaw, pose: poses.get(model.id) ?? atRest }];
  });
  const mark = marks.list.find(
    ({ tool, instanceId }) => tool === "orientation" && scans.some(({ id }) => id === instanceId),
  );
  const said = mark ? frameOf(mark, scans) : null;
  const found = said ? { frame: said, isKnown: true } : orientationOf(scans);
  const now = tried ? { frame: tried, isKnown: false } : found;
  const keep = (frame: PatientFrame) => {
    const [scan] = scans;
    if (scan) marks.put({ ...markOf(frame, scan), id: mark?.id });
    setTried(null);
  };
  const alter = (frame: PatientFrame) => (now.isKnown ? keep(frame) : setTried(frame));
  return {
    ...now,
    isSettled: scans.length > 0 && models.every(({ id }) => loads.get(id) && loads.get(id)?.state !== "loading"),
    asksJaw: scans.every(({ jaw }) => jaw === null),
    isSaid: said !== null || tried !== null,
    turnUpsideDown: () => alter(upsideDown(now.frame)),
    turnFrontToBack: () => alter(frontToBack(now.frame)),
    confirm: () => keep(now.frame),
    sayJaw: (jaw) => {
      const { frame, isKnown } = orientationOf(scans.map((scan) => ({ ...scan, jaw })));
      if (isKnown) keep(frame);
      else setTried(frame);
    },
    reset: () => {
      setTried(null);
      if (mark) marks.remove(mark.id);
    },
  };
}

/** A user who turns the scene sees it turned, even after looking at it from elsewhere. */
export function lookingAgain(
  orientation: SceneOrientation,
  { view, look }: Pick<ModelControls, "view" | "look">,
): SceneOrientation {
  const after =
    <A extends unknown[]>(act: (...given: A) => void) =>
    (...given: A): void => {
      act(...given);
      look(view ?? "front");
    };
  return {
    ...orientation,
    turnUpsideDown: after(orientation.turnUpsideDown),
    turnFrontToBack: after(orientation.turnFrontToBack),
    sayJaw: after(orientation.sayJaw),
    reset: after(orientation.reset),
  };
}

/** In the model's own space: the annotation stays valid when the model is moved. */
const markOf = ({ up, back }: PatientFrame, { id, pose }: Placed): Omit<Mark, "id"> => ({
  tool: "orientation",
  instanceId: id,
  points: [up, back].map((direction) => [...turned(inverted(pose), direction)]),
  plane: null,
  text: null,
});

/** Null if the directions are invalid. */
function frameOf({ instanceId, points }: Mark, scans: readonly Placed[]): PatientFrame | null {
  const pose = scans.find(({ id }) => id === instanceId)?.pose ?? atRest;
  const [up, back] = points.map((point) => turned(pose, vectorOf(point)));
  if (!up || !back) return null;
  const frame = frameFrom(up, back);
  return Math.hypot(...frame.left) > 0.99 ? frame : null;
}
