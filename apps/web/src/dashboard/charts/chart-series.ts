import type { SearchParams } from "../../browser/navigation.tsx";

/** The colour of a series by what it means; the classes of `time-chart.module.css` have the colours. */
export type SeriesRole = "main" | "second" | "before" | "good" | "bad" | "warm" | "violet" | "teal" | "gray";

/** One row of values, one for each column of the chart; null: nothing was measured. Bars are stacked. */
export interface Series {
  key: string;
  name: string;
  kind: "bar" | "line" | "dashed";
  role: SeriesRole;
  values: readonly (number | null)[];
  /** Writes a value; other series of the chart may have other units. */
  format: (value: number) => string;
  /** The orders behind a value. */
  link?: (column: number) => SearchParams;
}

export interface ChartColumn {
  /** Written below the axis. */
  short: string;
  /** The days that the column covers. */
  long: string;
  /** The orders behind the whole column; undefined without any. */
  link?: SearchParams | undefined;
}

const isPresent = (value: number | null | undefined): value is number => value !== null && value !== undefined;

/** Returns the highest point of the chart: the highest stack of bars or point of a line. */
export function findMaximum(series: readonly Series[], columns: number): number {
  const bars = series.filter(({ kind }) => kind === "bar");
  const lines = series.filter(({ kind }) => kind !== "bar");
  const heights = Array.from({ length: columns }, (_, place) => sumValues(bars, place));
  const points = lines.flatMap(({ values }) => values.filter(isPresent));
  return Math.max(0, ...heights, ...points);
}

export interface BarSegment {
  series: Series;
  column: number;
  from: number;
  to: number;
}
/** Returns the bars of a chart, each on top of the one before in its column; those without a height are left out. */
export function stackBars(series: readonly Series[], columns: number): BarSegment[] {
  const bars = series.filter(({ kind }) => kind === "bar");
  return Array.from({ length: columns }, (_, column) =>
    bars.flatMap((one, place) => {
      const from = sumValues(bars.slice(0, place), column);
      const value = one.values[column] ?? 0;
      return value > 0 ? [{ series: one, column, from, to: from + value }] : [];
    }),
  ).flat();
}

const sumValues = (bars: readonly Series[], place: number): number =>
  bars.reduce((sum, { values }) => sum + (values[place] ?? 0), 0);
