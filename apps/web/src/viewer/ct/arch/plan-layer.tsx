import type { ToothScheme } from "@arcada/contract/kernel/tooth";
import { useTexts, type Translate } from "../../../kernel/texts.ts";
import { showNumber } from "../../../kernel/format.ts";
import { plus, times } from "@arcada/imaging/view/vector";
import type { Spot } from "@arcada/imaging/view/measure";
import { Handle } from "../../marks/handle.tsx";
import { withOneMore } from "../../marks/use-moving.ts";
import type { PlaneDrawing } from "../use-plane-marks.ts";
import { useLook } from "../../../kernel/look.ts";
import { implantMoved, isUpper, withPoint, type Canal, type Implant } from "./plan.ts";
import { boneText, gapsOf, isTooNear } from "./plan-warnings.ts";
import { chooses } from "./choosing.ts";
import { GapLines } from "./gap-lines.tsx";
import { RootShape } from "./root-shape.tsx";
import styles from "./plan-layer.module.css";
import type { PlanView } from "./plan-view.ts";
import type { Arch } from "./use-arch.ts";

export interface PlanLayerProps {
  arch: Arch;
  drawing: PlaneDrawing;
  view: PlanView;
}

/** Canals and implants in the projection of a viewport; the selected object has handles. */
export const PlanLayer = (props: PlanLayerProps) => (
  <svg className={styles.layer}>
    {props.arch.canals.map((canal) => (
      <CanalShape key={canal.mark.id} {...props} canal={canal} />
    ))}
    {props.arch.roots.map((root, at) => (
      <RootShape key={root.mark.id} {...props} root={root} number={at + 1} />
    ))}
    {props.arch.implants.map((implant, at) => (
      <ImplantShape key={implant.mark.id} {...props} implant={implant} number={at + 1} />
    ))}
    {props.arch.implants.map((implant) => (
      <GapLines
        key={implant.mark.id}
        implant={implant}
        gaps={props.arch.gaps}
        isChosen={props.drawing.chosen === implant.mark.id}
        view={props.view}
      />
    ))}
  </svg>
);

function CanalShape({ arch, drawing, view, canal: { mark, points, tube, side } }: PlanLayerProps & { canal: Canal }) {
  const t = useTexts("viewer");
  const discs = view.discs(tube);
  const isChosen = drawing.chosen === mark.id;
  const handles = isChosen
    ? points.map((point, index) => ({ point, index })).filter(({ point }) => view.isNear(point))
    : [];
  const name = t(`viewer.arch.canal.${side}`);
  const put = (next: readonly (readonly number[])[], isOver: boolean) =>
    arch.alter({ ...mark, points: next.map((each) => [...each]) }, isOver);
  return (
    <g className={isChosen ? styles.chosenCanal : styles.canal}>
      <g
        className={styles.tube}
        data-holds-press
        role="button"
        aria-label={name}
        aria-pressed={isChosen}
        tabIndex={discs.length > 0 ? 0 : -1}
        onPointerDown={chooses(drawing, mark.id)}
        onFocus={() => drawing.choose(mark.id)}
        onDoubleClick={({ currentTarget, clientX, clientY }) =>
          put(withPoint(points, view.taken(middleOf(points), spotIn(currentTarget, clientX, clientY))), true)
        }
      >
        {discs.map(({ at: [x, y], radius }, at) => (
          <circle key={at} cx={x} cy={y} r={Math.max(1.5, radius)} />
        ))}
      </g>
      {handles.map(({ point, index }) => (
        <Handle
          key={index}
          at={view.toPane(point)}
          label={t("viewer.arch.pointOf", { name, number: index + 1 })}
          isFree
          onChoose={() => drawing.choose(mark.id)}
          onMove={(to, isOver) => put(points.with(index, view.taken(point, to)), isOver)}
          onAsk={() => points.length > 2 && put(points.toSpliced(index, 1), true)}
          onRemove={() => points.length > 2 && put(points.toSpliced(index, 1), true)}
          onInsert={() => put(withOneMore(points, index), true)}
        />
      ))}
    </g>
  );
}

function ImplantShape({ arch, drawing, view, implant, number }: PlanLayerProps & { implant: Implant; number: number }) {
  const t = useTexts("viewer");
  const { teeth } = useLook();
  const { mark, body } = implant;
  const isChosen = drawing.chosen === mark.id;
  const outline = view.outline(body);
  if (outline.length < 3) return null;
  const warning = firstWarning(t, teeth, arch, implant);
  const name = implantName(t, implant, number);
  const [head, apex] = [view.toPane(body.head), view.toPane(body.apex)];
  const [x, y] = labelPlace(outline);
  const move = (index: number) => (to: Spot, isOver: boolean) =>
    arch.alter(implantMoved(mark, index, view.taken(index === 0 ? body.head : body.apex, to)), isOver);
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
        onPointerDown={chooses(drawing, mark.id)}
        onFocus={() => drawing.choose(mark.id)}
      />
      <path className={styles.axis} d={`M${head.join(" ")}L${apex.join(" ")}`} />
      {isChosen &&
        [head, apex].map((at, index) => (
          <Handle
            key={index}
            at={at}
            label={t(index === 0 ? "viewer.arch.implant.move" : "viewer.arch.implant.turn", { name })}
            isFree
            onChoose={() => drawing.choose(mark.id)}
            onMove={move(index)}
          />
        ))}
      <text className={styles.label} x={x + 6} y={y}>
        {number}
        {warning !== null && ` ⚠ ${warning}`}
      </text>
    </g>
  );
}

export const implantName = (t: Translate, { body, length }: Implant, number: number): string =>
  t("viewer.arch.implant.name", {
    number,
    diameter: showNumber(body.shoulder * 2, 2),
    length: showNumber(length, 1),
  });

/**
 * Returns the warning shown beside an implant: a collision, for which no distance is drawn, or the bone. Returns an
 * empty text, shown as a sign alone, if a distance is too small.
 */
function firstWarning(t: Translate, teeth: ToothScheme, arch: Arch, implant: Implant): string | null {
  const near = gapsOf(implant).filter((gap) => isTooNear(gap, arch.gaps));
  const struck = near.find(({ mm }) => mm <= 0);
  if (struck) return struck.text(t, teeth);
  const bone = boneText(t, arch.boneOf(implant), isUpper(implant, arch.up));
  return bone.isWarning ? bone.text : near.length > 0 ? "" : null;
}

const middleOf = (points: Canal["points"]) =>
  times(
    points.reduce((sum, point) => plus(sum, point)),
    1 / points.length,
  );

/** The label's position: at the right of the outline, half way up. */
function labelPlace(outline: readonly Spot[]): Spot {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  return [Math.max(...xs), (Math.min(...ys) + Math.max(...ys)) / 2];
}

function spotIn(element: SVGElement, clientX: number, clientY: number): Spot {
  const { left, top } = element.ownerSVGElement?.getBoundingClientRect() ?? { left: 0, top: 0 };
  return [clientX - left, clientY - top];
}
