import { useRef, type RefObject } from "react";
import { isDrawn } from "../marks/kind.ts";
import { useGestures } from "../frame/use-gestures.ts";
import type { Vector } from "@arcada/imaging/view/vector";
import type { PlaceName } from "./layout/layouts.ts";
import type { CtControls } from "./use-ct-controls.ts";
import type { PaneSpace, PlaneDrawing } from "./use-plane-marks.ts";

interface Hand {
  place: PlaceName;
  space: PaneSpace | null;
  controls: CtControls;
  drawing: PlaneDrawing;
  onPoint: (point: Vector | null) => void;
}

/**
 * Handles the pointer over a plane: the main button for the current tool, the second for brightness, the middle one to
 * move.
 */
export function usePaneHand(
  pane: RefObject<HTMLElement | null>,
  { place, space, controls, drawing, onPoint }: Hand,
): void {
  const { tool } = controls;
  const notches = useRef(0);
  const name = space?.name ?? "axial";
  const turnWheel = (by: number) => controls.scroll(name, (notches.current += by), (rest) => (notches.current = rest));
  const markTool = isDrawn(tool) ? tool : null;
  useGestures(pane, {
    press: (at, button) => {
      controls.activate(place);
      drawing.choose(null);
      if (!space || button !== 0) return;
      if (tool === "cross") controls.setCross(space.toPatient(at));
      else if (markTool) drawing.press(markTool, space.toPatient(at), at, drawing.placeIn(name, space.plane));
    },
    drag: (at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window")) controls.dragWindow(by);
      else if (button === 1 || tool === "pan") controls.pan(place, by);
      else if (tool === "scroll") turnWheel(by[1] / 6);
      else if (space && markTool) drawing.move(space.toPatient(at), name);
      else if (space) controls.setCross(space.toPatient(at));
    },
    release: (at, button) => space && markTool && button === 0 && drawing.release(space.toPatient(at), at),
    cancel: drawing.drop,
    pinch: (at, factor, by) => controls.zoom(place, at, factor, by),
    wheel: (_at, by) => turnWheel(by),
    hover: (at) => {
      onPoint(at && space ? space.toPatient(at) : null);
      if (at && space) drawing.move(space.toPatient(at), name);
    },
    double: () => (markTool ? drawing.finish() : controls.toggleLarge(place)),
  });
}
