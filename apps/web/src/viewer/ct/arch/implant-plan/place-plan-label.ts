import type { Size } from "@arcada/imaging/view/image-view";
import { estimateTextWidth, type TextBox } from "../../../ui/viewport/text-boxes.ts";

export interface PlanLabel {
  text: string;
  x: number;
  y: number;
  anchor: "start" | "end";
}

/** CSS pixels between an object and its label, and between a label and the edge of the viewport. */
const gap = 6;
const margin = 3;
/** CSS pixels from an object, with the handle at its end, to the baseline of a label below it. */
const rowBelow = 20;

/**
 * Places the label of a planned object within a viewport: at its right, else at its left, else below or above it. If the
 * first text is wider than the viewport, the next one is taken, because a warning that is cut off can be misread.
 */
export function placePlanLabel(object: TextBox, texts: readonly string[], viewport: Size | null): PlanLabel {
  const middle = (object.top + object.bottom) / 2;
  const usual = (text: string): PlanLabel => ({ text, x: object.right + gap, y: middle, anchor: "start" });
  if (viewport === null || object.left > viewport.width || object.right < 0) return usual(texts[0]!);
  for (const text of texts) {
    const width = estimateTextWidth(text, 7.2, 13);
    if (object.right + gap + width + margin <= viewport.width) return usual(text);
    if (object.left - gap - width >= margin) return { text, x: object.left - gap, y: middle, anchor: "end" };
    if (width + 2 * margin > viewport.width) continue;
    const centre = (object.left + object.right - width) / 2;
    const x = Math.min(Math.max(centre, margin), viewport.width - width - margin);
    const isRoomBelow = object.bottom + rowBelow + margin <= viewport.height;
    return { text, x, y: isRoomBelow ? object.bottom + rowBelow : object.top - rowBelow / 2, anchor: "start" };
  }
  return usual(texts.at(-1)!);
}
