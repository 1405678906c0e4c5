import type { Plane } from "@arcada/imaging/view/plane-view";
import { directionLetters, oppositeLetters } from "@arcada/imaging/volume/voxel-to-patient";
import styles from "./orientation.module.css";

/** Shows the side of the patient beyond each edge. */
export function OrientationLetters({ plane }: { plane: Pick<Plane, "right" | "down"> }) {
  const right = directionLetters(plane.right);
  const bottom = directionLetters(plane.down);
  return (
    <div className={styles.letters}>
      <span className={styles.left}>{oppositeLetters(right)}</span>
      <span className={styles.right}>{right}</span>
      <span className={styles.top}>{oppositeLetters(bottom)}</span>
      <span className={styles.bottom}>{bottom}</span>
    </div>
  );
}
