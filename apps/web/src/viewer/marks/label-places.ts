import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import { breadthOf, meet, type WordBox } from "../frame/word-boxes.ts";

/** Text beside a point of its annotation, in CSS pixels of the viewport. */
export interface Label {
  at: Spot;
  rows: readonly string[];
}

/** The position at which their first row begins, or ends. */
export interface LabelPlace {
  x: number;
  y: number;
  anchor: "start" | "end";
}

/** CSS pixels from one row to the next. */
export const rowHeight = 16;
const gap = 10;
/** The greatest distance of a label from its point, in rows. */
const reach = 8;

/**
 * Places labels one after the other: beside their points, on the other side at the edge of the viewport, and above or
 * below an earlier label. A label that fits nowhere stays beside its point.
 */
export function labelPlaces(labels: readonly Label[], pane: Size): LabelPlace[] {
  const taken: WordBox[] = [];
  return labels.map((label) => {
    const places = placesOf(label, pane);
    const free = places.find((place) => {
      const box = boxOf(place, label);
      return isWithin(box, pane) && !taken.some((other) => meet(box, other));
    });
    const place = free ?? places[0]!;
    if (label.rows.some(Boolean)) taken.push(boxOf(place, label));
    return place;
  });
}

/** Preferred positions first. */
function placesOf({ at: [x, y], rows }: Label, { width }: Size): LabelPlace[] {
  const isLate = x + gap + widest(rows) > width && x > width / 2;
  const after: Pick<LabelPlace, "x" | "anchor"> = { x: x + gap, anchor: "start" };
  const before: Pick<LabelPlace, "x" | "anchor"> = { x: x - gap, anchor: "end" };
  const pressed: Pick<LabelPlace, "x" | "anchor"> = { x: Math.max(2, width - widest(rows) - 2), anchor: "start" };
  const sides = isLate ? [before, after, pressed] : [after, before, pressed];
  const first = y - 8 - (rows.length - 1) * rowHeight;
  const heights = Array.from({ length: 2 * reach + 1 }, (_, step) => (step % 2 === 0 ? step / 2 : -(step + 1) / 2));
  return heights.flatMap((rowsDown) => sides.map((side) => ({ ...side, y: first + rowsDown * rowHeight })));
}

function boxOf({ x, y, anchor }: LabelPlace, { rows }: Label): WordBox {
  const breadth = widest(rows);
  const left = anchor === "start" ? x : x - breadth;
  return { left, top: y - 12, right: left + breadth, bottom: y + 4 + (rows.length - 1) * rowHeight };
}

const isWithin = (box: WordBox, { width, height }: Size): boolean =>
  box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;

/** The width of the widest row, for bold letters of 13 pixels. */
const widest = (rows: readonly string[]): number => Math.max(0, ...rows.map((row) => breadthOf(row, 7.6, 13)));
