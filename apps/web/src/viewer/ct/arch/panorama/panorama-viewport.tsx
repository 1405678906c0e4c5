import { useEffect, useRef, useState, type RefObject } from "react";
import { patientToCurvedSurface, type CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { getCrossSectionPosition } from "@arcada/imaging/arch/cross-section";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { directionLetters, oppositeLetters } from "@arcada/imaging/volume/voxel-to-patient";
import { formatList, formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { ViewportCorner } from "../../../ui/viewport/viewport-corner.tsx";
import { useClientSize } from "../../../ui/viewport/use-client-size.ts";
import { finishOrAdd, handleEnter } from "../../annotations/handle-enter-key.ts";
import { PlaneScaleBar } from "../../planes/plane-readout.tsx";
import type { ViewportProps } from "../../layout/viewport-props.ts";
import { PanoramaMeshCuts } from "../../volume-rendering/mesh-cut-overlay.tsx";
import paneStyles from "../../planes/plane-viewport.module.css";
import type { ViewportSpace } from "../../annotations/use-plane-annotations.ts";
import { useActiveViewport, VolumeAnnotations } from "../../annotations/volume-annotations.tsx";
import { ArchPlaceholder } from "../arch-placeholder.tsx";
import { PlanGhost } from "../plan-ghost.tsx";
import { PlanLayer } from "../implant-plan/plan-layer.tsx";
import styles from "../arch-overlays.module.css";
import { createPanoramaProjection } from "../implant-plan/plan-projection.ts";
import { isToolAvailable, useArchPointerHandler } from "../use-arch-pointer-handler.ts";
import { crosshairReachMm, type ArchView } from "@arcada/imaging/arch/arch-display-settings";
import type { Arch } from "../use-arch.ts";
import { fitPanorama, toScreenPoint, describePanorama, createPanoramaSpace, zoomArchView } from "./panorama-space.ts";

const depthStep = 0.5;

/** The panorama along the arch: unrolled, so that lengths along it and heights are true. */
export function PanoramaViewport(props: ViewportProps) {
  const { viewportId, controls, drawing, arch, isActive } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useClientSize(element);
  const [hoveredPoint, setPointed] = useState<Vector | null>(null);
  const { id, handlers } = useActiveViewport(drawing);
  const { view, space } = usePanorama(props, element, size, setPointed);
  const { curvedSurface } = arch;
  const enter = () => {
    if (size && space && isToolAvailable(controls.tool, space)) finishOrAdd(controls.tool, drawing, space, size);
  };

  return (
    <div
      ref={element}
      className={`${paneStyles.pane} ${isActive ? (paneStyles.active ?? "") : ""} ${paneStyles[controls.tool] ?? ""}`}
      role="group"
      aria-label={t("viewer.pane.panorama")}
      tabIndex={0}
      {...handlers}
      onFocus={() => controls.activate(viewportId)}
      onKeyDown={handleEnter(enter)}
    >
      {curvedSurface && size && view && space ? (
        <>
          <PanoramaRuler arch={arch} curvedSurface={curvedSurface} view={view} size={size} at={controls.crosshair} />
          <PanoramaMeshCuts
            curvedSurface={curvedSurface}
            toViewport={(spot) => toScreenPoint(spot, view.middle, view.scale, size)}
          />
          <PlanLayer arch={arch} drawing={drawing} view={createPanoramaProjection(space, curvedSurface, view.scale)} />
          <PlanGhost
            {...{ controls, drawing, hoveredPoint, arch }}
            view={createPanoramaProjection(space, curvedSurface, view.scale)}
          />
          <VolumeAnnotations drawing={drawing} space={space} id={id} />
          <PlaneScaleBar view={{ middle: [0, 0], scale: view.scale }} size={size} />
          <PanoramaReadout arch={arch} hoveredPoint={hoveredPoint} />
        </>
      ) : (
        <ArchPlaceholder arch={arch} controls={controls} />
      )}
    </div>
  );
}

/**
 * Computes the part of the curved surface that is seen in a viewport of this size, and attaches the pointer handler and
 * the renderer.
 */
function usePanorama(
  { viewportId, store, controls, drawing, viewports, arch }: ViewportProps,
  element: RefObject<HTMLElement | null>,
  size: Size | null,
  onPoint: (point: Vector | null) => void,
): { view: ArchView | null; space: ViewportSpace | null } {
  const { curvedSurface, panoramaSettings } = arch;
  const fitView = (viewport: Size): ArchView | null =>
    curvedSurface && (arch.panoramaView ?? fitPanorama(curvedSurface, store.info, viewport));
  const view = size && fitView(size);
  const space =
    curvedSurface && size && view
      ? createPanoramaSpace(curvedSurface, view, size, Math.max(2, panoramaSettings.slab / 2))
      : null;
  const zoom = (at: Point2D | null, factor: number, by: Point2D) =>
    size && view && arch.setPanoramaView(zoomArchView(view, size, at, factor, by));
  const step = (count: number) => arch.setPanoramaSettings({ depth: panoramaSettings.depth + count * depthStep });
  useEffect(() => {
    if (!element.current) return;
    viewports.set(viewportId, {
      element: element.current,
      getContent: (viewport) => {
        const seen = fitView(viewport);
        return seen && describePanorama(arch, store, seen, viewport);
      },
      displaySettings: { slab: panoramaSettings.slab, slabMode: panoramaSettings.slabMode },
      actions: { step, zoom: (factor) => zoom(null, factor, [0, 0]), fit: () => arch.setPanoramaView(null) },
    });
  });
  useEffect(() => () => viewports.delete(viewportId), [viewports, viewportId]);
  useArchPointerHandler(element, { viewportId, controls, drawing, space, step, zoom, onPoint });
  return { view, space };
}

/** Shows the jaw, the slab thickness and the depth, and the position under the pointer. */
function PanoramaReadout({ arch, hoveredPoint }: { arch: Arch; hoveredPoint: Vector | null }) {
  const t = useTexts("viewer");
  const { slab, slabMode, depth } = arch.panoramaSettings;
  const position = hoveredPoint && arch.curvedSurface && patientToCurvedSurface(arch.curvedSurface, hoveredPoint);
  return (
    <>
      <ViewportCorner at="topLeft" isLowered>
        <strong>
          {t("viewer.pane.panorama")} · {t(`viewer.jaw.${arch.jaw}`)}
        </strong>
        <span>
          {t(`viewer.slab.${slabMode}`, { mm: slab })}
          {depth !== 0 && ` · ${t("viewer.arch.depthText", { mm: formatNumber(depth, 1) })}`}
        </span>
        {arch.state === "guessed" && <span>{t("viewer.arch.guessed")}</span>}
        {arch.edges.length > 0 && (
          <span>
            {t("viewer.arch.edges", { parts: formatList(arch.edges.map((edge) => t(`viewer.arch.edge.${edge}`))) })}
          </span>
        )}
      </ViewportCorner>
      <ViewportCorner at="bottomLeft">
        {position && (
          <span>
            {t("viewer.arch.place", {
              along: formatNumber(position.along, 1),
              height: formatNumber(position.height, 1),
            })}
          </span>
        )}
        <span>{t("viewer.arch.unrolled")}</span>
      </ViewportCorner>
      <span className={`${styles.side} ${styles.sideRight}`}>{directionLetters(patientRight)}</span>
      <span className={`${styles.side} ${styles.sideLeft}`}>{oppositeLetters(directionLetters(patientRight))}</span>
    </>
  );
}

const patientRight: Vector = [-1, 0, 0];

interface LinesProps {
  arch: Arch;
  curvedSurface: CurvedSurface;
  view: ArchView;
  size: Size;
  /** The crosshair. */
  at: Vector;
}

const minLabelDistance = 26;

/** The crosshair, and the cross-sections as a ruler along the upper edge. */
function PanoramaRuler({ arch, curvedSurface, view, size, at }: LinesProps) {
  const { path } = arch;
  const position = patientToCurvedSurface(curvedSurface, at);
  const [crosshairX, crosshairY] = toScreenPoint(position, view.middle, view.scale, size);
  const { spacing } = arch.crossSectionSettings;
  const labelInterval = Math.max(
    1,
    ...[1, 2, 5, 10, 20].filter((count, index, all) => (all[index - 1] ?? 0) * spacing * view.scale < minLabelDistance),
  );
  const ticks = Array.from({ length: path ? arch.crossSectionCount : 0 }, (_, index) => index + 1);
  const toX = (number: number): number => {
    // The length of a curved surface that was moved away from the arch differs from the arch's length.
    const share = getCrossSectionPosition(spacing, number) / (path?.length ?? 1);
    return toScreenPoint({ along: share * curvedSurface.length, height: 0 }, view.middle, view.scale, size)[0];
  };
  return (
    <svg className={styles.layer} aria-hidden>
      <path
        className={`${styles.cross} ${styles.level}`}
        d={`M0 ${crosshairY}H${crosshairX - 12}M${crosshairX + 12} ${crosshairY}H${size.width}`}
      />
      {Math.abs(position.out) < crosshairReachMm && (
        <path
          className={`${styles.cross} ${styles.tick} ${styles.now}`}
          d={`M${crosshairX} 34V${crosshairY - 12}M${crosshairX} ${crosshairY + 12}V${size.height}`}
        />
      )}
      {ticks.map((number) => {
        const x = toX(number);
        if (x < 0 || x > size.width) return null;
        const isNow = number === arch.currentCrossSection;
        const isNumbered =
          number % labelInterval === 0 && Math.abs(number - arch.currentCrossSection) * spacing * view.scale > 16;
        return (
          <g key={number}>
            <path
              className={`${styles.tick} ${isNow ? styles.now : ""}`}
              d={`M${x} 0V${isNow ? 18 : isNumbered ? 8 : 4}`}
            />
            {(isNumbered || isNow) && (
              <text className={`${styles.number} ${isNow ? styles.numberNow : ""}`} x={x} y={isNow ? 30 : 19}>
                {number}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
