import { useRef, type RefObject } from "react";
import { useGestures } from "../../ui/input/use-gestures.ts";
import type { Vector } from "@arcada/imaging/geometry/vector";
import type { ViewportId } from "../../ct-core/viewport-layouts.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { PlaneSpace, PlaneDrawing } from "../annotations/use-plane-annotations.ts";
import { isDrawingTool } from "../../annotations/annotation-kind-registry.ts";

interface PointerHandlerOptions {
  viewportId: ViewportId;
  space: PlaneSpace | null;
  controls: CtControls;
  drawing: PlaneDrawing;
  onPoint: (point: Vector | null) => void;
}

/**
 * Handles the pointer over a plane: the main button for the current tool, the second for brightness, the middle one to
 * move.
 */
export function usePlanePointerHandler(
  viewport: RefObject<HTMLElement | null>,
  { viewportId, space, controls, drawing, onPoint }: PointerHandlerOptions,
): void {
  const { tool } = controls;
  const notches = useRef(0);
  const name = space?.name ?? "axial";
  const scrollByWheel = (by: number) =>
    controls.scroll(name, (notches.current += by), (rest) => (notches.current = rest));
  const annotationTool = isDrawingTool(tool) ? tool : null;
  useGestures(viewport, {
    press: (at, button) => {
      controls.activate(viewportId);
      drawing.choose(null);
      if (!space || button !== 0) return;
      if (tool === "cross") controls.setCrosshair(space.toPatient(at));
      else if (annotationTool)
        drawing.press(annotationTool, space.toPatient(at), at, drawing.createPlacement(name, space.plane));
    },
    drag: (at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window")) controls.dragWindow(by);
      else if (button === 1 || tool === "pan") controls.pan(viewportId, by);
      else if (tool === "scroll") scrollByWheel(by[1] / 6);
      else if (space && annotationTool) drawing.move(space.toPatient(at), name);
      else if (space) controls.setCrosshair(space.toPatient(at));
    },
    release: (at, button) => space && annotationTool && button === 0 && drawing.release(space.toPatient(at), at),
    cancel: drawing.discardDraft,
    pinch: (at, factor, by) => controls.zoom(viewportId, at, factor, by),
    wheel: (_at, by) => scrollByWheel(by),
    hover: (at) => {
      onPoint(at && space ? space.toPatient(at) : null);
      if (at && space) drawing.move(space.toPatient(at), name);
    },
    doubleClick: () => (annotationTool ? drawing.finish() : controls.toggleEnlarged(viewportId)),
  });
}
