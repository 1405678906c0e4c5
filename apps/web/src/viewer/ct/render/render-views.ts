import type { ReadyMesh } from "../../model/mesh.worker.ts";
import type { Frame } from "@arcada/imaging/mesh/frame";
import { clippedCorners } from "@arcada/imaging/surface/pick";
import { viewCamera, type Box, type Jaw, type ModelCamera, type ViewName } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import { unclipped } from "@arcada/imaging/view/render-rays";
import type { VolumeGeometry } from "@arcada/imaging/view/volume-geometry";

export const renderViews = ["front", "right", "left", "back", "top", "bottom"] as const;
export type RenderView = (typeof renderViews)[number];

// From above one looks at a lower jaw, from below at an upper one.
const modelViews: Record<RenderView, ViewName> = {
  front: "front",
  right: "right",
  left: "left",
  back: "back",
  top: "lower",
  bottom: "upper",
};

/** Patient space itself: a volume knows where the patient's left, back and head are. */
const patient: Frame = { left: [1, 0, 0], back: [0, 1, 0], crown: [0, 0, 1], upper: false };

export const renderCamera = (view: RenderView, volume: VolumeGeometry, pane: Size): ModelCamera =>
  viewCamera(modelViews[view], patient, "lower", boxOf(volume), pane);

/** A scan from the side on which its crowns are seen best: from above or below at first. */
export const scanCamera = (view: RenderView, { frame, bounds }: ReadyMesh, jaw: Jaw | null, pane: Size): ModelCamera =>
  viewCamera(modelViews[view], frame, jaw, bounds, pane);

export function boxOf(volume: VolumeGeometry): Box {
  const corners = clippedCorners(volume, unclipped);
  const ends = (axis: 0 | 1 | 2) => corners.map((corner) => corner[axis]);
  return {
    min: [Math.min(...ends(0)), Math.min(...ends(1)), Math.min(...ends(2))],
    max: [Math.max(...ends(0)), Math.max(...ends(1)), Math.max(...ends(2))],
  };
}
