import { pathAt, type ArchPath } from "@arcada/imaging/arch/path";
import { sectionAlong } from "@arcada/imaging/arch/section";
import type { Spot } from "@arcada/imaging/view/measure";
import { dot, plus, times, type Vector } from "@arcada/imaging/view/vector";
import { useTexts } from "../../../kernel/texts.ts";
import { Handle } from "../../marks/handle.tsx";
import { withOneMore } from "../../marks/use-moving.ts";
import type { PaneProps } from "../layout/pane-props.ts";
import type { PaneSpace } from "../use-plane-marks.ts";
import { PlanLayer } from "./plan-layer.tsx";
import styles from "./plan-layer.module.css";
import { planeSight } from "./plan-view.ts";
import type { Arch } from "./use-arch.ts";

/** Draws planned objects over a plane, and in planes parallel to the arch also the arch with its cross-sections. */
export function ArchOverlay({ arch, drawing, controls, space }: PaneProps & { space: PaneSpace }) {
  const { path } = arch;
  const isLevel = path !== null && Math.abs(dot(space.plane.away, path.up)) > 0.7;
  const isHeld = controls.tool === "arch";
  const isShown = isHeld || arch.isShown;
  return (
    <>
      <PlanLayer arch={arch} drawing={drawing} view={planeSight(space)} />
      {path && isLevel && isShown && <ArchLineShape arch={arch} path={path} space={space} isHeld={isHeld} />}
    </>
  );
}

interface ShapeProps {
  arch: Arch;
  path: ArchPath;
  space: PaneSpace;
  /** True if its points can be dragged. */
  isHeld: boolean;
}

function ArchLineShape({ arch, path, space, isHeld }: ShapeProps) {
  const t = useTexts("viewer");
  const at = (point: Vector): string => space.toPane(lifted(path, point)).join(",");
  const line = path.points.filter((_, index) => index % 4 === 0 || index === path.points.length - 1);
  return (
    <svg className={styles.layer}>
      <SectionTicks arch={arch} path={path} space={space} />
      <path
        className={`${styles.arch} ${arch.state === "guessed" ? styles.guessed : ""}`}
        d={`M${line.map(at).join(" ")}`}
      />
      {isHeld &&
        arch.points.map((point, index) => (
          <Handle
            key={index}
            at={space.toPane(point)}
            label={t("viewer.arch.pointOf", { name: t("viewer.tool.arch"), number: index + 1 })}
            isFree
            onChoose={() => {}}
            onMove={(to, isOver) => arch.setPoints(arch.points.with(index, takenTo(space, point, to)), isOver)}
            onAsk={() => arch.removePoint(index)}
            onRemove={() => arch.removePoint(index)}
            onInsert={() => arch.setPoints(withOneMore(arch.points, index), true)}
          />
        ))}
    </svg>
  );
}

const lifted = ({ up, level }: ArchPath, point: Vector): Vector => plus(point, times(up, level));

/** A point keeps its height: the arch is edited as seen from above. */
function takenTo({ plane, toPatient }: PaneSpace, point: Vector, to: Spot): Vector {
  const there = toPatient(to);
  return plus(there, times(plane.away, dot(point, plane.away) - dot(there, plane.away)));
}

const tickReach = 7;

/** Draws the positions of the cross-sections: every fifth with its number, the current one at full length. */
function SectionTicks({ arch, path, space }: Omit<ShapeProps, "isHeld">) {
  const { spacing } = arch.sectionLook;
  return Array.from({ length: arch.sections }, (_, index) => {
    const number = index + 1;
    const { point, normal } = pathAt(path, sectionAlong(spacing, number));
    const isNow = number === arch.section;
    const isNumbered = isNow || (number % 5 === 0 && Math.abs(number - arch.section) > 2);
    const reach = isNow ? tickReach * 1.6 : isNumbered ? tickReach : tickReach / 2;
    const end = (by: number): Spot => space.toPane(lifted(path, plus(point, times(normal, by))));
    const [x, y] = end(reach + 3);
    return (
      <g key={number}>
        <path
          className={`${styles.tick} ${isNow ? styles.now : ""}`}
          d={`M${end(-reach).join(" ")}L${end(reach).join(" ")}`}
        />
        {isNumbered && (
          <text className={styles.number} x={x} y={y + 4}>
            {number}
          </text>
        )}
      </g>
    );
  });
}
