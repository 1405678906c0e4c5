import { computeConvexHull, sampleRims } from "@arcada/imaging/implant/implant-body";
import { sampleRootSurface } from "@arcada/imaging/implant/tooth-root";
import { projectToScreen, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { listAttachmentBodies } from "./attachments/attachment-bodies.ts";
import { DistanceLines } from "./distance-lines.tsx";
import styles from "../arch-overlays.module.css";
import { cutAtHidden, readUncertain } from "../canal/hidden-stretches.ts";
import { isUpper, type Implant } from "./implant-plan.ts";
import { listWarnings } from "./plan-warnings.ts";
import { useAppearance } from "../../../../browser/appearance.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { Arch } from "../use-arch.ts";

/**
 * Canals, roots and implants over the volume rendering, with the distances that are too small. They are drawn in front
 * of the bone.
 */
export function PlanOverlay3d({ arch, camera, size }: { arch: Arch; camera: ModelCamera; size: Size }) {
  const t = useTexts("viewer", "implant");
  const { teeth } = useAppearance();
  const { canals, sinuses, implants, roots, safetyDistances } = arch;
  const isWarned = (implant: Implant): boolean =>
    listWarnings(t, teeth, implant, safetyDistances, arch.checkBone(implant), isUpper(implant, arch.up)).length > 0;
  const toViewport = (point: Vector): Point2D => projectToScreen(camera, size, point);
  const around = (points: readonly Vector[]): string => toPath(computeConvexHull(points.map(toViewport)), true);
  return (
    <svg className={styles.layer} aria-hidden>
      {arch.suggestedCanals.map(({ annotation, tube: { line } }) => (
        <path
          key={annotation.id}
          className={styles.suggestedInSpace}
          d={toPath(line.points.filter((_, point) => point % 4 === 0).map(toViewport), false)}
        />
      ))}
      {[...canals, ...sinuses].map(({ annotation, points, tube: { line, radius } }) =>
        cutAtHidden(line, points, readUncertain(annotation)).map((part, at) => (
          <path
            key={`${annotation.id} ${at}`}
            className={`${annotation.tool === "sinus" ? styles.sinusInSpace : styles.canalInSpace} ${part.isSeen ? "" : styles.hiddenInSpace}`}
            strokeWidth={part.isSeen ? Math.max(2, 2 * radius * camera.scale) : 2}
            d={toPath(part.line.points.filter((_, point) => point % 4 === 0).map(toViewport), false)}
          />
        )),
      )}
      {roots.map(({ annotation, root }) => (
        <path
          key={annotation.id}
          className={styles.rootBody}
          d={around(sampleRootSurface(root))}
          style={{ pointerEvents: "none" }}
        />
      ))}
      {implants.map((implant) => (
        <g key={implant.annotation.id} className={isWarned(implant) ? styles.near : ""}>
          {listAttachmentBodies(implant).map((part, at) => (
            <path key={at} className={styles[part.kind]} d={around(sampleRims(part.body).flat())} />
          ))}
          <path className={styles.body} d={around(sampleRims(implant.body).flat())} style={{ pointerEvents: "none" }} />
          <DistanceLines
            implant={implant}
            safetyDistances={safetyDistances}
            isChosen={false}
            size={size}
            view={{ scale: camera.scale, lineEnds: ({ from, to }) => [toViewport(from), toViewport(to)] }}
          />
        </g>
      ))}
    </svg>
  );
}

const toPath = (spots: readonly Point2D[], isClosed: boolean): string =>
  spots.length === 0 ? "" : `M${spots.map(([x, y]) => `${x},${y}`).join(" ")}${isClosed ? "Z" : ""}`;
