import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import styles from "../render-viewport.module.css";

/** The picked points with their numbers. */
export const PointPairMarkers = ({ points }: { points: readonly (Point2D | null)[] }) => (
  <svg className={styles.layer} aria-hidden>
    {points.map(
      (spot, at) =>
        spot && (
          <g key={at} transform={`translate(${spot[0]} ${spot[1]})`}>
            <circle className={styles.spot} r={5} />
            <text className={styles.spotNumber} x={8} y={-6}>
              {at + 1}
            </text>
          </g>
        ),
    )}
  </svg>
);
