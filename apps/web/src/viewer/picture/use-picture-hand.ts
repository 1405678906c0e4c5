import type { RefObject } from "react";
import { isDrawn } from "../marks/kind.ts";
import { useGestures } from "../frame/use-gestures.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import type { PictureTool } from "./picture-tools.tsx";
import type { PictureDrawing } from "./use-picture-marks.ts";
import type { PictureControls } from "./use-picture-view.ts";
import { draggedWindow } from "./window-drag.ts";

interface Hand {
  tool: PictureTool;
  controls: PictureControls;
  drawing: PictureDrawing;
  imageSpot: (at: Spot) => Spot;
  /** How far apart the picture's values lie. */
  range: number;
  instanceId: string;
  onPoint: (point: Spot | null) => void;
}

/** What the pointer does over a picture: the tool in the hand, the second button for brightness, the middle one to move. */
export function usePictureHand(pane: RefObject<HTMLElement | null>, hand: Hand): void {
  const { tool, controls, drawing, imageSpot } = hand;
  const markTool = isDrawn(tool) ? tool : null;
  useGestures(pane, {
    press: (at, button) => {
      drawing.choose(null);
      if (markTool && button === 0)
        drawing.press(markTool, imageSpot(at), at, { instanceId: hand.instanceId, plane: null });
    },
    drag: (at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window"))
        controls.setWindow((now) => draggedWindow(now, by, hand.range));
      else if (button === 1 || tool === "pan") controls.pan(by);
      else drawing.move(imageSpot(at), null);
    },
    release: (at, button) => button === 0 && drawing.release(imageSpot(at), at),
    cancel: drawing.drop,
    pinch: (at, factor, by) => {
      controls.zoomBy(factor, at);
      if (by[0] !== 0 || by[1] !== 0) controls.pan(by);
    },
    wheel: (at, notches) => controls.zoomBy(Math.exp(-notches * 0.2), at),
    hover: (at) => {
      hand.onPoint(at && imageSpot(at));
      if (at) drawing.move(imageSpot(at), null);
    },
  });
}
