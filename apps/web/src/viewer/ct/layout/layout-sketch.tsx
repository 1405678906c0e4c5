import { getArrangement, type LayoutName } from "../../ct-core/viewport-layouts.ts";

const [width, height, gap] = [28, 20, 1.5];

/** A small drawing of a layout: where its viewports lie on a wide screen. */
export function LayoutSketch({ layout }: { layout: LayoutName }) {
  const { rows, columns, heights } = getArrangement(layout, 1440);
  const [lefts, tops] = [spread(columns, width), spread(heights, height)];
  const ids = [...new Set(rows.flat())];
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      {ids.map((id) => {
        const inRows = rows.flatMap((row, at) => (row.includes(id) ? [at] : []));
        const row = rows[inRows[0] ?? 0] ?? [];
        const [left, right] = [lefts[row.indexOf(id)] ?? 0, lefts[row.lastIndexOf(id) + 1] ?? width];
        const [top, bottom] = [tops[inRows[0] ?? 0] ?? 0, tops[(inRows.at(-1) ?? 0) + 1] ?? height];
        return (
          <rect
            key={id}
            x={left + gap / 2}
            y={top + gap / 2}
            width={right - left - gap}
            height={bottom - top - gap}
            rx={1}
            fill="currentcolor"
            opacity={0.55}
          />
        );
      })}
    </svg>
  );
}

/** The edges between tracks of these shares, from 0 to the whole length. */
const spread = (shares: readonly number[], length: number): number[] => {
  const sum = shares.reduce((total, share) => total + share, 0);
  return [0, ...shares].map((_, at) => (shares.slice(0, at).reduce((total, share) => total + share, 0) / sum) * length);
};
