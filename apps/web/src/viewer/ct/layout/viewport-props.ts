import type { Series } from "@arcada/contract/study/study.schema";
import type { Arch } from "../arch/use-arch.ts";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import type { ViewportRegistry } from "../viewport-rendering/viewport-registry.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { PlaneDrawing } from "../annotations/use-plane-annotations.ts";
import type { VolumeLoad } from "../loading/use-volume.ts";
import type { VolumeStore } from "../loading/volume-store.ts";
import type { ViewportId } from "../../ct-core/viewport-layouts.ts";

/** The state shared by every part of the volume viewer. */
export interface CtViewerState {
  /** The patient whose other studies may be fetched; null if only this study may be shown. */
  patientId: string | null;
  series: Series;
  load: VolumeLoad;
  store: VolumeStore;
  controls: CtControls;
  annotations: AnnotationStore;
  drawing: PlaneDrawing;
  viewports: ViewportRegistry;
  arch: Arch;
}

export interface ViewportProps extends CtViewerState {
  /** The place of the viewport in the layout, which is also its name. */
  viewportId: ViewportId;
  /** True if keys and buttons act on this one of several viewports. */
  isActive: boolean;
}
