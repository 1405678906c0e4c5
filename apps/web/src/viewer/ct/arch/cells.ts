import type { Size } from "@arcada/imaging/view/picture-view";
import type { ArchView } from "./arch-look.ts";

const counts = [9, 6, 3, 1] as const;
const least: Size = { width: 118, height: 150 };

/** How so many sections stand in a pane: in the rows and columns that give them the most room. */
export function cellsFor(pane: Size, wanted: number | null): { columns: number; rows: number } {
  const fits = ({ columns, rows }: { columns: number; rows: number }) =>
    pane.width / columns >= least.width && pane.height / rows >= least.height;
  if (wanted !== null) return bestOf(wanted, pane);
  const found = counts.map((count) => bestOf(count, pane)).find(fits);
  return found ?? { columns: 1, rows: 1 };
}

/** A section is about as wide as it is high in a ratio of 3 to 5. */
function bestOf(count: number, { width, height }: Size): { columns: number; rows: number } {
  const ways = [1, 2, 3].flatMap((rows) => (count % rows === 0 ? [{ columns: count / rows, rows }] : []));
  const room = ({ columns, rows }: { columns: number; rows: number }) =>
    Math.min(width / columns / 3, height / rows / 5);
  return ways.toSorted((one, other) => room(other) - room(one))[0] ?? { columns: count, rows: 1 };
}

/** mm that a section shows at first. */
const [wide, high] = [34, 58];

export const fittedSection = (cell: Size): ArchView => ({
  middle: [0, 0],
  scale: Math.min(cell.width / wide, cell.height / high),
});

/** The first of `count` sections that stand side by side, where the one that is looked at stands in their middle. */
export const firstAround = (section: number, count: number, sections: number): number =>
  Math.min(Math.max(1, section - Math.floor(count / 2)), Math.max(1, sections - count + 1));
