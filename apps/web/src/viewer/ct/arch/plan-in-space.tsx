import { outlineOf, rimsOf } from "@arcada/imaging/arch/body";
import { rootSurface } from "@arcada/imaging/arch/root";
import { toScreen, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Vector } from "@arcada/imaging/view/vector";
import { GapLines } from "./gap-lines.tsx";
import styles from "./plan-layer.module.css";
import { isUpper, type Implant } from "./plan.ts";
import { warningsOf } from "./plan-warnings.ts";
import { useLook } from "../../../kernel/look.ts";
import { useTexts } from "../../../kernel/texts.ts";
import type { Arch } from "./use-arch.ts";

/**
 * Canals, roots and implants over the volume rendering, with the distances that are too small. They are drawn in front
 * of the bone.
 */
export function PlanInSpace({ arch, camera, size }: { arch: Arch; camera: ModelCamera; size: Size }) {
  const t = useTexts("viewer");
  const { teeth } = useLook();
  const { canals, implants, roots, gaps } = arch;
  const isWarned = (implant: Implant): boolean =>
    warningsOf(t, teeth, implant, gaps, arch.boneOf(implant), isUpper(implant, arch.up)).length > 0;
  const toPane = (point: Vector): Spot => toScreen(camera, size, point);
  const around = (points: readonly Vector[]): string => pathOf(outlineOf(points.map(toPane)), true);
  return (
    <svg className={styles.layer} aria-hidden>
      {canals.map(({ mark, tube: { line, radius } }) => (
        <path
          key={mark.id}
          className={styles.canalInSpace}
          strokeWidth={Math.max(2, 2 * radius * camera.scale)}
          d={pathOf(line.points.filter((_, at) => at % 4 === 0).map(toPane), false)}
        />
      ))}
      {roots.map(({ mark, root }) => (
        <path
          key={mark.id}
          className={styles.rootBody}
          d={around(rootSurface(root))}
          style={{ pointerEvents: "none" }}
        />
      ))}
      {implants.map((implant) => (
        <g key={implant.mark.id} className={isWarned(implant) ? styles.near : ""}>
          <path className={styles.body} d={around(rimsOf(implant.body).flat())} style={{ pointerEvents: "none" }} />
          <GapLines
            implant={implant}
            gaps={gaps}
            isChosen={false}
            view={{ scale: camera.scale, ends: ({ from, to }) => [toPane(from), toPane(to)] }}
          />
        </g>
      ))}
    </svg>
  );
}

const pathOf = (spots: readonly Spot[], isClosed: boolean): string =>
  spots.length === 0 ? "" : `M${spots.map(([x, y]) => `${x},${y}`).join(" ")}${isClosed ? "Z" : ""}`;
