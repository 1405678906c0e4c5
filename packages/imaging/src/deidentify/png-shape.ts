export interface PngShape {
  width: number;
  height: number;
  depth: number;
  colour: number;
  interlaced: boolean;
}

/** Columns and rows of the passes, each row with a byte for its filter ahead of it. */
export function listPasses({ width, height, interlaced }: PngShape): { columns: number; rows: number }[] {
  if (!interlaced) return [{ columns: width, rows: height }];
  const steps = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ];
  return steps
    .map(([x, y, dx, dy]) => ({ columns: Math.ceil((width - x) / dx), rows: Math.ceil((height - y) / dy) }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
}
