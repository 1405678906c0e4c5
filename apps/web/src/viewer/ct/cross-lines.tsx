import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { PlaneName } from "@arcada/imaging/view/plane";
import { crossing, lineOf } from "@arcada/imaging/view/turned-planes";
import styles from "./plane-pane.module.css";
import type { CtControls } from "./use-ct-controls.ts";

interface Props {
  name: PlaneName;
  size: Size;
  controls: CtControls;
  at: Spot;
}

/** The two other planes as lines, in their own colours, with a gap where they meet. */
export function CrossLines({ name, size, controls, at }: Props) {
  return (
    <svg className={styles.layer} aria-hidden>
      {crossing[name].map((other) => (
        <path
          key={other}
          className={styles[`${other}Line`]}
          d={pathOf(lineOf(controls.planes, name, other), size, at)}
        />
      ))}
    </svg>
  );
}

const gap = 12;

function pathOf([dx, dy]: Spot, size: Size, [x, y]: Spot): string {
  const far = size.width + size.height + Math.hypot(x, y);
  const point = (along: number) => `${x + dx * along} ${y + dy * along}`;
  return `M${point(-far)}L${point(-gap)}M${point(gap)}L${point(far)}`;
}
