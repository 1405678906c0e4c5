import type { ComponentType } from "react";
import { PanoramaPane } from "../arch/panorama-pane.tsx";
import { SectionPane } from "../arch/section-pane.tsx";
import { CtData } from "../ct-data.tsx";
import { PlanePane } from "../plane-pane.tsx";
import { RenderPane } from "../render/render-pane.tsx";
import { layoutNames, placeOf, placesOf, type LayoutName, type PaneName } from "./layouts.ts";
import type { PaneProps } from "./pane-props.ts";

/** What stands in a place. A pane that is not here is in no layout. */
export const paneTable: Partial<Record<PaneName, ComponentType<PaneProps>>> = {
  axial: PlanePane,
  coronal: PlanePane,
  sagittal: PlanePane,
  render: RenderPane,
  panorama: PanoramaPane,
  section: SectionPane,
  data: CtData,
};

/** The layouts all of whose panes there are. */
export const layoutsOffered = (): LayoutName[] =>
  layoutNames.filter((name) => placesOf(name).every((place) => paneTable[placeOf(place).pane]));
