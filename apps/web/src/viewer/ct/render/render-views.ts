import type { ReadyMesh } from "../../model/mesh.worker.ts";
import { orientationOf } from "@arcada/imaging/orientation/orientation";
import { clippedCorners } from "@arcada/imaging/surface/pick";
import { viewCamera, type Box, type ModelCamera, type ViewName } from "@arcada/imaging/view/model-camera";
import { patientSpace, type Jaw, type PatientFrame } from "@arcada/imaging/view/patient-frame";
import type { Size } from "@arcada/imaging/view/picture-view";
import { unclipped } from "@arcada/imaging/view/render-rays";
import type { VolumeGeometry } from "@arcada/imaging/view/volume-geometry";

export const renderViews = ["front", "right", "left", "back", "top", "bottom"] as const;
export type RenderView = (typeof renderViews)[number];

// The view from above is the one of a lower jaw, the view from below the one of an upper jaw.
const modelViews: Record<RenderView, ViewName> = {
  front: "front",
  right: "right",
  left: "left",
  back: "back",
  top: "lower",
  bottom: "upper",
};

export const renderViewOf = (name: ViewName): RenderView =>
  name === "lower" ? "top" : name === "upper" ? "bottom" : name;

// A volume knows where the patient's left, back and head are.
export const renderCamera = (view: RenderView, volume: VolumeGeometry, pane: Size): ModelCamera =>
  viewCamera(modelViews[view], patientSpace, boxOf(volume), pane);

export const scanOrientation = ({ shape }: ReadyMesh, jaw: Jaw | null) => orientationOf([{ shape, jaw }]);

export const scanCamera = (view: RenderView, { bounds }: ReadyMesh, frame: PatientFrame, pane: Size): ModelCamera =>
  viewCamera(modelViews[view], frame, bounds, pane);

export function boxOf(volume: VolumeGeometry): Box {
  const corners = clippedCorners(volume, unclipped);
  const ends = (axis: 0 | 1 | 2) => corners.map((corner) => corner[axis]);
  return {
    min: [Math.min(...ends(0)), Math.min(...ends(1)), Math.min(...ends(2))],
    max: [Math.max(...ends(0)), Math.max(...ends(1)), Math.max(...ends(2))],
  };
}
