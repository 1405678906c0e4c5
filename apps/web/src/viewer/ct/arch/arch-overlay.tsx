import { sampleCurvedSurface, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { getCrossSectionPosition } from "@arcada/imaging/arch/cross-section";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { dot, plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import { useTexts } from "../../../i18n/texts.ts";
import { PointHandle } from "../../annotations/layer/point-handle.tsx";
import { insertMidpoint } from "../../annotations/drawing/use-point-editing.ts";
import type { ViewportProps } from "../layout/viewport-props.ts";
import type { PlaneSpace } from "../annotations/use-plane-annotations.ts";
import { PlanLayer } from "./implant-plan/plan-layer.tsx";
import styles from "./arch-overlays.module.css";
import { createPlaneProjection } from "./implant-plan/plan-projection.ts";
import type { Arch } from "./use-arch.ts";

/** Draws planned objects over a plane, and in planes parallel to the arch also the arch with its cross-sections. */
export function ArchOverlay({ arch, drawing, controls, space }: ViewportProps & { space: PlaneSpace }) {
  const { path } = arch;
  const isLevel = path !== null && Math.abs(dot(space.plane.away, path.up)) > 0.7;
  const isEditable = controls.tool === "arch";
  const isShown = isEditable || arch.isShown;
  return (
    <>
      <PlanLayer arch={arch} drawing={drawing} view={createPlaneProjection(space)} />
      {path && isLevel && isShown && <ArchLineShape arch={arch} path={path} space={space} isEditable={isEditable} />}
    </>
  );
}

interface ShapeProps {
  arch: Arch;
  path: CurvedSurface;
  space: PlaneSpace;
  /** True if its points can be dragged. */
  isEditable: boolean;
}

function ArchLineShape({ arch, path, space, isEditable }: ShapeProps) {
  const t = useTexts("viewer");
  const at = (point: Vector): string => space.toViewport(liftToLevel(path, point)).join(",");
  const line = path.points.filter((_, index) => index % 4 === 0 || index === path.points.length - 1);
  return (
    <svg className={styles.layer}>
      <CrossSectionTicks arch={arch} path={path} space={space} />
      <path
        className={`${styles.arch} ${arch.state === "guessed" ? styles.guessed : ""}`}
        d={`M${line.map(at).join(" ")}`}
      />
      {isEditable &&
        arch.points.map((point, index) => (
          <PointHandle
            key={index}
            at={space.toViewport(point)}
            label={t("viewer.arch.pointOf", { name: t("viewer.tool.arch"), number: index + 1 })}
            isActive
            onChoose={() => {}}
            onMove={(to, isOver) => arch.setPoints(arch.points.with(index, moveInPlane(space, point, to)), isOver)}
            onEdit={() => arch.removePoint(index)}
            onRemove={() => arch.removePoint(index)}
            onInsert={() => arch.setPoints(insertMidpoint(arch.points, index), true)}
          />
        ))}
    </svg>
  );
}

const liftToLevel = ({ up, level }: CurvedSurface, point: Vector): Vector => plus(point, times(up, level));

/** A point keeps its height: the arch is edited as seen from above. */
function moveInPlane({ plane, toPatient }: PlaneSpace, point: Vector, to: Point2D): Vector {
  const there = toPatient(to);
  return plus(there, times(plane.away, dot(point, plane.away) - dot(there, plane.away)));
}

const tickReach = 7;

/** Draws the positions of the cross-sections: every fifth with its number, the current one at full length. */
function CrossSectionTicks({ arch, path, space }: Omit<ShapeProps, "isEditable">) {
  const { spacing } = arch.crossSectionSettings;
  return Array.from({ length: arch.crossSectionCount }, (_, index) => {
    const number = index + 1;
    const { point, normal } = sampleCurvedSurface(path, getCrossSectionPosition(spacing, number));
    const isNow = number === arch.currentCrossSection;
    const isNumbered = isNow || (number % 5 === 0 && Math.abs(number - arch.currentCrossSection) > 2);
    const reach = isNow ? tickReach * 1.6 : isNumbered ? tickReach : tickReach / 2;
    const end = (by: number): Point2D => space.toViewport(liftToLevel(path, plus(point, times(normal, by))));
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
