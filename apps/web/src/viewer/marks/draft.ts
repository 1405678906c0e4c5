import { markTools } from "@arcada/contract/study/mark";
import type { Spot } from "@arcada/imaging/view/measure";
import { kindOf, type DrawnTool } from "./kind.ts";

/** An annotation while it is being drawn: the last point follows the pointer. `P` is the viewer's own kind of point. */
export interface Draft<P> {
  tool: DrawnTool;
  points: readonly P[];
  /** The start of the press that set the moving point, in CSS pixels; null between presses. */
  pressed: Spot | null;
  /** The position at which its last point was set. */
  setAt: Spot | null;
  /** True after a press at the last point: no more points follow. */
  isEnding?: boolean;
}

/**
 * Returns the first points of an annotation made without a pointer: around the middle of the viewport, to be moved by
 * the arrow keys.
 */
export function middleSpots(tool: DrawnTool, { width, height }: { width: number; height: number }): Spot[] {
  const reach = Math.min(width, height) / 8;
  const spots = kindOf(tool).start ?? corners.slice(0, markTools[tool].least);
  return spots.map(([x, y]) => [width / 2 + x * reach, height / 2 + y * reach]);
}

const corners: readonly Spot[] = [
  [-1, 0],
  [1, 0],
  [1, 1],
  [-1, 1.5],
];

/**
 * Handles pointer down: starts a new draft, or sets the moving point here and, if more points may follow, adds the next
 * one.
 */
export function pressDraft<P>(draft: Draft<P> | null, tool: DrawnTool, point: P, at: Spot): Draft<P> {
  if (!draft)
    return markTools[tool].most === 1
      ? { tool, points: [point], pressed: null, setAt: at }
      : { tool, points: [point, point], pressed: at, setAt: at };
  if (isOpen(draft.tool) && isAt(at, draft.setAt) && finishDraft(draft)) return { ...draft, isEnding: true };
  const { points } = moveDraft(draft, point);
  const isLast = points.length === markTools[draft.tool].most;
  return { tool: draft.tool, points: isLast ? points : [...points, point], pressed: isLast ? null : at, setAt: at };
}

/** True for tools whose number of points is decided by the user. */
const isOpen = (tool: DrawnTool): boolean => markTools[tool].most > markTools[tool].least;

/** CSS pixels: a finger does not return to exactly the same position. */
const isAt = ([x, y]: Spot, there: Spot | null): boolean =>
  there !== null && Math.hypot(x - there[0], y - there[1]) < 12;

export const moveDraft = <P>(draft: Draft<P>, point: P): Draft<P> => ({
  ...draft,
  points: [...draft.points.slice(0, -1), point],
});

/**
 * Handles pointer up. Both ways of drawing work: press, drag and release; or click each point. Returns the points of a
 * finished annotation, or the draft that continues.
 */
export function releaseDraft<P>(draft: Draft<P>, point: P, at: Spot): { done: readonly P[] } | { draft: Draft<P> } {
  const whole = draft.isEnding ? finishDraft(draft) : null;
  if (whole) return { done: whole };
  const wasClick = draft.pressed && Math.hypot(at[0] - draft.pressed[0], at[1] - draft.pressed[1]) < 4;
  const moved = { ...moveDraft(draft, point), pressed: null };
  // A second click in the same position sets no point: there is nothing to measure between them.
  const isTwice = markTools[draft.tool].least > 1 && String(moved.points.at(-1)) === String(moved.points.at(-2));
  if (wasClick || isTwice) return { draft: moved };
  if (moved.points.length === markTools[draft.tool].most) return { done: moved.points };
  return { draft: { ...moved, points: [...moved.points, point], setAt: at } };
}

/**
 * Finishes an annotation that may have more points, without the one that still follows the pointer. Null if there are
 * too few.
 */
export function finishDraft<P>({ tool, points }: Draft<P>): readonly P[] | null {
  // A double click has set its point twice.
  const set = points.slice(0, -1).filter((point, at, all) => String(point) !== String(all[at - 1]));
  return set.length >= markTools[tool].least ? set : null;
}
