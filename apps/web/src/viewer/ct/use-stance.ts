import { useState } from "react";
import type { PlaneName } from "@arcada/imaging/view/plane";
import {
  angleIn,
  isStraight,
  planesThrough,
  straightPlanes,
  turnedPlanes,
  type Planes,
} from "@arcada/imaging/view/turned-planes";
import type { Vector } from "@arcada/imaging/view/vector";
import type { Side } from "./layout/layouts.ts";
import { atDepth, firstStance, jointGuess, movedTo, stepped, type Stance } from "./stance.ts";
import type { VolumeStore } from "./volume-store.ts";

/** The linked planes of a volume and the hands that move them. */
export interface StanceControls extends Stance {
  setCross: (point: Vector) => void;
  setDepth: (name: PlaneName, depth: number) => void;
  /** Whole steps of `notches` are gone, the rest is kept for the next turn of the wheel. */
  scroll: (name: PlaneName, notches: number, keepRest: (rest: number) => void) => void;
  /** Turns the two other planes' lines on the screen of this one, clockwise; degrees. */
  turn: (name: PlaneName, degrees: number) => void;
  /** How far the other planes' lines are turned in this one, −180 to 180 degrees. */
  angleOf: (name: PlaneName) => number;
  /** Turns all planes so that this one lies as told, and goes to the point. */
  lookAlong: (name: PlaneName, right: Vector, down: Vector, point: Vector) => void;
  isStraight: boolean;
  straighten: () => void;
}

interface Stances {
  main: Stance;
  joints: Record<Side, Stance>;
  /** The joint that was touched last. */
  side: Side;
}

/** `hasJoints`: two places with planes of their own stand side by side, and what shows both follows the one that was touched last. */
export function useStance(
  store: VolumeStore,
  hasJoints: boolean,
  onTurn: (before: Stance, after: Stance, side: Side | undefined) => void,
): { stanceOf: (side?: Side) => StanceControls; reset: () => void } {
  const { info } = store;
  const [stances, setStances] = useState(() => firstStances(store));
  const spotOf = (now: Stances, side: Side | undefined): Stance =>
    side ? now.joints[side] : hasJoints ? now.joints[now.side] : now.main;
  const alter = (side: Side | undefined, change: (now: Stance) => Stance) =>
    setStances((now) => {
      if (!side && !hasJoints) return { ...now, main: change(now.main) };
      const touched = side ?? now.side;
      return { ...now, side: touched, joints: { ...now.joints, [touched]: change(now.joints[touched]) } };
    });
  const stanceOf = (side?: Side): StanceControls => {
    const stance = spotOf(stances, side);
    const turnTo = (planes: Planes, point = stance.cross) => {
      onTurn(stance, { planes, cross: point }, side);
      alter(side, () => ({ planes, cross: point }));
    };
    return {
      ...stance,
      setCross: (point) =>
        alter(side ?? (hasJoints ? sideOf(store, point) : undefined), (now) => movedTo(info, now, point)),
      setDepth: (name, depth) => alter(side, (now) => atDepth(now, name, depth)),
      scroll: (name, notches, keepRest) => {
        const steps = Math.trunc(notches);
        keepRest(notches - steps);
        if (steps !== 0) alter(side, (now) => stepped(info, now, name, steps));
      },
      turn: (name, degrees) => turnTo(turnedPlanes(stance.planes, name, degrees)),
      angleOf: (name) => angleIn(stance.planes, name),
      lookAlong: (name, right, down, point) => turnTo(planesThrough(stance.planes, name, right, down), point),
      isStraight: isStraight(stance.planes),
      straighten: () => turnTo(straightPlanes),
    };
  };
  return { stanceOf, reset: () => setStances(firstStances(store)) };
}

const firstStances = ({ info, middle }: VolumeStore): Stances => ({
  main: firstStance(middle),
  joints: {
    right: movedTo(info, firstStance(middle), jointGuess(info, "right")),
    left: movedTo(info, firstStance(middle), jointGuess(info, "left")),
  },
  side: "right",
});

// The first axis of patient space runs to the patient's left.
const sideOf = ({ middle }: VolumeStore, point: Vector): Side => (point[0] > middle[0] ? "left" : "right");
