import { breadthOf, meet, type WordBox } from "../frame/word-boxes.ts";

/** A label over an image: `at` is the middle of its object's upper edge, `under` of its lower; CSS pixels. */
export interface Label {
  id: string;
  text: string;
  at: readonly [number, number];
  under: readonly [number, number];
  /** Always shown, and placed before the others. */
  isFirst: boolean;
}

const high = 15;
const gap = 4;
/** The width of a text in letters of 12 pixels. */
const widthOf = (text: string): number => breadthOf(text, 7, 12);

/**
 * Places labels so that they neither overlap nor leave the viewport: above their object, below it, or nowhere; the list
 * beside the image has them all.
 * @returns the left end of each label's line by its id
 */
export function placedLabels(
  labels: readonly Label[],
  pane: { width: number; height: number },
): Map<string, [number, number]> {
  const taken: WordBox[] = [];
  const places = new Map<string, [number, number]>();
  for (const label of labels.toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))) {
    const wide = widthOf(label.text);
    const rects = [label.at[1] - gap - high, label.under[1] + gap].map((top): WordBox => {
      const left = Math.max(0, Math.min(label.at[0] - wide / 2, pane.width - wide));
      const down = Math.max(0, Math.min(top, pane.height - high));
      return { left, top: down, right: left + wide, bottom: down + high };
    });
    const place = rects.find((rect) => taken.every((other) => !meet(rect, other))) ?? (label.isFirst ? rects[0] : null);
    if (!place) continue;
    taken.push(place);
    places.set(label.id, [place.left, place.bottom - gap]);
  }
  return places;
}
