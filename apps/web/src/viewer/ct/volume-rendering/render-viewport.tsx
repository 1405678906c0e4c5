import { Slider } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef } from "react";
import type { RayCastContent } from "@arcada/imaging/gl/ray-cast-renderer";
import { findFirstAbove, findHighestAlong } from "@arcada/imaging/surface/volume-picking";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { castViewRay, projectToScreen, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import { planeNames, type PlaneName } from "@arcada/imaging/view/plane-view";
import { createRenderRays } from "@arcada/imaging/view/camera-rays";
import { rescaleValue } from "@arcada/imaging/view/rescale-to-grey-values";
import { plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import { useTexts } from "../../../i18n/texts.ts";
import { OrientationCube } from "../../ui/viewport/orientation-cube.tsx";
import { OrientationLetters } from "../../ui/viewport/orientation-letters.tsx";
import { useClientSize } from "../../ui/viewport/use-client-size.ts";
import type { ViewportProps } from "../layout/viewport-props.ts";
import { PlaneScaleBar } from "../planes/plane-readout.tsx";
import { ReducedResolutionNote } from "../viewport-rendering/reduced-resolution-note.tsx";
import { downsampleGeometry } from "../loading/texture-size.ts";
import { PlanOverlay3d } from "../arch/implant-plan/plan-overlay-3d.tsx";
import type { Arch } from "../arch/use-arch.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { VolumeStore } from "../loading/volume-store.ts";
import { PointPairMarkers } from "./scan/point-pair-markers.tsx";
import { buildRenderSettings, resolveThreshold } from "./render-presets.ts";
import styles from "./render-viewport.module.css";
import { RenderToolbar } from "./render-toolbar.tsx";
import { useRendering, type Rendering } from "./rendering-context.tsx";
import { getBoundingBox, createRenderCamera, toRenderView } from "./camera-presets.ts";
import { ScanRegistrationBar } from "./scan/scan-registration-bar.tsx";
import { useRenderPointerHandler } from "./use-render-pointer-handler.ts";

const ScanViewport = lazy(async () => ({ default: (await import("./scan/scan-viewport.tsx")).ScanViewport }));

/** The volume rendering, with the scan beside it while points are picked on both. */
export function RenderViewport(props: ViewportProps) {
  const { scan } = useRendering();
  return (
    <div className={styles.room}>
      <div className={styles.halves}>
        <Suspense>{scan.isPicking && <ScanViewport {...props} />}</Suspense>
        <VolumeViewport {...props} />
      </div>
      {/* Placed under both while points are picked: over the volume it would cover teeth. */}
      {scan.isPicking && <ScanRegistrationBar scan={scan} />}
    </div>
  );
}

function VolumeViewport(props: ViewportProps) {
  const { viewportId, store, controls, viewports, isActive, arch } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useClientSize(element);
  const rendering = useRendering();
  const { matter, scan } = rendering;
  const camera = rendering.camera ?? (size && createRenderCamera(rendering.view ?? "front", store.info, size));
  const pick = (at: Point2D) => {
    const point = camera && size && pickPoint(store, rendering, camera, size, at);
    if (!point) return;
    controls.setCrosshair(point);
    if (scan.isPicking) scan.pick("volume", point);
  };
  const { orbit, zoom, onKeyDown } = useRenderPointerHandler(element, {
    camera,
    setCamera: rendering.setCamera,
    showView: rendering.showView,
    size,
    box: getBoundingBox(store.info),
    isPanning: controls.tool === "pan",
    onPick: pick,
    onPress: () => controls.activate(viewportId),
    onDouble: () => controls.toggleEnlarged(viewportId),
  });
  useEffect(() => {
    if (!element.current) return;
    const getContent = (viewport: Size) => describeRendering(store, rendering, camera, viewport);
    viewports.set(viewportId, {
      element: element.current,
      getContent,
      actions: { zoom: (factor) => zoom(factor), step: (count) => orbit([0, 12 * count]) },
    });
  });
  useEffect(() => () => viewports.delete(viewportId), [viewports, viewportId]);

  return (
    <div
      ref={element}
      className={`${styles.pane} ${isActive ? (styles.active ?? "") : ""}`}
      role="group"
      aria-label={t("viewer.pane.render")}
      tabIndex={0}
      onFocus={() => controls.activate(viewportId)}
      onKeyDown={onKeyDown}
    >
      {size && camera && <RenderOverlays {...{ rendering, controls, camera, size, arch }} />}
      <RenderToolbar {...props} />
      {!scan.isPicking && <ScanRegistrationBar scan={scan} />}
      {matter && <ThresholdSlider store={store} rendering={rendering} />}
      <ReducedResolutionNote viewports={viewports} viewportId={viewportId} />
    </div>
  );
}

/** Overlays of the image that let the pointer through. */
function RenderOverlays({
  rendering: { scan, showView },
  controls,
  camera,
  size,
  arch,
}: {
  arch: Arch;
  rendering: Rendering;
  controls: CtControls;
  camera: ModelCamera;
  size: Size;
}) {
  return (
    <>
      <CrosshairPoint controls={controls} at={(point) => projectToScreen(camera, size, point)} size={size} />
      <OrientationLetters plane={{ right: camera.right, down: times(camera.up, -1) }} />
      <PlaneScaleBar view={{ middle: [0, 0], scale: camera.scale }} size={size} />
      <PlanOverlay3d arch={arch} camera={camera} size={size} />
      {scan.isPicking && (
        <PointPairMarkers points={scan.pairs.map(({ volume }) => volume && projectToScreen(camera, size, volume))} />
      )}
      <OrientationCube camera={camera} onView={(name) => showView(toRenderView(name))} />
    </>
  );
}

function describeRendering(
  store: VolumeStore,
  { choice, matter, clip, meshes }: Rendering,
  camera: ModelCamera | null,
  viewport: Size,
): RayCastContent | null {
  if (!camera || !matter) return null;
  const { preview } = store;
  const full = downsampleGeometry(store.info, store.factor);
  return {
    kind: "render",
    name: "volume",
    rays: createRenderRays(full, preview?.info ?? null, camera, viewport, clip),
    camera,
    viewport: { width: viewport.width, height: viewport.height },
    displaySettings: buildRenderSettings(choice, matter),
    hasMatter: true,
    meshes: meshes.filter(({ isShown }) => isShown),
    steps: {
      full: 0.7 * Math.min(...full.spacing),
      preview: 0.5 * Math.min(...(preview?.info ?? full).spacing),
    },
  };
}

/** Returns the patient point under a point of the viewport, from the values as stored. */
export function pickPoint(
  store: VolumeStore,
  { choice, matter, clip }: Rendering,
  camera: ModelCamera,
  size: Size,
  at: Point2D,
): Vector | null {
  const { grid } = store;
  if (!grid || !matter) return null;
  const ray = castViewRay(camera, size, at, 1000);
  const { mode, ramp } = buildRenderSettings(choice, matter);
  return mode === "matter" ? findFirstAbove(grid, ray, clip, ramp[0]) : findHighestAlong(grid, ray, clip);
}

function ThresholdSlider({
  store,
  rendering: { choice, choose, matter },
}: {
  store: VolumeStore;
  rendering: Rendering;
}) {
  const t = useTexts("viewer");
  if (!matter || choice.preset === "max") return null;
  const value = resolveThreshold(choice, matter);
  const least = Math.round(matter.soft - (matter.hard - matter.soft));
  return (
    <div className={styles.threshold} data-holds-press>
      <span>{t("viewer.render.from", { value: rescaleValue(store.info, value) })}</span>
      <Slider
        className={styles.slider}
        size="sm"
        label={null}
        thumbLabel={t("viewer.render.threshold")}
        min={least}
        max={Math.max(least + 1, Math.round(1.3 * matter.dense - 0.3 * matter.hard))}
        value={value}
        onChange={(threshold) => choose({ threshold })}
      />
    </div>
  );
}

const armLengthMm = 14;

/** The crosshair: the directions in which two planes meet, in the colour of the third. */
function CrosshairPoint({ controls, at, size }: { controls: CtControls; at: (point: Vector) => Point2D; size: Size }) {
  const { crosshair, planes } = controls;
  const [x, y] = at(crosshair);
  if (x < 0 || y < 0 || x > size.width || y > size.height) return null;
  const line = (name: PlaneName): string => {
    const ends = [-armLengthMm, armLengthMm].map((mm) => at(plus(crosshair, times(planes[name].away, mm))).join(" "));
    return `M${ends.join("L")}`;
  };
  const colours = { axial: styles.crossAxial, coronal: styles.crossCoronal, sagittal: styles.crossSagittal };
  return (
    <svg className={styles.layer} aria-hidden>
      {planeNames.map((name) => (
        <path key={name} className={`${styles.cross} ${colours[name]}`} d={line(name)} />
      ))}
      <circle className={`${styles.cross} ${styles.crossAxial}`} cx={x} cy={y} r={4} />
    </svg>
  );
}
