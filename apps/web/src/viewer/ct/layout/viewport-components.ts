import type { ComponentType } from "react";
import { CrossSectionViewport } from "../arch/cross-section/cross-section-viewport.tsx";
import { PanoramaViewport } from "../arch/panorama/panorama-viewport.tsx";
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

/** The component of each kind of viewport. A kind that is missing here is in no layout. */
export const viewportComponents: Partial<Record<ViewportKind, ComponentType<ViewportProps>>> = {
  axial: PlaneViewport,
  coronal: PlaneViewport,
  sagittal: PlaneViewport,
  render: RenderPane,
  panorama: PanoramaViewport,
  section: CrossSectionViewport,
};

/** The layouts all of whose viewports are available. */
export const listAvailableLayouts = (): LayoutName[] =>
  layoutNames.filter((name) =>
    listLayoutViewportIds(name).every((viewportId) => viewportComponents[getViewportDefinition(viewportId).kind]),
  );
