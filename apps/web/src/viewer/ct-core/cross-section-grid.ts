import type { Size } from "@arcada/imaging/view/image-view";
import { maxCrossSectionsShown, type ArchView } from "@arcada/imaging/arch/arch-display-settings";

const counts = [maxCrossSectionsShown, 6, 3, 1] as const;
const minCellSize: Size = { width: 118, height: 150 };

/** Arranges so many cross-sections in a viewport, in the rows and columns that give each the most space. */
export function arrangeCells(viewport: Size, wanted: number | null): { columns: number; rows: number } {
  const fits = ({ columns, rows }: { columns: number; rows: number }) =>
    viewport.width / columns >= minCellSize.width && viewport.height / rows >= minCellSize.height;
  if (wanted !== null) return findBestGrid(wanted, viewport);
  const found = counts.map((count) => findBestGrid(count, viewport)).find(fits);
  return found ?? { columns: 1, rows: 1 };
}

/** A cross-section's width is to its height about as 3 to 5. */
function findBestGrid(count: number, { width, height }: Size): { columns: number; rows: number } {
  const grids = [1, 2, 3].flatMap((rows) => (count % rows === 0 ? [{ columns: count / rows, rows }] : []));
  const fitScale = ({ columns, rows }: { columns: number; rows: number }) =>
    Math.min(width / columns / 3, height / rows / 5);
  return grids.toSorted((one, other) => fitScale(other) - fitScale(one))[0] ?? { columns: count, rows: 1 };
}

/** mm that a cross-section shows at first. */
const [wide, high] = [34, 58];

export const fitCrossSection = (cell: Size): ArchView => ({
  middle: [0, 0],
  scale: Math.min(cell.width / wide, cell.height / high),
});
