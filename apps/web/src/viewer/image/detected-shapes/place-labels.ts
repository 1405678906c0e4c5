import { estimateTextWidth, overlaps, type TextBox } from "../../ui/viewport/text-boxes.ts";

/** A label over an image: `at` is the middle of its object's upper edge, `under` of its lower; CSS pixels. */
export interface ShapeLabel {
  id: string;
  text: string;
  at: readonly [number, number];
  under: readonly [number, number];
  /** Always shown, and placed before the others. */
  isFirst: boolean;
}

const labelHeight = 15;
const gap = 4;
/** The width of a text in type of 12 pixels. */
const measureLabelWidth = (text: string): number => estimateTextWidth(text, 7, 12);

/**
 * Places labels so that they neither overlap nor leave the viewport: above their object, below it, or nowhere; the list
 * beside the image has them all.
 * @returns the left end of each label's line by its id
 */
export function placeLabels(
  labels: readonly ShapeLabel[],
  viewport: { width: number; height: number },
): Map<string, [number, number]> {
  const occupied: TextBox[] = [];
  const positions = new Map<string, [number, number]>();
  for (const label of labels.toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))) {
    const labelWidth = measureLabelWidth(label.text);
    const candidates = [label.at[1] - gap - labelHeight, label.under[1] + gap].map((top): TextBox => {
      const left = Math.max(0, Math.min(label.at[0] - labelWidth / 2, viewport.width - labelWidth));
      const down = Math.max(0, Math.min(top, viewport.height - labelHeight));
      return { left, top: down, right: left + labelWidth, bottom: down + labelHeight };
    });
    const position =
      candidates.find((rect) => occupied.every((other) => !overlaps(rect, other))) ??
      (label.isFirst ? candidates[0] : null);
    if (!position) continue;
    occupied.push(position);
    positions.set(label.id, [position.left, position.bottom - gap]);
  }
  return positions;
}
