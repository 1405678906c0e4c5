import { useState, type RefObject } from "react";
import { useGestures } from "../ui/input/use-gestures.ts";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import type { ImageTool } from "./image-modes.tsx";
import type { LensControls } from "./use-lens.ts";
import type { ImageDrawing } from "./annotations/use-image-annotations.ts";
import type { ImageControls } from "./use-image-view.ts";
import { adjustWindowByDrag } from "./display-settings/adjust-window-by-drag.ts";
import { isDrawingTool } from "../annotations/annotation-kind-registry.ts";

interface PointerHandlerOptions {
  tool: ImageTool;
  controls: ImageControls;
  drawing: ImageDrawing;
  lens: LensControls;
  viewport: Size | null;
  toImagePoint: (at: Point2D) => Point2D;
  /** The range of the image's values. */
  range: number;
  instanceId: string;
  onPoint: (point: Point2D | null) => void;
}

/** A rectangle that is being drawn in the viewport, to be enlarged. */
export interface ZoomBox {
  from: Point2D;
  to: Point2D;
}

/**
 * Handles the pointer over an image: the main button for the current tool, the second for brightness, the middle one to
 * move.
 */
export function useImagePointerHandler(
  viewportRef: RefObject<HTMLElement | null>,
  options: PointerHandlerOptions,
): ZoomBox | null {
  const { tool, controls, drawing, toImagePoint, lens } = options;
  const [zoomBox, setZoomBox] = useState<ZoomBox | null>(null);
  const annotationTool = isDrawingTool(tool) ? tool : null;
  useGestures(viewportRef, {
    press: (at, button) => {
      drawing.choose(null);
      if (button !== 0) return;
      if (annotationTool)
        drawing.press(annotationTool, toImagePoint(at), at, { instanceId: options.instanceId, plane: null });
      if (tool === "zoomBox") setZoomBox({ from: at, to: at });
      if (tool === "lens") lens.show(at, true);
    },
    drag: (at, by, button) => {
      options.onPoint(toImagePoint(at));
      if (button === 2 || (button === 0 && tool === "window"))
        controls.setWindow((now) => adjustWindowByDrag(now, by, options.range));
      else if (button === 1 || tool === "pan") controls.pan(by);
      else if (tool === "rotate") controls.rotateBy(measureRotation(at, by, options.viewport));
      else if (tool === "zoomBox") setZoomBox((now) => now && { ...now, to: at });
      else if (tool === "lens") lens.show(at, true);
      else drawing.move(toImagePoint(at), null);
    },
    release: (at, button) => {
      if (button !== 0) return;
      if (zoomBox) controls.zoomTo(zoomBox.from, at);
      setZoomBox(null);
      drawing.release(toImagePoint(at), at);
    },
    cancel: () => {
      setZoomBox(null);
      lens.show(null);
      drawing.discardDraft();
    },
    doubleClick: drawing.finish,
    pinch: (at, factor, by) => {
      controls.zoomBy(factor, at);
      if (by[0] !== 0 || by[1] !== 0) controls.pan(by);
    },
    wheel: (at, notches) => controls.zoomBy(Math.exp(-notches * 0.2), at),
    hover: (at) => {
      options.onPoint(at && toImagePoint(at));
      if (tool === "lens") lens.show(at);
      if (at) drawing.move(toImagePoint(at), null);
    },
  });
  return zoomBox;
}

/** Degrees by which a drag has turned around the middle of the viewport. */
function measureRotation(at: Point2D, by: Point2D, viewport: Size | null): number {
  if (!viewport) return 0;
  const [x, y] = [at[0] - viewport.width / 2, at[1] - viewport.height / 2];
  const radians = Math.atan2(y, x) - Math.atan2(y - by[1], x - by[0]);
  return (Math.atan2(Math.sin(radians), Math.cos(radians)) * 180) / Math.PI;
}
