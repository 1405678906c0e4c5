import { useRef, type RefObject } from "react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { useGestures } from "../../ui/input/use-gestures.ts";
import type { ViewportProps } from "../layout/viewport-props.ts";
import type { CtTool } from "../use-ct-controls.ts";
import type { ViewportSpace } from "../annotations/use-plane-annotations.ts";
import { isDrawingTool } from "../../annotations/annotation-kind-registry.ts";

interface PointerHandlerOptions extends Pick<ViewportProps, "viewportId" | "controls" | "drawing"> {
  space: ViewportSpace | null;
  /** Scrolls by whole steps. */
  step: (count: number) => void;
  /** Zooms about a point and pans by pixels. */
  zoom: (at: Point2D | null, factor: number, by: Point2D) => void;
  onPoint: (point: Vector | null) => void;
}

/** Handles the pointer over a panorama or a cross-section, as over a plane. */
export function useArchPointerHandler(
  viewport: RefObject<HTMLElement | null>,
  { viewportId: place, controls, drawing, space, step, zoom, onPoint }: PointerHandlerOptions,
): void {
  const { tool } = controls;
  const annotationTool = space && isDrawingTool(tool) && isToolAvailable(tool, space) ? tool : null;
  const notches = useRef(0);
  const scrollByWheel = (by: number) => {
    notches.current += by;
    const steps = Math.trunc(notches.current);
    notches.current -= steps;
    if (steps !== 0) step(steps);
  };
  useGestures(viewport, {
    press: (at, button) => {
      controls.activate(place);
      drawing.choose(null);
      if (!space || button !== 0) return;
      if (tool === "cross") controls.setCrosshair(space.toPatient(at));
      else if (annotationTool)
        drawing.press(
          annotationTool,
          space.toPatient(at),
          at,
          drawing.createPlacement(space.name, getRotatedPlane(space)),
        );
    },
    drag: (at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window")) controls.dragWindow(by);
      else if (button === 1 || tool === "pan") zoom(null, 1, by);
      else if (tool === "scroll") scrollByWheel(by[1] / 12);
      else if (space && annotationTool) drawing.move(space.toPatient(at), space.name);
      else if (space && tool === "cross") controls.setCrosshair(space.toPatient(at));
    },
    release: (at, button) => space && annotationTool && button === 0 && drawing.release(space.toPatient(at), at),
    cancel: drawing.discardDraft,
    pinch: zoom,
    wheel: (_at, by) => scrollByWheel(by),
    hover: (at) => {
      onPoint(at && space ? space.toPatient(at) : null);
      if (at && space) drawing.move(space.toPatient(at), space.name);
    },
    doubleClick: () => (annotationTool ? drawing.finish() : controls.toggleEnlarged(place)),
  });
}

/**
 * An unrolled curved surface has no plane in which grey values could be read, and the arch is drawn as seen from above.
 */
export const isToolAvailable = (tool: CtTool, { name }: ViewportSpace): boolean =>
  tool !== "arch" && (name !== "panorama" || !["ellipse", "rectangle", "profile"].includes(tool));

const getRotatedPlane = ({ name, plane }: ViewportSpace) => (name === "panorama" ? undefined : plane);
