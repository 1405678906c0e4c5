import { useEffect, useMemo, useRef, useState } from "react";
import type { RayCastContent } from "@arcada/imaging/gl/ray-cast-renderer";
import { identityTransform } from "@arcada/imaging/geometry/rigid-transform";
import { findFirstIntersection } from "@arcada/imaging/surface/ray-mesh-intersection";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { castViewRay, projectToScreen, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/image-view";
import { createRenderRays } from "@arcada/imaging/view/camera-rays";
import { unclipped } from "@arcada/imaging/view/volume-clip";
import { useTexts } from "../../../../i18n/texts.ts";
import { useClientSize } from "../../../ui/viewport/use-client-size.ts";
import { SceneOrientationMarkers } from "../../../model/orientation/scene-orientation-markers.tsx";
import type { ViewportProps } from "../../layout/viewport-props.ts";
import type { VolumeStore } from "../../loading/volume-store.ts";
import { PointPairMarkers } from "./point-pair-markers.tsx";
import { buildRenderSettings } from "../render-presets.ts";
import styles from "../render-viewport.module.css";
import { useRendering, type Rendering } from "../rendering-context.tsx";
import { toRenderView, createScanCamera, detectScanOrientation, type RenderView } from "../camera-presets.ts";
import { useRenderPointerHandler } from "../use-render-pointer-handler.ts";
import type { ScanRegistration } from "./use-scan-registration.ts";

/** The scan beside the volume, to pick the same points on both. */
export function ScanViewport({ viewportId, store, viewports, controls }: ViewportProps) {
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useClientSize(element);
  const rendering = useRendering();
  const { scan } = rendering;
  const { mesh, model } = scan;
  const [userCamera, setUserCamera] = useState<ModelCamera | null>(null);
  const [view, setView] = useState<RenderView>("top");
  // Seen from the side of the crowns.
  const named: RenderView = view === "top" && model?.jaw === "upper" ? "bottom" : view;
  const orientation = useMemo(() => mesh && detectScanOrientation(mesh, model?.jaw ?? null), [mesh, model?.jaw]);
  const camera = userCamera ?? (mesh && orientation && size && createScanCamera(named, mesh, orientation.frame, size));
  const showView = (name: RenderView) => {
    setView(name);
    setUserCamera(null);
  };
  const { zoom, orbit, onKeyDown } = useRenderPointerHandler(element, {
    camera,
    setCamera: setUserCamera,
    showView,
    size,
    box: mesh?.bounds ?? { min: [0, 0, 0], max: [1, 1, 1] },
    isPanning: controls.tool === "pan",
    onPick: (at) => camera && size && pickScanPoint(scan, camera, size, at),
    onPress: () => {},
    onDouble: () => {},
  });
  const name = `${viewportId}Scan`;
  useEffect(() => {
    if (!element.current) return;
    const getContent = (viewport: Size) => describeScan(store, rendering, camera, viewport);
    viewports.set(name, {
      element: element.current,
      getContent,
      actions: { zoom: (factor) => zoom(factor), step: (count) => orbit([0, 12 * count]) },
    });
  });
  useEffect(() => () => viewports.delete(name), [viewports, name]);
  return (
    <div
      ref={element}
      className={styles.pane}
      role="group"
      aria-label={t("viewer.render.scan.pane")}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {!mesh && (
        <div className={styles.asked} role="status">
          {t(scan.hasFailed ? "viewer.render.scan.failed" : "viewer.render.scan.loading")}
        </div>
      )}
      {camera && orientation && (
        <SceneOrientationMarkers
          camera={camera}
          orientation={orientation}
          onView={(name) => showView(toRenderView(name))}
        />
      )}
      {camera && size && (
        <PointPairMarkers points={scan.pairs.map(({ scan: point }) => projectToScreen(camera, size, point))} />
      )}
    </div>
  );
}

function describeScan(
  store: VolumeStore,
  { scan: { sceneMesh }, matter, choice }: Rendering,
  camera: ModelCamera | null,
  viewport: Size,
): RayCastContent | null {
  if (!camera || !sceneMesh || !matter) return null;
  return {
    kind: "render",
    name: "scan",
    rays: createRenderRays(store.info, null, camera, viewport, unclipped),
    camera,
    viewport: { width: viewport.width, height: viewport.height },
    displaySettings: { ...buildRenderSettings(choice, matter), mode: "matter" },
    hasMatter: false,
    meshes: [{ mesh: sceneMesh, rigidTransform: identityTransform, colour: [0.9, 0.86, 0.78], opacity: 1 }],
    steps: { full: 1, preview: 1 },
  };
}

function pickScanPoint({ mesh, pick }: ScanRegistration, camera: ModelCamera, size: Size, at: Point2D): void {
  const sight = castViewRay(camera, size, at, 1000);
  const point = mesh && findFirstIntersection(mesh, sight.origin, sight.direction);
  if (point) pick("scan", point);
}
