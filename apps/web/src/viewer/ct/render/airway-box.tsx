import { useTexts } from "../../../kernel/texts.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { Vector } from "@arcada/imaging/view/vector";
import { Handle } from "../../marks/handle.tsx";
import type { PaneSpace } from "../use-plane-marks.ts";
import styles from "./render-pane.module.css";
import type { AirwayControls, AirwayPlan } from "./use-airway.ts";

/** The box of the airway in a plane that is not rotated; its two corners are moved by drag or by arrow keys. */
export function AirwayBox({
  airway,
  plan,
  space,
  size,
}: {
  airway: AirwayControls;
  plan: AirwayPlan;
  space: PaneSpace;
  size: Size;
}) {
  const t = useTexts("viewer");
  const { right, down } = space.plane;
  const isStraight = [right, down].every((axis) => axis.some((part) => Math.abs(part) > 1 - 1e-6));
  if (!isStraight) return null;
  const [one, other] = [space.toPane(plan.low), space.toPane(plan.high)];
  const [left, top] = [Math.min(one[0], other[0]), Math.min(one[1], other[1])];
  const move = (end: "low" | "high") => (to: Spot, isOver: boolean) => {
    const point = space.toPatient(to);
    const corner = plan[end].map((part, axis) => {
      const lies = Math.abs(right[axis] ?? 0) > 0.5 || Math.abs(down[axis] ?? 0) > 0.5;
      return lies ? (point[axis] ?? part) : part;
    }) as unknown as Vector;
    airway.change({ ...plan, [end]: corner }, isOver);
  };
  return (
    <svg className={styles.layer} width={size.width} height={size.height}>
      <rect
        className={styles.box}
        x={left}
        y={top}
        width={Math.abs(one[0] - other[0])}
        height={Math.abs(one[1] - other[1])}
      />
      {(["low", "high"] as const).map((end) => (
        <Handle
          key={end}
          at={space.toPane(plan[end])}
          label={t(`viewer.render.airway.corner.${end}`)}
          isFree
          onChoose={nothing}
          onAsk={nothing}
          onMove={move(end)}
        />
      ))}
    </svg>
  );
}

const nothing = (): void => {};
