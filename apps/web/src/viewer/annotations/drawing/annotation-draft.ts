import { annotationTools } from "@arcada/contract/study/annotation";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { annotationKindOf, type DrawingTool } from "../annotation-kind-registry.ts";

/** An annotation while it is being drawn: the last point follows the pointer. `P` is the viewer's own kind of point. */
export interface AnnotationDraft<P> {
  tool: DrawingTool;
  points: readonly P[];
  /** The start of the press that set the moving point, in CSS pixels; null between presses. */
  pressed: Point2D | null;
  /** The position at which its last point was set. */
  lastPointAt: Point2D | null;
  /** True after a press at the last point: no more points follow. */
  isEnding?: boolean;
}

/**
 * Returns the first points of an annotation made without a pointer: around the middle of the viewport, to be moved by
 * the arrow keys.
 */
export function createCentredPoints(
  tool: DrawingTool,
  { width, height }: { width: number; height: number },
): Point2D[] {
  const reach = Math.min(width, height) / 8;
  const points = annotationKindOf(tool).initialPoints ?? defaultCorners.slice(0, annotationTools[tool].min);
  return points.map(([x, y]) => [width / 2 + x * reach, height / 2 + y * reach]);
}

const defaultCorners: readonly Point2D[] = [
  [-1, 0],
  [1, 0],
  [1, 1],
  [-1, 1.5],
];

/**
 * Handles pointer down: starts a new draft, or sets the moving point here and, if more points may follow, adds the next
 * one.
 */
export function pressDraft<P>(
  draft: AnnotationDraft<P> | null,
  tool: DrawingTool,
  point: P,
  at: Point2D,
): AnnotationDraft<P> {
  if (!draft)
    return annotationTools[tool].max === 1
      ? { tool, points: [point], pressed: null, lastPointAt: at }
      : { tool, points: [point, point], pressed: at, lastPointAt: at };
  if (hasVariableLength(draft.tool) && isSamePosition(at, draft.lastPointAt) && finishDraft(draft))
    return { ...draft, isEnding: true };
  const { points } = moveDraft(draft, point);
  const isLast = points.length === annotationTools[draft.tool].max;
  return {
    tool: draft.tool,
    points: isLast ? points : [...points, point],
    pressed: isLast ? null : at,
    lastPointAt: at,
  };
}

/** True for tools whose number of points is decided by the user. */
const hasVariableLength = (tool: DrawingTool): boolean => annotationTools[tool].max > annotationTools[tool].min;

/** CSS pixels: a finger does not return to exactly the same position. */
const isSamePosition = ([x, y]: Point2D, target: Point2D | null): boolean =>
  target !== null && Math.hypot(x - target[0], y - target[1]) < 12;

export const moveDraft = <P>(draft: AnnotationDraft<P>, point: P): AnnotationDraft<P> => ({
  ...draft,
  points: [...draft.points.slice(0, -1), point],
});

/**
 * Handles pointer up. Both ways of drawing work: press, drag and release; or click each point. Returns the points of a
 * finished annotation, or the draft that continues.
 */
export function releaseDraft<P>(
  draft: AnnotationDraft<P>,
  point: P,
  at: Point2D,
): { done: readonly P[] } | { draft: AnnotationDraft<P> } {
  const finished = draft.isEnding ? finishDraft(draft) : null;
  if (finished) return { done: finished };
  const wasClick = draft.pressed && Math.hypot(at[0] - draft.pressed[0], at[1] - draft.pressed[1]) < 4;
  const moved = { ...moveDraft(draft, point), pressed: null };
  // A second click in the same position sets no point: there is nothing to measure between them.
  const isTwice = annotationTools[draft.tool].min > 1 && String(moved.points.at(-1)) === String(moved.points.at(-2));
  if (wasClick || isTwice) return { draft: moved };
  if (moved.points.length === annotationTools[draft.tool].max) return { done: moved.points };
  return { draft: { ...moved, points: [...moved.points, point], lastPointAt: at } };
}

/**
 * Finishes an annotation that may have more points, without the one that still follows the pointer. Null if there are
 * too few.
 */
export function finishDraft<P>({ tool, points }: AnnotationDraft<P>): readonly P[] | null {
  // A double click has set its point twice.
  const set = points.slice(0, -1).filter((point, at, all) => String(point) !== String(all[at - 1]));
  return set.length >= annotationTools[tool].min ? set : null;
}
