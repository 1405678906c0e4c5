import { lazy, type ComponentType } from "react";
import { PlaneViewport } from "../planes/plane-viewport.tsx";
import {
  layoutNames,
  getViewportDefinition,
  listLayoutViewportIds,
  type LayoutName,
  type ViewportKind,
} from "../../ct-core/viewport-layouts.ts";
import { RenderPane } from "../volume-rendering/render-pane.tsx";
import type { ViewportProps } from "./viewport-props.ts";

// Loaded with the first layout that contains them.
const PanoramaViewport = lazy(async () => ({
  default: (await import("../arch/panorama/panorama-viewport.tsx")).PanoramaViewport,
}));
const SectionViewport = lazy(async () => ({
  default: (await import("../arch/cross-section/cross-section-viewport.tsx")).CrossSectionViewport,
}));

/** The component of each kind of viewport. A kind that is missing here is in no layout. */
export const viewportComponents: Partial<Record<ViewportKind, ComponentType<ViewportProps>>> = {
  axial: PlaneViewport,
  coronal: PlaneViewport,
  sagittal: PlaneViewport,
  render: RenderPane,
  panorama: PanoramaViewport,
  section: SectionViewport,
};

/** The layouts all of whose viewports are available. */
export const listAvailableLayouts = (): LayoutName[] =>
  layoutNames.filter((name) =>
    listLayoutViewportIds(name).every((viewportId) => viewportComponents[getViewportDefinition(viewportId).kind]),
  );
