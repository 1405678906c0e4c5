import type { Plane } from "@arcada/imaging/view/plane";
import { lettersOf, opposite } from "@arcada/imaging/volume/space";
import styles from "./sides.module.css";

/** Shows the side of the patient beyond each edge. */
export function SideLetters({ plane }: { plane: Pick<Plane, "right" | "down"> }) {
  const right = lettersOf(plane.right);
  const bottom = lettersOf(plane.down);
  return (
    <div className={styles.letters}>
      <span className={styles.left}>{opposite(right)}</span>
      <span className={styles.right}>{right}</span>
      <span className={styles.top}>{opposite(bottom)}</span>
      <span className={styles.bottom}>{bottom}</span>
    </div>
  );
}
