import { useRef, useState } from "react";
import type { PlaneName } from "@arcada/imaging/view/plane";
import type { Planes } from "@arcada/imaging/view/turned-planes";
import type { Vector } from "@arcada/imaging/view/vector";
import type { Side } from "./layout/layouts.ts";
import { atDepth, firstStance, jointGuess, movedTo, stepped, type Stance } from "./stance.ts";
import type { VolumeStore } from "./volume-store.ts";

/** The linked planes of a volume and the functions that move them. */
export interface StanceControls extends Stance {
  setCross: (point: Vector) => void;
  setDepth: (name: PlaneName, depth: number) => void;
  /** Moves by the whole steps of `notches`; the rest is kept for the next turn of the wheel. */
  scroll: (name: PlaneName, notches: number, keepRest: (rest: number) => void) => void;
  /** Rotates the planes about a point, or moves to another. Returns the state before and after. */
  setPlanes: (change: (now: Planes) => Planes, point?: Vector) => readonly [before: Stance, after: Stance];
}

/** The rotation of all planes, independent of their position. */
export type Turned = Record<"main" | Side, Planes>;

interface Stances {
  main: Stance;
  joints: Record<Side, Stance>;
  /** The joint that was touched last. */
  side: Side;
}

/**
 * `hasJoints`: two places with planes of their own are side by side, and viewports that show both follow the one that
 * was touched last.
 */
export function useStance(
  store: VolumeStore,
  hasJoints: boolean,
): {
  stanceOf: (side?: Side) => StanceControls;
  mainStance: Stance;
  reset: () => void;
  turned: Turned;
  turnTo: (turned: Turned) => void;
} {
  const { whole: info } = store;
  const [stances, show] = useState(() => firstStances(store));
  // Several moves of a drag may arrive before the page is rendered again.
  const latest = useRef(stances);
  const set = (next: Stances) => show((latest.current = next));
  const stanceIn = (now: Stances, side: Side | undefined): Stance =>
    side ? now.joints[side] : hasJoints ? now.joints[now.side] : now.main;
  const alter = (side: Side | undefined, change: (now: Stance) => Stance) => {
    const now = latest.current;
    if (!side && !hasJoints) return set({ ...now, main: change(now.main) });
    const touched = side ?? now.side;
    set({ ...now, side: touched, joints: { ...now.joints, [touched]: change(now.joints[touched]) } });
  };
  const stanceOf = (side?: Side): StanceControls => ({
    ...stanceIn(stances, side),
    setCross: (point) =>
      alter(side ?? (hasJoints ? sideOf(store, point) : undefined), (now) => movedTo(info, now, point)),
    setDepth: (name, depth) => alter(side, (now) => atDepth(now, name, depth)),
    scroll: (name, notches, keepRest) => {
      const steps = Math.trunc(notches);
      keepRest(notches - steps);
      if (steps !== 0) alter(side, (now) => stepped(info, now, name, steps));
    },
    setPlanes: (change, point) => {
      const before = stanceIn(latest.current, side);
      const after = { planes: change(before.planes), cross: point ?? before.cross };
      alter(side, () => after);
      return [before, after];
    },
  });
  const turned: Turned = {
    main: stances.main.planes,
    right: stances.joints.right.planes,
    left: stances.joints.left.planes,
  };
  const turnTo = ({ main, right, left }: Turned) =>
    set({
      ...latest.current,
      main: { ...latest.current.main, planes: main },
      joints: {
        right: { ...latest.current.joints.right, planes: right },
        left: { ...latest.current.joints.left, planes: left },
      },
    });
  return { stanceOf, mainStance: stances.main, reset: () => set(firstStances(store)), turned, turnTo };
}

const firstStances = ({ whole: info, middle }: VolumeStore): Stances => ({
  main: firstStance(middle),
  joints: {
    right: movedTo(info, firstStance(middle), jointGuess(info, "right")),
    left: movedTo(info, firstStance(middle), jointGuess(info, "left")),
  },
  side: "right",
});

// The first axis of patient space runs to the patient's left.
const sideOf = ({ middle }: VolumeStore, point: Vector): Side => (point[0] > middle[0] ? "left" : "right");
