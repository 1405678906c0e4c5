import type { Spot } from "../geometry/measure.ts";

export type MarkTool = "length" | "angle";

/** A mark while it is drawn: the last point follows the pointer. `P` is the viewer's own kind of point. */
export interface Draft<P> {
  tool: MarkTool;
  points: readonly P[];
  /** Where the press began that set the moving point, in CSS pixels; null between presses. */
  pressed: Spot | null;
}

const pointsOf: Record<MarkTool, number> = { length: 2, angle: 3 };

/** Where a mark begins that is made without a pointer: in the middle of the pane, to be moved by the arrow keys. */
export function middleSpots(tool: MarkTool, { width, height }: { width: number; height: number }): Spot[] {
  const [x, y] = [width / 2, height / 2];
  const reach = Math.min(width, height) / 8;
  const line: Spot[] = [
    [x - reach, y],
    [x + reach, y],
  ];
  return tool === "length" ? line : [...line, [x + reach, y + reach]];
}

/** The pointer goes down: a new draft, or the moving point is placed here. */
export const pressDraft = <P>(draft: Draft<P> | null, tool: MarkTool, point: P, at: Spot): Draft<P> =>
  draft ? { ...moveDraft(draft, point), pressed: null } : { tool, points: [point, point], pressed: at };

export const moveDraft = <P>(draft: Draft<P>, point: P): Draft<P> => ({
  ...draft,
  points: [...draft.points.slice(0, -1), point],
});

/**
 * The pointer goes up. Both ways of drawing work: press, drag and let go; or click each point.
 * Answers a finished mark's points, or the draft that goes on.
 */
export function releaseDraft<P>(draft: Draft<P>, point: P, at: Spot): { done: readonly P[] } | { draft: Draft<P> } {
  const wasClick = draft.pressed && Math.hypot(at[0] - draft.pressed[0], at[1] - draft.pressed[1]) < 4;
  const moved = { ...moveDraft(draft, point), pressed: null };
  if (wasClick) return { draft: moved };
  if (moved.points.length === pointsOf[draft.tool]) return { done: moved.points };
  return { draft: { ...moved, points: [...moved.points, point] } };
}
