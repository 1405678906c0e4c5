import { useRef } from "react";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import { useTexts, type Translate } from "../../../../i18n/texts.ts";
import { plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import type { Size } from "@arcada/imaging/view/image-view";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { PointHandle } from "../../../annotations/layer/point-handle.tsx";
import { insertMidpoint } from "../../../annotations/drawing/use-point-editing.ts";
import { useAppearance } from "../../../../browser/appearance.ts";
import { insertControlPoint } from "../insert-control-point.ts";
import { cutAtHidden, readUncertain } from "../canal/hidden-stretches.ts";
import { isTraced, withPoints } from "../canal/traced-canal.ts";
import { moveImplantPoint, isUpper, type Canal, type Implant } from "./implant-plan.ts";
import { describeBone, describeOutsideJaw, listDistances, isTooNear } from "./plan-warnings.ts";
import { useClientSize } from "../../../ui/viewport/use-client-size.ts";
import type { TextBox } from "../../../ui/viewport/text-boxes.ts";
import { placePlanLabel } from "./place-plan-label.ts";
import { formatImplantName } from "./implant-name.ts";
import { selectOnPress } from "./select-on-press.ts";
import { DistanceLines } from "./distance-lines.tsx";
import { AttachmentShapes } from "./attachments/attachment-shapes.tsx";
import { RootShape } from "./tooth-root-shape.tsx";
import { SuggestedShapes } from "./suggestions/suggested-shapes.tsx";
import styles from "../arch-overlays.module.css";
import type { Arch } from "../use-arch.ts";
import type { PlanLayerProps } from "./plan-props.ts";

/** Canals and implants in the projection of a viewport; the selected object has handles. */
export function PlanLayer(props: PlanLayerProps) {
  const element = useRef<SVGSVGElement>(null);
  const size = useClientSize(element);
  return (
    <svg ref={element} className={styles.layer}>
      <SuggestedShapes {...props} />
      {props.arch.canals.map((canal) => (
        <CanalShape key={canal.annotation.id} {...props} canal={canal} />
      ))}
      {props.arch.sinuses.map((sinus) => (
        <CanalShape key={sinus.annotation.id} {...props} canal={sinus} />
      ))}
      {props.arch.roots.map((root, at) => (
        <RootShape key={root.annotation.id} {...props} root={root} number={at + 1} />
      ))}
      {props.arch.implants.map((implant, at) => (
        <AttachmentShapes key={implant.annotation.id} {...props} implant={implant} number={at + 1} />
      ))}
      {props.arch.implants.map((implant, at) => (
        <ImplantShape key={implant.annotation.id} {...props} implant={implant} number={at + 1} size={size} />
      ))}
      {props.arch.implants.map((implant) => (
        <DistanceLines
          key={implant.annotation.id}
          implant={implant}
          safetyDistances={props.arch.safetyDistances}
          isChosen={props.drawing.chosen === implant.annotation.id}
          view={props.view}
          size={size}
        />
      ))}
    </svg>
  );
}

function CanalShape({
  arch,
  drawing,
  view,
  canal: { annotation, points, tube, side },
}: PlanLayerProps & { canal: Canal }) {
  const t = useTexts("viewer", "implant");
  const parts = cutAtHidden(tube.line, points, readUncertain(annotation)).map(({ line, isSeen }) => ({
    isSeen,
    discs: view.discs({ line, radius: tube.radius }),
  }));
  const isChosen = drawing.chosen === annotation.id;
  const handles = isChosen
    ? points.map((point, index) => ({ point, index })).filter(({ point }) => view.isNear(point))
    : [];
  const isSinus = annotation.tool === "sinus";
  const name = t(isSinus ? `implant.sinus.${side}` : `viewer.arch.canal.${side}`);
  const put = (next: readonly Vector[], isOver: boolean) => arch.alter(withPoints(annotation, next), isOver);
  const movePoint = (index: number, to: Vector, isOver: boolean) => {
    const moved = withPoints(annotation, points.with(index, to));
    arch.alter(moved, isOver);
    if (isOver && isTraced(annotation)) arch.canalTracing.traceAround(moved, index);
  };
  return (
    <g className={`${isChosen ? styles.chosenCanal : styles.canal} ${isSinus ? styles.sinus : ""}`}>
      <g
        className={styles.tube}
        data-holds-press
        role="button"
        aria-label={name}
        aria-pressed={isChosen}
        tabIndex={parts.some(({ discs }) => discs.length > 0) ? 0 : -1}
        onPointerDown={selectOnPress(drawing, annotation.id)}
        onFocus={() => drawing.choose(annotation.id)}
        onDoubleClick={({ currentTarget, clientX, clientY }) =>
          put(
            insertControlPoint(points, view.dragPoint(middleOf(points), toLocalPoint(currentTarget, clientX, clientY))),
            true,
          )
        }
      >
        {parts.map(({ discs, isSeen }, part) => (
          <g key={part} className={isSeen ? "" : styles.hiddenPart}>
            {discs
              .filter((_, at) => isSeen || at % 4 === 0)
              .map(({ at: [x, y], radius }, at) => (
                <circle key={at} cx={x} cy={y} r={Math.max(1.5, radius)} />
              ))}
          </g>
        ))}
      </g>
      {handles.map(({ point, index }) => (
        <PointHandle
          key={index}
          at={view.toViewport(point)}
          label={t("viewer.arch.pointOf", { name, number: index + 1 })}
          isActive
          onChoose={() => drawing.choose(annotation.id)}
          onMove={(to, isOver) => movePoint(index, view.dragPoint(point, to), isOver)}
          onEdit={() => points.length > 2 && put(points.toSpliced(index, 1), true)}
          onRemove={() => points.length > 2 && put(points.toSpliced(index, 1), true)}
          onInsert={() => put(insertMidpoint(points, index), true)}
        />
      ))}
    </g>
  );
}

interface ImplantShapeProps extends PlanLayerProps {
  implant: Implant;
  number: number;
  /** The size of the viewport, once it is known. */
  size: Size | null;
}

function ImplantShape({ arch, drawing, view, implant, number, size }: ImplantShapeProps) {
  const t = useTexts("viewer", "implant");
  const { teeth } = useAppearance();
  const { annotation, body } = implant;
  const isChosen = drawing.chosen === annotation.id;
  const outline = view.outline(body);
  if (outline.length < 3) return null;
  const warning = findFirstWarning(t, teeth, arch, implant);
  const name = formatImplantName(t, implant, number);
  const [head, apex] = [view.toViewport(body.head), view.toViewport(body.apex)];
  const texts = warning === null ? [`${number}`] : [`${number} ⚠ ${warning}`.trim(), `${number} ⚠`];
  const label = placePlanLabel(computeBounds(outline), texts, size);
  const move = (index: number) => (to: Point2D, isOver: boolean) =>
    arch.alter(moveImplantPoint(annotation, index, view.dragPoint(index === 0 ? body.head : body.apex, to)), isOver);
  return (
    <g className={`${isChosen ? styles.chosenImplant : styles.implant} ${warning !== null ? styles.near : ""}`}>
      <path
        className={styles.body}
        data-holds-press
        d={`M${outline.map(([ox, oy]) => `${ox},${oy}`).join(" ")}Z`}
        role="button"
        aria-label={name}
        aria-pressed={isChosen}
        tabIndex={0}
        onPointerDown={selectOnPress(drawing, annotation.id)}
        onFocus={() => drawing.choose(annotation.id)}
      />
      <path className={styles.axis} d={`M${head.join(" ")}L${apex.join(" ")}`} />
      {isChosen &&
        [head, apex].map((at, index) => (
          <PointHandle
            key={index}
            at={at}
            label={t(index === 0 ? "viewer.arch.implant.move" : "viewer.arch.implant.turn", { name })}
            isActive
            onChoose={() => drawing.choose(annotation.id)}
            onMove={move(index)}
          />
        ))}
      <text className={styles.label} x={label.x} y={label.y} textAnchor={label.anchor}>
        {label.text}
      </text>
    </g>
  );
}

/**
 * Returns the warning shown beside an implant: a collision, for which no distance is drawn, or the bone. Returns an
 * empty text, shown as a sign alone, if a distance is too small.
 */
function findFirstWarning(t: Translate, teeth: ToothScheme, arch: Arch, implant: Implant): string | null {
  const near = listDistances(implant, arch.safetyDistances).filter((gap) => isTooNear(gap, arch.safetyDistances));
  const collision = near.find(({ mm }) => mm <= 0);
  if (collision) return collision.text(t, teeth);
  const bone = describeBone(t, arch.checkBone(implant), isUpper(implant, arch.up));
  if (bone.isWarning) return bone.text;
  return near.length > 0 ? "" : describeOutsideJaw(t, implant);
}

const middleOf = (points: Canal["points"]) =>
  times(
    points.reduce((sum, point) => plus(sum, point)),
    1 / points.length,
  );

function computeBounds(outline: readonly Point2D[]): TextBox {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function toLocalPoint(element: SVGElement, clientX: number, clientY: number): Point2D {
  const { left, top } = element.ownerSVGElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
  return [clientX - left, clientY - top];
}
