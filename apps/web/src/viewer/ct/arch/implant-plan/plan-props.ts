import type { PlaneDrawing } from "../../annotations/use-plane-annotations.ts";
import type { PlanProjection } from "./plan-projection.ts";
import type { Arch } from "../use-arch.ts";
import type { CtViewerState } from "../../layout/viewport-props.ts";

/** The parts of the viewer that each row of the plan's panel uses. */
export type PlanParts = Pick<CtViewerState, "arch" | "controls" | "drawing" | "annotations">;

/** The props of each shape of the plan in a viewport. */
export interface PlanLayerProps {
  arch: Arch;
  drawing: PlaneDrawing;
  view: PlanProjection;
}
