import { useState } from "react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import {
  fitPlaneView,
  planeNames,
  zoomPlaneView,
  type PlaneView,
  type Plane,
  type PlaneName,
} from "@arcada/imaging/view/plane-view";
import { dot } from "@arcada/imaging/geometry/vector";
import {
  closeUps,
  defaultViewportSize,
  getViewportDefinition,
  viewportDefinitions,
  type LayoutName,
  type ViewportId,
  type JointSide,
} from "../../ct-core/viewport-layouts.ts";
import type { CameraPose } from "./linked-planes-pose.ts";
import type { VolumeStore } from "../loading/volume-store.ts";

export interface PlaneViews {
  getView: (viewportId: ViewportId, viewport: Size) => PlaneView;
  pan: (viewportId: ViewportId, by: Point2D) => void;
  zoom: (viewportId: ViewportId, at: Point2D | null, factor: number, by: Point2D) => void;
  fit: () => void;
  /** Starts a layout: its close-ups close up, all other viewports with the whole volume, with the given planes. */
  enterLayout: (layout: LayoutName, getNextCameraPose: (viewportId: ViewportId) => CameraPose) => void;
  /** Called after the planes were rotated about their crosshair: the crosshair keeps its position on every screen. */
  keepCrosshair: (before: CameraPose, after: CameraPose, side: JointSide | undefined) => void;
}

type Views = Partial<Record<ViewportId, PlaneView>>;

/**
 * The part of its plane that each viewport shows. A viewport without its own view shows the whole volume, whatever its
 * size.
 */
export function usePlaneViews(
  { info }: VolumeStore,
  getCameraPose: (viewportId: ViewportId) => CameraPose,
  layout: LayoutName,
): PlaneViews {
  const [sizes] = useState(() => new Map<ViewportId, Size>());
  const [views, setViews] = useState<Views>(() => buildCloseUpViews(layout, getCameraPose, sizes));
  const fitView = (plane: Plane, viewport: Size): PlaneView => fitPlaneView(info, plane, viewport);
  const alter = (viewportId: ViewportId, change: (view: PlaneView, viewport: Size) => PlaneView) => {
    const [viewport, plane] = [sizes.get(viewportId), findPlane(viewportId, getCameraPose(viewportId))];
    if (!viewport || !plane) return;
    setViews((now) => ({ ...now, [viewportId]: change(now[viewportId] ?? fitView(plane, viewport), viewport) }));
  };
  const pan = (viewportId: ViewportId, [x, y]: Point2D) =>
    alter(viewportId, ({ scale, middle }) => ({ scale, middle: [middle[0] - x / scale, middle[1] - y / scale] }));
  return {
    getView: (viewportId, viewport) => {
      sizes.set(viewportId, { width: viewport.width, height: viewport.height });
      const plane = findPlane(viewportId, getCameraPose(viewportId));
      return views[viewportId] ?? (plane ? fitView(plane, viewport) : { middle: [0, 0], scale: 1 });
    },
    pan,
    zoom: (viewportId, at, factor, by) => {
      alter(viewportId, (view, viewport) =>
        zoomPlaneView(view, viewport, at ?? [viewport.width / 2, viewport.height / 2], factor),
      );
      if (by[0] !== 0 || by[1] !== 0) pan(viewportId, by);
    },
    fit: () => setViews({}),
    enterLayout: (next, getNextCameraPose) => setViews(buildCloseUpViews(next, getNextCameraPose, sizes)),
    keepCrosshair: (before, after, side) =>
      setViews((now) => {
        const shifted: Views = { ...now };
        for (const [viewportId, viewport] of sizes) {
          const [from, to] = [findPlane(viewportId, before), findPlane(viewportId, after)];
          if (!from || !to || getViewportDefinition(viewportId).side !== side) continue;
          const { middle, scale } = now[viewportId] ?? fitView(from, viewport);
          const [was, is] = [projectCrosshair(from, before), projectCrosshair(to, after)];
          shifted[viewportId] = { scale, middle: [middle[0] + is[0] - was[0], middle[1] + is[1] - was[1]] };
        }
        return shifted;
      }),
  };
}

function buildCloseUpViews(
  layout: LayoutName,
  getCameraPose: (viewportId: ViewportId) => CameraPose,
  sizes: ReadonlyMap<ViewportId, Size>,
): Views {
  const { viewportIds: closeUpIds, mm } = closeUps[layout] ?? { viewportIds: [], mm: 1 };
  const views: Views = {};
  for (const viewportId of closeUpIds) {
    const cameraPose = getCameraPose(viewportId);
    const plane = findPlane(viewportId, cameraPose);
    // A viewport that has not been on the screen yet is assumed to have a common size.
    const { width, height } = sizes.get(viewportId) ?? { width: defaultViewportSize, height: defaultViewportSize };
    if (plane) views[viewportId] = { middle: projectCrosshair(plane, cameraPose), scale: Math.min(width, height) / mm };
  }
  return views;
}

const isPlane = (viewport: string): viewport is PlaneName => (planeNames as readonly string[]).includes(viewport);

export const findPlaneName = (viewportId: ViewportId): PlaneName | null => {
  const { kind: viewport } = viewportDefinitions[viewportId];
  return isPlane(viewport) ? viewport : null;
};

const findPlane = (viewportId: ViewportId, { planes }: CameraPose): Plane | null => {
  const name = findPlaneName(viewportId);
  return name && planes[name];
};

const projectCrosshair = ({ right, down }: Plane, { crosshair }: CameraPose): Point2D => [
  dot(crosshair, right),
  dot(crosshair, down),
];
