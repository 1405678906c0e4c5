import { scaleBand, scaleLinear } from "@visx/scale";

export const chartHeight = 220;
export const chartMargin = { top: 10, bottom: 26, end: 8 } as const;

export interface Scales {
  x: ReturnType<typeof scaleBand<number>>;
  y: ReturnType<typeof scaleLinear<number>>;
  /** The left edge of a column with the gap around its bar. */
  slot: (place: number) => number;
}
export const createValueScale = (maximum: number): Scales["y"] =>
  scaleLinear<number>({
    domain: [0, maximum || 1],
    range: [chartHeight - chartMargin.bottom, chartMargin.top],
    nice: 4,
  });

/** Right to left, the axis stands on the right and the first column beside it. */
export function createColumnScale(
  width: number,
  columns: number,
  axisWidth: number,
  isRightToLeft: boolean,
): Pick<Scales, "x" | "slot"> {
  const [start, end] = [axisWidth, Math.max(axisWidth + 1, width - chartMargin.end)];
  const x = scaleBand<number>({
    domain: Array.from({ length: columns }, (_, place) => place),
    range: isRightToLeft ? [width - start, width - end] : [start, end],
    padding: 0.3,
  });
  return { x, slot: (place) => (x(place) ?? 0) - (x.step() - x.bandwidth()) / 2 };
}

/** The width of a label of 12 px; Chinese signs are about twice as wide as Latin ones. */
export const estimateTextWidth = (text: string): number =>
  [...text].reduce((width, sign) => width + (sign > "\u2e80" ? 12 : 7), 0);

/** Returns the columns whose labels are written: as many as the width holds, the last one among them. */
export function pickLabels(columns: number, width: number, labelWidth: number): number[] {
  const step = Math.max(1, Math.ceil((columns * labelWidth) / Math.max(width, 1)));
  return Array.from({ length: columns }, (_, place) => place).filter((place) => (columns - 1 - place) % step === 0);
}
