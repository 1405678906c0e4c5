import { lazy, type ComponentType } from "react";
import { CtDetails } from "../ct-data.tsx";
import { PlaneViewport } from "../plane-pane.tsx";
import {
  layoutNames,
  getViewportDefinition,
  listLayoutViewportIds,
  type LayoutName,
  type ViewportKind,
} from "./layouts.ts";
import type { ViewportProps } from "./pane-props.ts";

// Loaded with the first layout that contains them.
const PanoramaViewport = lazy(async () => ({ default: (await import("../arch/panorama-pane.tsx")).PanoramaViewport }));
const SectionViewport = lazy(async () => ({
  default: (await import("../arch/section-pane.tsx")).CrossSectionViewport,
}));
const RenderViewport = lazy(async () => ({ default: (await import("../render/render-pane.tsx")).RenderViewport }));

/** The component of each kind of viewport. A kind that is missing here is in no layout. */
export const viewportComponents: Partial<Record<ViewportKind, ComponentType<ViewportProps>>> = {
  axial: PlaneViewport,
  coronal: PlaneViewport,
  sagittal: PlaneViewport,
  render: RenderViewport,
  panorama: PanoramaViewport,
  section: SectionViewport,
  data: CtDetails,
};

/** The layouts all of whose viewports are available. */
export const listAvailableLayouts = (): LayoutName[] =>
  layoutNames.filter((name) =>
    listLayoutViewportIds(name).every((viewportId) => viewportComponents[getViewportDefinition(viewportId).kind]),
  );
