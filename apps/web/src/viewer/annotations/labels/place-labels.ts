import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import { estimateTextWidth, overlaps, type TextBox } from "../../ui/viewport/text-boxes.ts";

/** Text beside a point of its annotation, in CSS pixels of the viewport. */
export interface Label {
  at: Point2D;
  rows: readonly string[];
}

/** The position at which their first row begins, or ends. */
export interface LabelPosition {
  x: number;
  y: number;
  anchor: "start" | "end";
}

/** CSS pixels from one row to the next. */
export const rowHeight = 16;
const gap = 10;
/** The greatest distance of a label from its point, in rows. */
const maxRowsAway = 8;

/**
 * Places labels one after the other: beside their points, on the other side at the edge of the viewport, and above or
 * below an earlier label. A label that fits nowhere stays beside its point.
 */
export function placeLabels(labels: readonly Label[], viewport: Size): LabelPosition[] {
  const occupied: TextBox[] = [];
  return labels.map((label) => {
    const positions = listCandidatePositions(label, viewport);
    const free = positions.find((position) => {
      const box = toTextBox(position, label);
      return isWithin(box, viewport) && !occupied.some((other) => overlaps(box, other));
    });
    const position = free ?? positions[0]!;
    if (label.rows.some(Boolean)) occupied.push(toTextBox(position, label));
    return position;
  });
}

/** Preferred positions first. */
function listCandidatePositions({ at: [x, y], rows }: Label, { width }: Size): LabelPosition[] {
  const isNearRightEdge = x + gap + measureWidestRow(rows) > width && x > width / 2;
  const after: Pick<LabelPosition, "x" | "anchor"> = { x: x + gap, anchor: "start" };
  const before: Pick<LabelPosition, "x" | "anchor"> = { x: x - gap, anchor: "end" };
  const clamped: Pick<LabelPosition, "x" | "anchor"> = {
    x: Math.max(2, width - measureWidestRow(rows) - 2),
    anchor: "start",
  };
  const sides = isNearRightEdge ? [before, after, clamped] : [after, before, clamped];
  const first = y - 8 - (rows.length - 1) * rowHeight;
  const heights = Array.from({ length: 2 * maxRowsAway + 1 }, (_, step) =>
    step % 2 === 0 ? step / 2 : -(step + 1) / 2,
  );
  return heights.flatMap((rowsDown) => sides.map((side) => ({ ...side, y: first + rowsDown * rowHeight })));
}

function toTextBox({ x, y, anchor }: LabelPosition, { rows }: Label): TextBox {
  const textWidth = measureWidestRow(rows);
  const left = anchor === "start" ? x : x - textWidth;
  return { left, top: y - 12, right: left + textWidth, bottom: y + 4 + (rows.length - 1) * rowHeight };
}

const isWithin = (box: TextBox, { width, height }: Size): boolean =>
  box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;

/** The width of the widest row, in bold type of 13 pixels. */
const measureWidestRow = (rows: readonly string[]): number =>
  Math.max(0, ...rows.map((row) => estimateTextWidth(row, 7.6, 13)));
