import { useRef, useState } from "react";
import type { PlaneName } from "@arcada/imaging/view/plane-view";
import type { PlaneSet } from "@arcada/imaging/view/oblique-planes";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { JointSide } from "../../ct-core/viewport-layouts.ts";
import {
  moveToDepth,
  createCameraPose,
  guessJointPosition,
  moveToPoint,
  stepSlices,
  type CameraPose,
} from "./linked-planes-pose.ts";
import type { VolumeStore } from "../loading/volume-store.ts";

/** The linked planes of a volume and the functions that move them. */
export interface CameraPoseControls extends CameraPose {
  setCrosshair: (point: Vector) => void;
  setDepth: (name: PlaneName, depth: number) => void;
  /** Moves by the whole steps of `notches`; the rest is kept for the next turn of the wheel. */
  scroll: (name: PlaneName, notches: number, keepRest: (rest: number) => void) => void;
  /** Rotates the planes about a point, or moves to another. Returns the state before and after. */
  setPlanes: (change: (now: PlaneSet) => PlaneSet, point?: Vector) => readonly [before: CameraPose, after: CameraPose];
}

/** The rotation of all planes, independent of their position. */
export type PlaneRotations = Record<"main" | JointSide, PlaneSet>;

interface CameraPoses {
  main: CameraPose;
  joints: Record<JointSide, CameraPose>;
  /** The joint that was touched last. */
  side: JointSide;
}

/**
 * `hasJoints`: the layout shows both joints side by side, each with its own planes. Viewports that show both follow the
 * joint that was touched last.
 */
export function useCameraPose(
  store: VolumeStore,
  hasJoints: boolean,
): {
  getCameraPose: (side?: JointSide) => CameraPoseControls;
  mainCameraPose: CameraPose;
  reset: () => void;
  rotations: PlaneRotations;
  rotateTo: (rotations: PlaneRotations) => void;
} {
  const { fullInfo: info } = store;
  const [cameraPoses, setCameraPoses] = useState(() => createInitialCameraPoses(store));
  // Several moves of a drag may arrive before the page is rendered again.
  const latest = useRef(cameraPoses);
  const set = (next: CameraPoses) => setCameraPoses((latest.current = next));
  const selectCameraPose = (now: CameraPoses, side: JointSide | undefined): CameraPose =>
    side ? now.joints[side] : hasJoints ? now.joints[now.side] : now.main;
  const alter = (side: JointSide | undefined, change: (now: CameraPose) => CameraPose) => {
    const now = latest.current;
    if (!side && !hasJoints) return set({ ...now, main: change(now.main) });
    const touched = side ?? now.side;
    set({ ...now, side: touched, joints: { ...now.joints, [touched]: change(now.joints[touched]) } });
  };
  const getCameraPose = (side?: JointSide): CameraPoseControls => ({
    ...selectCameraPose(cameraPoses, side),
    setCrosshair: (point) =>
      alter(side ?? (hasJoints ? findJointSide(store, point) : undefined), (now) => moveToPoint(info, now, point)),
    setDepth: (name, depth) => alter(side, (now) => moveToDepth(now, name, depth)),
    scroll: (name, notches, keepRest) => {
      const steps = Math.trunc(notches);
      keepRest(notches - steps);
      if (steps !== 0) alter(side, (now) => stepSlices(info, now, name, steps));
    },
    setPlanes: (change, point) => {
      const before = selectCameraPose(latest.current, side);
      const after = { planes: change(before.planes), crosshair: point ?? before.crosshair };
      alter(side, () => after);
      return [before, after];
    },
  });
  const rotations: PlaneRotations = {
    main: cameraPoses.main.planes,
    right: cameraPoses.joints.right.planes,
    left: cameraPoses.joints.left.planes,
  };
  const rotateTo = ({ main, right, left }: PlaneRotations) =>
    set({
      ...latest.current,
      main: { ...latest.current.main, planes: main },
      joints: {
        right: { ...latest.current.joints.right, planes: right },
        left: { ...latest.current.joints.left, planes: left },
      },
    });
  return {
    getCameraPose,
    mainCameraPose: cameraPoses.main,
    reset: () => set(createInitialCameraPoses(store)),
    rotations,
    rotateTo,
  };
}

const createInitialCameraPoses = ({ fullInfo: info, middle }: VolumeStore): CameraPoses => ({
  main: createCameraPose(middle),
  joints: {
    right: moveToPoint(info, createCameraPose(middle), guessJointPosition(info, "right")),
    left: moveToPoint(info, createCameraPose(middle), guessJointPosition(info, "left")),
  },
  side: "right",
});

// The first axis of patient space runs to the patient's left.
const findJointSide = ({ middle }: VolumeStore, point: Vector): JointSide => (point[0] > middle[0] ? "left" : "right");
