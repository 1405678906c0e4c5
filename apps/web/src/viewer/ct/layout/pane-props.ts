import type { Series } from "@arcada/contract/study/study.calls";
import type { Arch } from "../arch/use-arch.ts";
import type { Marks } from "../../marks/use-marks.ts";
import type { Panes } from "../panes.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { PlaneDrawing } from "../use-plane-marks.ts";
import type { VolumeLoad } from "../use-volume.ts";
import type { VolumeStore } from "../volume-store.ts";
import type { PlaceName } from "./layouts.ts";

/** What every part of the volume's viewer works with. */
export interface CtParts {
  /** Whose other studies may be asked for; null where this one is all that is shown. */
  patientId: string | null;
  series: Series;
  load: VolumeLoad;
  store: VolumeStore;
  controls: CtControls;
  marks: Marks;
  drawing: PlaneDrawing;
  panes: Panes;
  arch: Arch;
}

export interface PaneProps extends CtParts {
  /** Where the pane stands: its name among the panes. */
  place: PlaceName;
  /** Whether keys and buttons work on this of several panes. */
  isActive: boolean;
}
