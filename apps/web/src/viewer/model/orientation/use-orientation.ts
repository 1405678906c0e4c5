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

/** How the patient lies in a scene, and what a person can say about it. */
export interface SceneOrientation extends Orientation {
  /** Every model has come or has failed: what is unknown now stays so. */
  isSettled: boolean;
  /** No model is known as an upper or a lower jaw. */
  asksJaw: boolean;
  /** A person has said how it lies. */
  isSaid: boolean;
  turnUpsideDown: () => void;
  turnFrontToBack: () => void;
  /** What is shown is right. */
  confirm: () => void;
  sayJaw: (jaw: Jaw) => void;
  /** Back to what was detected. */
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

/** As a person has said it, else as the scans tell. What is said of an orientation that was known is kept at once; otherwise once it is confirmed. */
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

/** Whoever turns the scene sees it turned, also after looking at it from elsewhere. */
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

/** In the model's own space: the mark holds wherever the model is moved. */
const markOf = ({ up, back }: PatientFrame, { id, pose }: Placed): Omit<Mark, "id"> => ({
  tool: "orientation",
  instanceId: id,
  points: [up, back].map((direction) => [...turned(inverted(pose), direction)]),
  plane: null,
  text: null,
});

/** Null for directions that are none. */
function frameOf({ instanceId, points }: Mark, scans: readonly Placed[]): PatientFrame | null {
  const pose = scans.find(({ id }) => id === instanceId)?.pose ?? atRest;
  const [up, back] = points.map((point) => turned(pose, vectorOf(point)));
  if (!up || !back) return null;
  const frame = frameFrom(up, back);
  return Math.hypot(...frame.left) > 0.99 ? frame : null;
}
