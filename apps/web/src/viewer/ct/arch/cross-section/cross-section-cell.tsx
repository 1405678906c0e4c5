import { useEffect, useRef, useState, type RefObject } from "react";
import type { CurvedSurface } from "@arcada/imaging/arch/curved-surface";
import { getCrossSectionPosition, createCrossSection, type CrossSection } from "@arcada/imaging/arch/cross-section";
import type { ViewportContent } from "@arcada/imaging/gl/volume-renderer";
import type { Size } from "@arcada/imaging/view/image-view";
import {
  mapViewportToTexture,
  viewportToPatient,
  patientToViewport,
  type PlaneView,
} from "@arcada/imaging/view/plane-view";
import { dot, type Vector } from "@arcada/imaging/geometry/vector";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { ViewportCorner } from "../../../ui/viewport/viewport-corner.tsx";
import { useClientSize } from "../../../ui/viewport/use-client-size.ts";
import { finishOrAdd, handleEnter } from "../../annotations/handle-enter-key.ts";
import type { ViewportProps } from "../../layout/viewport-props.ts";
import { PlaneMeshCuts } from "../../volume-rendering/mesh-cut-overlay.tsx";
import paneStyles from "../../planes/plane-viewport.module.css";
import { downsampleGeometry } from "../../loading/texture-size.ts";
import type { ViewportSpace } from "../../annotations/use-plane-annotations.ts";
import type { VolumeStore } from "../../loading/volume-store.ts";
import { useActiveViewport, VolumeAnnotations } from "../../annotations/volume-annotations.tsx";
import { PlanGhost } from "../plan-ghost.tsx";
import { PlanLayer } from "../implant-plan/plan-layer.tsx";
import styles from "../arch-overlays.module.css";
import { createPlaneProjection } from "../implant-plan/plan-projection.ts";
import { isToolAvailable, useArchPointerHandler } from "../use-arch-pointer-handler.ts";
import type { ArchView } from "@arcada/imaging/arch/arch-display-settings";
import type { Arch } from "../use-arch.ts";
import { zoomArchView } from "../panorama/panorama-space.ts";

interface Props extends ViewportProps {
  /** The index of this cell, and the number of the cross-section that it shows. */
  index: number;
  number: number;
  path: CurvedSurface;
  fitView: (cell: Size) => ArchView;
  step: (count: number) => void;
}

/** One cross-section: cheek on the left, tongue on the right. */
export function CrossSectionCell(props: Props) {
  const { viewportId, store, controls, drawing, arch, number } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useClientSize(element);
  const [hoveredPoint, setPointed] = useState<Vector | null>(null);
  const { id, handlers } = useActiveViewport(drawing);
  const { view, space } = useCrossSection(props, element, size, setPointed);
  const isNow = number === arch.currentCrossSection;
  const enter = () => {
    if (size && space && isToolAvailable(controls.tool, space)) finishOrAdd(controls.tool, drawing, space, size);
  };

  return (
    <div
      ref={element}
      className={`${styles.cell} ${isNow ? (styles.cellNow ?? "") : ""} ${paneStyles[controls.tool] ?? ""}`}
      role="group"
      aria-label={t("viewer.arch.sectionName", { number })}
      aria-current={isNow}
      tabIndex={0}
      {...handlers}
      onFocus={() => controls.activate(viewportId)}
      onKeyDown={handleEnter(enter)}
    >
      {size && view && space && (
        <>
          {isNow && <CrossSectionCrosshair at={space.toViewport(controls.crosshair)} size={size} />}
          <PlaneMeshCuts space={space} depth={dot(space.toPatient([0, 0]), space.plane.away)} />
          <PlanLayer arch={arch} drawing={drawing} view={createPlaneProjection(space)} />
          <PlanGhost {...{ controls, drawing, hoveredPoint, arch }} view={createPlaneProjection(space)} />
          <VolumeAnnotations drawing={drawing} space={space} id={id} />
          <CrossSectionScale scale={view.scale} size={size} />
        </>
      )}
      <CrossSectionReadout arch={arch} store={store} number={number} hoveredPoint={hoveredPoint} />
    </div>
  );
}

/**
 * Computes the part of the cross-section that is seen in a cell of this size, and attaches the pointer handler and the
 * renderer.
 */
function useCrossSection(
  { viewportId, store, controls, drawing, viewports, arch, index, number, path, fitView, step }: Props,
  element: RefObject<HTMLElement | null>,
  size: Size | null,
  onPoint: (point: Vector | null) => void,
): { view: ArchView | null; space: ViewportSpace | null } {
  const { spacing, slab, slabMode } = arch.crossSectionSettings;
  const crossSection = createCrossSection(path, getCrossSectionPosition(spacing, number));
  const view = size && (arch.crossSectionView ?? fitView(size));
  const space = view && size ? createCrossSectionSpace(crossSection, view, size, Math.max(spacing, slab) / 2) : null;
  const name = `${viewportId}/${index}`;
  useEffect(() => {
    if (!element.current) return;
    viewports.set(name, {
      element: element.current,
      getContent: (viewport) =>
        describeCrossSection(crossSection, arch.crossSectionView ?? fitView(viewport), store, viewport),
      displaySettings: { slab, slabMode },
    });
  });
  useEffect(() => () => viewports.delete(name), [viewports, name]);
  useArchPointerHandler(element, {
    viewportId,
    controls,
    drawing,
    space,
    step,
    zoom: (at, factor, by) => size && view && arch.setCrossSectionView(zoomArchView(view, size, at, factor, by)),
    onPoint,
  });
  return { view, space };
}

function CrossSectionReadout({
  arch,
  store,
  number,
  hoveredPoint,
}: {
  arch: Arch;
  store: VolumeStore;
  number: number;
  hoveredPoint: Vector | null;
}) {
  const t = useTexts("viewer");
  const value = hoveredPoint && store.valueAt(hoveredPoint);
  return (
    <>
      <span className={styles.cellNumber}>{number}</span>
      <span className={`${styles.side} ${styles.sideRight}`}>{t("viewer.arch.buccal")}</span>
      <span className={`${styles.side} ${styles.sideLeft}`}>{t(`viewer.arch.inside.${arch.jaw}`)}</span>
      <ViewportCorner at="bottomLeft">
        {value && !value.isMean && <span>{t(`viewer.value.${store.info.valueName}`, { value: value.value })}</span>}
      </ViewportCorner>
    </>
  );
}

function CrossSectionCrosshair({ at: [x, y], size }: { at: readonly [number, number]; size: Size }) {
  return (
    <svg className={styles.layer} aria-hidden>
      <path className={`${styles.cross} ${styles.level}`} d={`M0 ${y}H${x - 10}M${x + 10} ${y}H${size.width}`} />
      <path className={`${styles.cross} ${styles.wallLine}`} d={`M${x} 0V${y - 10}M${x} ${y + 10}V${size.height}`} />
    </svg>
  );
}

const barMm = 10;

function CrossSectionScale({ scale, size }: { scale: number; size: Size }) {
  const t = useTexts("viewer");
  return (
    <svg className={styles.layer} aria-hidden>
      <g transform={`translate(${size.width - 10} ${size.height - 10})`}>
        <path className={paneStyles.bar} d={`M-4 0H0V${-barMm * scale}H-4`} />
        <text className={paneStyles.barText} x={-8} y={(-barMm * scale) / 2 + 4} textAnchor="end">
          {t("viewer.unit.mm", { value: formatNumber(barMm) })}
        </text>
      </g>
    </svg>
  );
}

/**
 * The view's middle is relative to the point at which the cross-section crosses the arch: mm towards the tongue, and
 * upwards.
 */
const toPlaneView = ({ plane, point }: CrossSection, { middle, scale }: ArchView): PlaneView => ({
  scale,
  middle: [dot(point, plane.right) + middle[0], dot(point, plane.down) - middle[1]],
});

function createCrossSectionSpace(crossSection: CrossSection, view: ArchView, size: Size, reach: number): ViewportSpace {
  const { plane, point } = crossSection;
  const [seen, depth] = [toPlaneView(crossSection, view), dot(point, plane.away)];
  return {
    name: "section",
    plane,
    toViewport: (there) => patientToViewport(plane, seen, size, there),
    toPatient: (at) => viewportToPatient(plane, seen, size, at, depth),
    isIn: (there) => Math.abs(dot(there, plane.away) - depth) <= reach,
  };
}

function describeCrossSection(
  crossSection: CrossSection,
  view: ArchView,
  store: VolumeStore,
  viewport: Size,
): ViewportContent {
  const { plane, point } = crossSection;
  const [seen, depth] = [toPlaneView(crossSection, view), dot(point, plane.away)];
  return {
    kind: "plane",
    full: mapViewportToTexture(downsampleGeometry(store.info, store.factor), plane, seen, viewport, depth),
    preview: store.preview && mapViewportToTexture(store.preview.info, plane, seen, viewport, depth),
  };
}
