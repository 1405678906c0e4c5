import type { LineProfile } from "@arcada/imaging/view/grey-value-statistics";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { formatMeasurement } from "./labels/format-measurement.ts";
import styles from "./profile-chart.module.css";

const [width, height] = [220, 84] as const;

/** Grey values along a line, from its first point at the left to its second. */
export function ProfileChart({ profile: { values, length } }: { profile: LineProfile }) {
  const t = useTexts("viewer");
  const known = values.filter((value) => value !== null);
  const [min, max] = known.reduce(
    ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
    [Infinity, -Infinity],
  );
  if (known.length === 0) return <p className={styles.words}>{t("viewer.region.empty")}</p>;
  const range = formatRange(min, max);
  return (
    <figure className={styles.chart} aria-label={t("viewer.profile.chart", range)}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        <path className={styles.curve} d={toCurvePath(values, min, Math.max(1e-9, max - min))} />
      </svg>
      <figcaption className={styles.words}>
        <span>{t("viewer.region.range", range)}</span>
        <span>{formatMeasurement(t, length)}</span>
      </figcaption>
    </figure>
  );
}

function formatRange(min: number, max: number): { min: string; max: string } {
  const digits = max - min < 10 ? 2 : 0;
  return { min: formatNumber(min, digits), max: formatNumber(max, digits) };
}

/** A gap where the line has left the image. */
const toCurvePath = (values: LineProfile["values"], min: number, span: number): string =>
  values
    .map((value, at) => {
      if (value === null) return "";
      const x = (at / Math.max(1, values.length - 1)) * width;
      const isContinued = at > 0 && values[at - 1] !== null;
      return `${isContinued ? "L" : "M"}${x.toFixed(1)},${(height - 3 - ((value - min) / span) * (height - 6)).toFixed(1)}`;
    })
    .join("");
