import type { RefObject } from "react";
import type { CephImagePoint } from "@arcada/contract/ceph/ceph.schema";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { applyAffine, type Affine } from "@arcada/imaging/view/image-view";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { useGestures } from "../ui/input/use-gestures.ts";
import type { LensControls } from "../image/use-lens.ts";
import type { ImageControls } from "../image/use-image-view.ts";
import { adjustWindowByDrag } from "../image/display-settings/adjust-window-by-drag.ts";
import type { CephTool } from "./ceph-tools.tsx";
import type { LandmarkGuide, DraggedLandmark } from "./use-landmark-guide.ts";
import type { PointCalibration } from "./use-point-calibration.ts";
import type { Tracing } from "./use-tracing.ts";

interface PointerHandlerOptions {
  tool: CephTool;
  tracing: Tracing;
  guide: LandmarkGuide;
  pointCalibration: PointCalibration;
  controls: ImageControls;
  lensControls: LensControls;
  toImagePoint: (at: Point2D) => CephImagePoint;
  dragged: DraggedLandmark | null;
  setDragged: (dragged: DraggedLandmark | null) => void;
  matrix: Affine | null;
  range: number;
}

/** Handles pointer and arrow keys over the radiograph: they move the active landmark, under a magnifier. */
export function useCephPointerHandler(
  viewportRef: RefObject<HTMLElement | null>,
  options: PointerHandlerOptions,
): void {
  const { tool, tracing, guide, pointCalibration, controls, lensControls, toImagePoint, dragged, setDragged } = options;
  const isPlacing = tool === "place" && tracing.maySave;
  const dragTo = (at: Point2D) => {
    if (guide.active) setDragged({ landmark: guide.active, spot: toImagePoint(at) });
  };
  const endDrag = () => {
    setDragged(null);
    lensControls.show(null);
  };
  useArrowKeys(options, isPlacing);
  useGestures(viewportRef, {
    press: (at, button) => {
      if (button !== 0 || !isPlacing) return;
      lensControls.show(at, true);
      if (!pointCalibration.points) dragTo(at);
    },
    drag: (at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window"))
        controls.setWindow((now) => adjustWindowByDrag(now, by, options.range));
      else if (button === 1 || !isPlacing) controls.pan(by);
      else {
        lensControls.show(at, true);
        if (!pointCalibration.points) dragTo(at);
      }
    },
    release: (at, button) => {
      if (button !== 0 || !isPlacing) return;
      if (pointCalibration.points) pointCalibration.addPoint(toImagePoint(at));
      else if (dragged) {
        tracing.place(dragged.landmark, toImagePoint(at));
        guide.handlePlaced(dragged.landmark);
      }
      endDrag();
    },
    cancel: endDrag,
    pinch: (at, factor, by) => {
      controls.zoomBy(factor, at);
      if (by[0] !== 0 || by[1] !== 0) controls.pan(by);
    },
    wheel: (at, notches) => controls.zoomBy(Math.exp(-notches * 0.2), at),
    hover: (at) => lensControls.show(isPlacing && (guide.active || pointCalibration.points) ? at : null),
  });
}

/** CSS pixels of one step; with Shift a landmark moves finely. */
const steps = { plain: 4, fine: 0.5 } as const;
const arrowDirections = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;

/** Arrow keys move the selected landmark; without one, the radiograph. */
function useArrowKeys(
  { tracing, guide, controls, matrix, toImagePoint }: PointerHandlerOptions,
  isPlacing: boolean,
): void {
  const selected = guide.active;
  const position = selected && tracing.content.landmarks[selected];
  const move = ([x, y]: readonly [number, number], stepLength: number) => {
    if (!isPlacing || !selected || !position || !matrix) return controls.pan([-x * 40, -y * 40]);
    const [atX, atY] = applyAffine(matrix, position);
    tracing.place(selected, toImagePoint([atX + x * stepLength, atY + y * stepLength]));
  };
  useShortcuts(
    Object.fromEntries(
      Object.entries(arrowDirections).flatMap(([key, direction]) => [
        [key, () => move(direction, steps.plain)],
        [`Shift+${key}`, () => move(direction, steps.fine)],
      ]),
    ),
  );
}
