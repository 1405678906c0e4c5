import type { ReadyMesh } from "../../model/mesh/load-mesh.worker.ts";
import { determineOrientation } from "@arcada/imaging/orientation/scan-orientation";
import { getClippedCorners } from "@arcada/imaging/surface/volume-picking";
import {
  createViewCamera,
  type BoundingBox,
  type ModelCamera,
  type CameraViewName,
} from "@arcada/imaging/view/model-camera";
import { lpsFrame, type Jaw, type PatientFrame } from "@arcada/imaging/geometry/patient-frame";
import type { Size } from "@arcada/imaging/view/image-view";
import { unclipped } from "@arcada/imaging/view/volume-clip";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";

export const renderViews = ["front", "right", "left", "back", "top", "bottom"] as const;
export type RenderView = (typeof renderViews)[number];

// The view from above is the one of a lower jaw, the view from below the one of an upper jaw.
const modelViews: Record<RenderView, CameraViewName> = {
  front: "front",
  right: "right",
  left: "left",
  back: "back",
  top: "lower",
  bottom: "upper",
};

export const toRenderView = (name: CameraViewName): RenderView =>
  name === "lower" ? "top" : name === "upper" ? "bottom" : name;

// A volume knows where the patient's left, back and head are.
export const createRenderCamera = (view: RenderView, volume: VolumeGeometry, viewport: Size): ModelCamera =>
  createViewCamera(modelViews[view], lpsFrame, getBoundingBox(volume), viewport);

export const detectScanOrientation = ({ shape }: ReadyMesh, jaw: Jaw | null) => determineOrientation([{ shape, jaw }]);

export const createScanCamera = (
  view: RenderView,
  { bounds }: ReadyMesh,
  frame: PatientFrame,
  viewport: Size,
): ModelCamera => createViewCamera(modelViews[view], frame, bounds, viewport);

export function getBoundingBox(volume: VolumeGeometry): BoundingBox {
  const corners = getClippedCorners(volume, unclipped);
  const ends = (axis: 0 | 1 | 2) => corners.map((corner) => corner[axis]);
  return {
    min: [Math.min(...ends(0)), Math.min(...ends(1)), Math.min(...ends(2))],
    max: [Math.max(...ends(0)), Math.max(...ends(1)), Math.max(...ends(2))],
  };
}
