import { ArchOverlay } from "../arch/arch-overlay.tsx";
import { ArchDetails } from "../arch/arch-tools.tsx";
import type { ComponentType, ReactNode } from "react";
import type { PlaneSpace } from "../annotations/use-plane-annotations.ts";
import type { CtViewerState, ViewportProps } from "./viewport-props.ts";
import { AirwayDetails } from "../volume-rendering/airway/airway-panel.tsx";
import { MeshCutOverlay } from "../volume-rendering/mesh-cut-overlay.tsx";
import { RenderingProvider } from "../volume-rendering/rendering-context.tsx";
import type { Size } from "@arcada/imaging/view/image-view";

/** A context around the whole viewer for state that several viewports share: the arch, the volume rendering. */
export const contextProviders: readonly ComponentType<CtViewerState & { children: ReactNode }>[] = [RenderingProvider];

/**
 * Overlays drawn over every axial, coronal and sagittal plane besides its annotations; they must let the pointer
 * through except at their grips.
 */
export const planeOverlays: readonly ComponentType<ViewportProps & { space: PlaneSpace; size: Size }>[] = [
  ArchOverlay,
  MeshCutOverlay,
];

/** Further sections of the panel of details, below those of the volume. */
export const detailSections: readonly ComponentType<CtViewerState>[] = [ArchDetails, AirwayDetails];
