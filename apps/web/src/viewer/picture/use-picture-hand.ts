import { useState, type RefObject } from "react";
import { isDrawn } from "../marks/kind.ts";
import { useGestures } from "../frame/use-gestures.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { PictureTool } from "./picture-tools.tsx";
import type { LensControls } from "./use-lens.ts";
import type { PictureDrawing } from "./use-picture-marks.ts";
import type { PictureControls } from "./use-picture-view.ts";
import { draggedWindow } from "./window-drag.ts";

interface Hand {
  tool: PictureTool;
  controls: PictureControls;
  drawing: PictureDrawing;
  lens: LensControls;
  viewport: Size | null;
  imageSpot: (at: Spot) => Spot;
  /** The range of the image's values. */
  range: number;
  instanceId: string;
  onPoint: (point: Spot | null) => void;
}

/** A rectangle that is being drawn in the viewport, to be enlarged. */
export interface Box {
  from: Spot;
  to: Spot;
}

/**
 * Handles the pointer over an image: the main button for the current tool, the second for brightness, the middle one to
 * move.
 */
export function usePictureHand(pane: RefObject<HTMLElement | null>, hand: Hand): Box | null {
  const { tool, controls, drawing, imageSpot, lens } = hand;
  const [box, setBox] = useState<Box | null>(null);
  const markTool = isDrawn(tool) ? tool : null;
  useGestures(pane, {
    press: (at, button) => {
      drawing.choose(null);
      if (button !== 0) return;
      if (markTool) drawing.press(markTool, imageSpot(at), at, { instanceId: hand.instanceId, plane: null });
      if (tool === "zoomBox") setBox({ from: at, to: at });
      if (tool === "lens") lens.show(at, true);
    },
    drag: (at, by, button) => {
      hand.onPoint(imageSpot(at));
      if (button === 2 || (button === 0 && tool === "window"))
        controls.setWindow((now) => draggedWindow(now, by, hand.range));
      else if (button === 1 || tool === "pan") controls.pan(by);
      else if (tool === "rotate") controls.tiltBy(turnedBy(at, by, hand.viewport));
      else if (tool === "zoomBox") setBox((now) => now && { ...now, to: at });
      else if (tool === "lens") lens.show(at, true);
      else drawing.move(imageSpot(at), null);
    },
    release: (at, button) => {
      if (button !== 0) return;
      if (box) controls.zoomTo(box.from, at);
      setBox(null);
      drawing.release(imageSpot(at), at);
    },
    cancel: () => {
      setBox(null);
      lens.show(null);
      drawing.drop();
    },
    double: drawing.finish,
    pinch: (at, factor, by) => {
      controls.zoomBy(factor, at);
      if (by[0] !== 0 || by[1] !== 0) controls.pan(by);
    },
    wheel: (at, notches) => controls.zoomBy(Math.exp(-notches * 0.2), at),
    hover: (at) => {
      hand.onPoint(at && imageSpot(at));
      if (tool === "lens") lens.show(at);
      if (at) drawing.move(imageSpot(at), null);
    },
  });
  return box;
}

/** Degrees by which a drag has turned around the middle of the viewport. */
function turnedBy(at: Spot, by: Spot, viewport: Size | null): number {
  if (!viewport) return 0;
  const [x, y] = [at[0] - viewport.width / 2, at[1] - viewport.height / 2];
  const turn = Math.atan2(y, x) - Math.atan2(y - by[1], x - by[0]);
  return (Math.atan2(Math.sin(turn), Math.cos(turn)) * 180) / Math.PI;
}
