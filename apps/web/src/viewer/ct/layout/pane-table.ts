import { lazy, type ComponentType } from "react";
import { CtData } from "../ct-data.tsx";
import { PlanePane } from "../plane-pane.tsx";
import { layoutNames, placeOf, placesOf, type LayoutName, type PaneName } from "./layouts.ts";
import type { PaneProps } from "./pane-props.ts";

// Loaded with the first layout that contains them.
const PanoramaPane = lazy(async () => ({ default: (await import("../arch/panorama-pane.tsx")).PanoramaPane }));
const SectionPane = lazy(async () => ({ default: (await import("../arch/section-pane.tsx")).SectionPane }));
const RenderPane = lazy(async () => ({ default: (await import("../render/render-pane.tsx")).RenderPane }));

/** The component of each kind of viewport. A kind that is missing here is in no layout. */
export const paneTable: Partial<Record<PaneName, ComponentType<PaneProps>>> = {
  axial: PlanePane,
  coronal: PlanePane,
  sagittal: PlanePane,
  render: RenderPane,
  panorama: PanoramaPane,
  section: SectionPane,
  data: CtData,
};

/** The layouts all of whose viewports are available. */
export const layoutsOffered = (): LayoutName[] =>
  layoutNames.filter((name) => placesOf(name).every((place) => paneTable[placeOf(place).pane]));
