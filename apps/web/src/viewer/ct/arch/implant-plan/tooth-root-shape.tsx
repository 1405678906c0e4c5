import { toothName } from "@arcada/contract/kernel/tooth-numbers";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { useAppearance } from "../../../../browser/appearance.ts";
import { useTexts, type Translate } from "../../../../i18n/texts.ts";
import { PointHandle } from "../../../annotations/layer/point-handle.tsx";
import { selectOnPress } from "./select-on-press.ts";
import type { DrawnRoot } from "./implant-plan.ts";
import type { PlanLayerProps } from "./plan-props.ts";
import styles from "../arch-overlays.module.css";

/** A drawn root in the projection of a viewport; while it is selected, both ends can be dragged. */
export function RootShape({ arch, drawing, view, root, number }: PlanLayerProps & { root: DrawnRoot; number: number }) {
  const t = useTexts("viewer");
  const { teeth } = useAppearance();
  const { annotation } = root;
  const outline = view.rootOutline(root.root);
  if (outline.length < 3) return null;
  const isChosen = drawing.chosen === annotation.id;
  const name = formatRootName(t, root, number, teeth);
  const ends = [root.root.neck, root.root.apex];
  const [left, top] = [Math.min(...outline.map(([x]) => x)), Math.min(...outline.map(([, y]) => y))];
  return (
    <g className={isChosen ? styles.chosenRoot : ""}>
      <path
        className={styles.rootBody}
        data-holds-press
        d={`M${outline.map(([x, y]) => `${x},${y}`).join(" ")}Z`}
        role="button"
        aria-label={name}
        aria-pressed={isChosen}
        tabIndex={0}
        onPointerDown={selectOnPress(drawing, annotation.id)}
        onFocus={() => drawing.choose(annotation.id)}
      />
      {isChosen &&
        ends.map((end, index) => (
          <PointHandle
            key={index}
            at={view.toViewport(end)}
            label={t("viewer.arch.pointOf", { name, number: index + 1 })}
            isActive
            onChoose={() => drawing.choose(annotation.id)}
            onMove={(to: Point2D, isOver) =>
              arch.alter({ ...annotation, points: annotation.points.with(index, [...view.dragPoint(end, to)]) }, isOver)
            }
          />
        ))}
      <text className={styles.gapWords} x={left} y={top - 4}>
        {root.tooth === null ? "?" : toothName(root.tooth, teeth)}
      </text>
    </g>
  );
}

export const formatRootName = (t: Translate, { tooth }: DrawnRoot, number: number, scheme: ToothScheme): string =>
  tooth === null
    ? t("viewer.arch.root.unnamed", { number })
    : t("viewer.arch.root.name", { tooth: toothName(tooth, scheme) });
