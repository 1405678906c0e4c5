import { useTexts } from "../../../../i18n/texts.ts";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { PointHandle } from "../../../annotations/layer/point-handle.tsx";
import type { PlaneSpace } from "../../annotations/use-plane-annotations.ts";
import styles from "../render-viewport.module.css";
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
  space: PlaneSpace;
  size: Size;
}) {
  const t = useTexts("viewer");
  const { right, down } = space.plane;
  const isStraight = [right, down].every((axis) => axis.some((part) => Math.abs(part) > 1 - 1e-6));
  if (!isStraight) return null;
  const [one, other] = [space.toViewport(plan.low), space.toViewport(plan.high)];
  const [left, top] = [Math.min(one[0], other[0]), Math.min(one[1], other[1])];
  const move = (end: "low" | "high") => (to: Point2D, isOver: boolean) => {
    const point = space.toPatient(to);
    const corner = plan[end].map((part, axis) => {
      const isInPlane = Math.abs(right[axis] ?? 0) > 0.5 || Math.abs(down[axis] ?? 0) > 0.5;
      return isInPlane ? (point[axis] ?? part) : part;
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
        <PointHandle
          key={end}
          at={space.toViewport(plan[end])}
          label={t(`viewer.render.airway.corner.${end}`)}
          isActive
          onChoose={nothing}
          onEdit={nothing}
          onMove={move(end)}
        />
      ))}
    </svg>
  );
}

const nothing = (): void => {};
