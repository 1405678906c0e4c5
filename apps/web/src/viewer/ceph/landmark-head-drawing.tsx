import type { CephLandmark } from "@arcada/contract/ceph/ceph.schema";
import { referenceLandmarks } from "@arcada/analysis/ceph/landmarks";
import { computeOutlines } from "@arcada/analysis/ceph/anatomical-outlines";
import styles from "./ceph.module.css";

const lines = computeOutlines(referenceLandmarks).filter(({ tissue }) => tissue !== "plane");
const toSvgPath = (points: readonly (readonly [number, number])[]): string =>
  `M${points.map((point) => point.join(",")).join(" ")}`;

/** A drawn head with one landmark on it. */
export function LandmarkHeadDrawing({ landmark, label }: { landmark: CephLandmark; label: string }) {
  const [x, y] = referenceLandmarks[landmark];
  return (
    <svg className={styles.head} viewBox="-58 -112 146 172" role="img" aria-label={label}>
      {lines.map(({ name, points }) => (
        <path key={name} d={toSvgPath(points)} />
      ))}
      <circle cx={x} cy={y} r={4.5} />
    </svg>
  );
}
