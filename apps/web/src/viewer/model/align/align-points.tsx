import { projectToScreen } from "@arcada/imaging/view/model-camera";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { PickableScene } from "../pick-point.ts";
import styles from "./align.module.css";
import type { ModelAlignment } from "./use-align.ts";

/** The pairs of points that have been set, numbered: round on the model that moves, square on the other. */
export function AlignPoints({ align, scene }: { align: ModelAlignment; scene: PickableScene }) {
  if (!align.plan) return null;
  const at = (point: Vector) => {
    const [x, y] = projectToScreen(scene.camera, scene.size, point);
    return { transform: `translate(${x - 11}px, ${y - 11}px)` };
  };
  return (
    <div className={styles.layer} aria-hidden>
      {(["from", "onto"] as const).map((side) =>
        align[side].map((point, index) => (
          <span key={`${side} ${index}`} className={`${styles.place} ${styles[side] ?? ""}`} style={at(point)}>
            {index + 1}
          </span>
        )),
      )}
    </div>
  );
}
