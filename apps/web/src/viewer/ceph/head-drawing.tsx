import type { CephLandmark } from "@arcada/contract/ceph/ceph.shape";
import { usualPlaces } from "@arcada/analysis/ceph/landmarks";
import { outlines } from "@arcada/analysis/ceph/outline";
import styles from "./ceph.module.css";

const lines = outlines(usualPlaces).filter(({ tissue }) => tissue !== "plane");
const toSvgPath = (points: readonly (readonly [number, number])[]): string =>
  `M${points.map((point) => point.join(",")).join(" ")}`;

/** A drawn head with one landmark on it. */
export function HeadDrawing({ landmark, label }: { landmark: CephLandmark; label: string }) {
  const [x, y] = usualPlaces[landmark];
  return (
    <svg className={styles.head} viewBox="-58 -112 146 172" role="img" aria-label={label}>
      {lines.map(({ name, points }) => (
        <path key={name} d={toSvgPath(points)} />
      ))}
      <circle cx={x} cy={y} r={4.5} />
    </svg>
  );
}
