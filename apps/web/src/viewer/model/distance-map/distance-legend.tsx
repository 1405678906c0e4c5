import type { DistanceColourScale } from "@arcada/imaging/mesh/distance-statistics";
import { formatNumber } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import styles from "./distance-map.module.css";
import type { DistanceMap } from "./use-distance-map.ts";

/** The legend of the colours, in mm, over the image. */
export function DistanceLegend({ map }: { map: DistanceMap }) {
  const t = useTexts("viewer");
  if (map.current.state !== "ready") return null;
  const { kind } = map.current.plan;
  const { stops } = map.scale;
  return (
    <figure className={styles.legend}>
      <figcaption>{t(`viewer.model.compare.legend.${kind}`)}</figcaption>
      <div className={styles.bar}>
        <div className={styles.colours} style={{ background: gradientOf(map.scale) }} />
        <ol className={styles.stops}>
          {stops.toReversed().map(([mm]) => (
            <li key={mm}>{formatNumber(mm, 2)}</li>
          ))}
        </ol>
      </div>
    </figure>
  );
}

/** The stops are evenly spaced, whatever their values. */
function gradientOf({ stops }: DistanceColourScale): string {
  const parts = stops.map(
    ([, [red, green, blue]], at) => `rgb(${red} ${green} ${blue}) ${(100 * at) / (stops.length - 1)}%`,
  );
  return `linear-gradient(to top, ${parts.join(", ")})`;
}
