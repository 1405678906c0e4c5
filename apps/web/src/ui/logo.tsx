import { useTexts } from "../i18n/texts.ts";
import classes from "./logo.module.css";

/** The logo: teeth along an arch. `light` for dark backgrounds; without text where there is no room. */
export function Logo({ light = false, iconOnly = false }: { light?: boolean; iconOnly?: boolean }) {
  const t = useTexts();
  return (
    <span className={classes.logo} data-light={light || undefined}>
      <svg
        viewBox="0 0 32 32"
        width="32"
        height="32"
        aria-hidden={!iconOnly}
        role={iconOnly ? "img" : undefined}
        aria-label={iconOnly ? t("common.product") : undefined}
      >
        <rect width="32" height="32" rx="9" className={classes.ground} />
        <g className={classes.teeth}>
          {teeth.map(([x, y, r, pale]) => (
            <circle key={`${x} ${y}`} cx={x} cy={y} r={r} opacity={pale ? 0.72 : 1} />
          ))}
        </g>
      </svg>
      {!iconOnly && <span className={classes.word}>{t("common.product")}</span>}
    </span>
  );
}

const teeth: [number, number, number, boolean?][] = [
  [7.6, 20.8, 2.1],
  [8.9, 15.4, 2.3],
  [11.9, 10.9, 2.4],
  [16, 9, 2.1, true],
  [20.1, 10.9, 2.4],
  [23.1, 15.4, 2.3],
  [24.4, 20.8, 2.1],
];
