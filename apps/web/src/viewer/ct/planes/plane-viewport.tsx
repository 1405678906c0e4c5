import { useEffect, useRef, useState } from "react";
import type { ViewportContent } from "@arcada/imaging/gl/volume-renderer";
import type { Size } from "@arcada/imaging/view/image-view";
import {
  mapViewportToTexture,
  viewportToPatient,
  patientToViewport,
  getSliceIndex,
  findStoredSlice,
  getSliceStack,
  type PlaneView,
  type PlaneName,
} from "@arcada/imaging/view/plane-view";
import { dot, type Vector } from "@arcada/imaging/geometry/vector";
import { useTexts } from "../../../i18n/texts.ts";
import { useClientSize } from "../../ui/viewport/use-client-size.ts";
import { createPlaneProjection } from "../arch/implant-plan/plan-projection.ts";
import { PlanGhost } from "../arch/plan-ghost.tsx";
import { CrosshairLines } from "./crosshair-lines.tsx";
import { finishOrAdd, handleEnter } from "../annotations/handle-enter-key.ts";
import { getViewportDefinition, type ViewportId } from "../../ct-core/viewport-layouts.ts";
import type { ViewportProps } from "../layout/viewport-props.ts";
import { planeOverlays } from "../layout/extension-points.ts";
import styles from "./plane-viewport.module.css";
import { OrientationLetters } from "../../ui/viewport/orientation-letters.tsx";
import { PlaneScaleBar, PlaneReadout } from "./plane-readout.tsx";
import { downsampleGeometry } from "../loading/texture-size.ts";
import type { CtControls } from "../use-ct-controls.ts";
import { usePlanePointerHandler } from "./use-plane-pointer-handler.ts";
import { findPlaneName } from "./use-plane-views.ts";
import type { PlaneSpace } from "../annotations/use-plane-annotations.ts";
import type { VolumeStore } from "../loading/volume-store.ts";
import { useActiveViewport, VolumeAnnotations } from "../annotations/volume-annotations.tsx";

/** One plane of a volume over the shared canvas: crosshair, orientation letters, annotations and pointer handler. */
export function PlaneViewport(props: ViewportProps) {
  const { viewportId, store, drawing, viewports, isActive } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useClientSize(element);
  const [hoveredPoint, setPointed] = useState<Vector | null>(null);
  const { id, handlers } = useActiveViewport(drawing);
  const { side } = getViewportDefinition(viewportId);
  const controls = props.controls.forSide(side);
  const name = findPlaneName(viewportId) ?? "axial";
  const plane = controls.planes[name];
  const stack = getSliceStack(store.fullInfo, plane);
  const depth = dot(controls.crosshair, plane.away);
  const view = size && controls.getView(viewportId, size);
  useEffect(() => {
    if (element.current)
      viewports.set(viewportId, { element: element.current, ...buildViewport(viewportId, name, store, controls) });
  });
  useEffect(() => () => viewports.delete(viewportId), [viewports, viewportId]);
  const reach = Math.max(stack.step, controls.displaySettings.slab) / 2;
  const space = view && size ? createPlaneSpace(name, controls, view, size, reach) : null;
  usePlanePointerHandler(element, { viewportId, space, controls, drawing, onPoint: setPointed });
  const label = side ? t(`viewer.joint.${side}`, { plane: t(`viewer.plane.${name}`) }) : t(`viewer.plane.${name}`);

  return (
    <div
      ref={element}
      className={`${styles.pane} ${isActive ? (styles.active ?? "") : ""} ${styles[controls.tool] ?? ""}`}
      role="group"
      aria-label={label}
      tabIndex={0}
      {...handlers}
      onFocus={() => controls.activate(viewportId)}
      onKeyDown={handleEnter(() => size && space && finishOrAdd(controls.tool, drawing, space, size))}
    >
      {size && view && space && (
        <>
          <CrosshairLines
            {...{ name, label, size, controls }}
            at={space.toViewport(controls.crosshair)}
            scale={view.scale}
          />
          <OrientationLetters plane={plane} />
          {planeOverlays.map((Overlay, at) => (
            <Overlay key={at} {...props} controls={controls} space={space} size={size} />
          ))}
          <PlanGhost {...{ controls, drawing, hoveredPoint }} arch={props.arch} view={createPlaneProjection(space)} />
          <VolumeAnnotations drawing={drawing} space={space} id={id} />
          <PlaneScaleBar view={view} size={size} />
        </>
      )}
      <PlaneReadout
        name={name}
        label={label}
        store={store}
        controls={controls}
        stack={stack}
        slice={getSliceIndex(stack, depth)}
        hoveredPoint={hoveredPoint}
      />
    </div>
  );
}

/** Returns the part of a plane that the renderer, the keys and the buttons use. */
const buildViewport = (viewportId: ViewportId, name: PlaneName, store: VolumeStore, controls: CtControls) => ({
  getContent: describePlane(viewportId, name, store, controls),
  actions: {
    step: (count: number) => controls.scroll(name, count, () => {}),
    zoom: (factor: number) => controls.zoom(viewportId, null, factor, [0, 0]),
  },
});

const describePlane =
  (
    viewportId: ViewportId,
    name: PlaneName,
    store: VolumeStore,
    { crosshair, planes, getView: viewOf, displaySettings: look }: CtControls,
  ) =>
  (viewport: Size): ViewportContent => {
    const plane = planes[name];
    const [view, depth] = [viewOf(viewportId, viewport), dot(crosshair, plane.away)];
    const { preview } = store;
    const slice =
      look.slab === 0 && (store.isHalf || store.factor > 1) ? findStoredSlice(store.fullInfo, plane, crosshair) : null;
    return {
      kind: "plane",
      sharp:
        slice !== null && store.uploadFullResolution(slice)
          ? { slice, place: mapViewportToTexture(store.fullInfo, plane, view, viewport, depth) }
          : null,
      full: mapViewportToTexture(downsampleGeometry(store.info, store.factor), plane, view, viewport, depth),
      preview: preview && mapViewportToTexture(preview.info, plane, view, viewport, depth),
    };
  };

function createPlaneSpace(
  name: PlaneName,
  controls: CtControls,
  view: PlaneView,
  size: Size,
  reach: number,
): PlaneSpace {
  const plane = controls.planes[name];
  const depth = dot(controls.crosshair, plane.away);
  return {
    name,
    plane,
    toViewport: (point) => patientToViewport(plane, view, size, point),
    toPatient: (at) => viewportToPatient(plane, view, size, at, depth),
    isIn: (point) => Math.abs(dot(point, plane.away) - depth) <= reach + 1e-6,
  };
}
