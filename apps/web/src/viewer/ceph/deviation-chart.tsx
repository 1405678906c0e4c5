import type { CephRow } from "@arcada/analysis/ceph/ceph-report";
import { nameMeasure } from "@arcada/analysis/ceph/literature-labels";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./deviation-chart.module.css";

/** Standard deviations to either side of the norm; a value outside is drawn at the end, as in the printed report. */
const maxDeviation = 3;
const rowHeight = 22;
const headHeight = 16;
const plot = { left: 150, right: 350 } as const;
const width = 396;
const middle = (plot.left + plot.right) / 2;
const toX = (deviation: number): number =>
  middle + (Math.max(-maxDeviation, Math.min(maxDeviation, deviation)) / maxDeviation) * ((plot.right - plot.left) / 2);

/**
 * The polygon of an analysis: one line for each measure, with its value between three standard deviations below and
 * above the norm, and a line from value to value. The table below it states the same in words. Measures without a
 * standard deviation are left out; fewer than two make no polygon.
 */
export function DeviationChart({ rows }: { rows: readonly CephRow[] }) {
  const t = useTexts("ceph");
  const comparable = rows.flatMap((row) => {
    const { norm, difference } = row;
    return norm?.sd && difference !== null ? [{ ...row, deviation: difference / norm.sd }] : [];
  });
  if (comparable.length < 2) return null;
  const height = headHeight + comparable.length * rowHeight;
  const toY = (index: number): number => headHeight + (index + 0.5) * rowHeight;
  const points = comparable.map(({ deviation }, index) => `${toX(deviation)},${toY(index)}`);
  return (
    <svg className={styles.chart} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={t("ceph.chart.label")}>
      <Scale height={height} />
      <polyline className={styles.polygon} points={points.join(" ")} />
      {comparable.map(({ measure, value, deviation }, index) => (
        <g key={measure}>
          <text className={styles.name} x={plot.left - 8} y={toY(index) + 4} direction="ltr">
            {shorten(nameMeasure(measure, (name) => t(`ceph.measure.${name}`)))}
          </text>
          <circle className={gradeStyles[gradeOf(deviation)]} cx={toX(deviation)} cy={toY(index)} r={4} />
          <text className={styles.value} x={width} y={toY(index) + 4} direction="ltr">
            {formatNumber(value ?? 0, 1)}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Scale({ height }: { height: number }) {
  const t = useTexts("ceph");
  const marks = Array.from({ length: 2 * maxDeviation + 1 }, (_, index) => index - maxDeviation);
  return (
    <>
      <rect
        className={styles.within}
        x={toX(-1)}
        y={headHeight}
        width={toX(1) - toX(-1)}
        height={height - headHeight}
      />
      {marks.map((mark) => (
        <g key={mark}>
          <line
            className={mark === 0 ? styles.norm : styles.grid}
            x1={toX(mark)}
            x2={toX(mark)}
            y1={headHeight}
            y2={height}
          />
          <text className={styles.mark} x={toX(mark)} y={11} direction="ltr">
            {mark === 0 ? "0" : `${mark > 0 ? "+" : "−"}${Math.abs(mark)}`}
          </text>
        </g>
      ))}
      <text className={styles.unit} x={plot.right + 10} y={11} direction="ltr">
        {t("ceph.chart.unit")}
      </text>
    </>
  );
}

type Grade = "within" | "outside" | "far";
const gradeOf = (deviation: number): Grade =>
  Math.abs(deviation) <= 1 ? "within" : Math.abs(deviation) <= 2 ? "outside" : "far";
const gradeStyles: Record<Grade, string | undefined> = {
  within: styles.dotWithin,
  outside: styles.dotOutside,
  far: styles.dotFar,
};

/** The part in brackets names the landmarks; the table has it. */
const shorten = (name: string): string => {
  const bracket = name.search(/[(（]/u);
  const short = (bracket > 0 && /[)）]$/u.test(name.trimEnd()) ? name.slice(0, bracket) : name).trim();
  return short.length > 22 ? `${short.slice(0, 21)}…` : short;
};
