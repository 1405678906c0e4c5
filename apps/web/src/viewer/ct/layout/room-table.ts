import { ArchOverlay } from "../arch/arch-overlay.tsx";
import { ArchBeside, ArchTools } from "../arch/arch-tools.tsx";
import type { ComponentType, ReactNode } from "react";
import type { PaneSpace } from "../use-plane-marks.ts";
import type { CtParts, PaneProps } from "./pane-props.ts";
import { AirwayBeside, AirwayPanel } from "../render/airway-panel.tsx";
import { CutsOverlay } from "../render/cuts-overlay.tsx";
import { RenderRoom } from "../render/render-room.tsx";
import type { Size } from "@arcada/imaging/view/picture-view";

/** A context around the whole viewer for state that several viewports share: the arch, the volume rendering. */
export const roomTable: readonly ComponentType<CtParts & { children: ReactNode }>[] = [RenderRoom];

/**
 * Overlays drawn over every axial, coronal and sagittal plane besides its annotations; they must let the pointer
 * through except at their grips.
 */
export const overlayTable: readonly ComponentType<PaneProps & { space: PaneSpace; size: Size }>[] = [
  ArchOverlay,
  CutsOverlay,
];

/** Further buttons of the toolbar. */
export const toolTable: readonly ComponentType<CtParts>[] = [ArchTools, AirwayPanel];

/** Further sections beside the planes, under the facts of the volume. */
export const sectionTable: readonly ComponentType<CtParts>[] = [ArchBeside, AirwayBeside];
