import { useRef, type RefObject } from "react";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Vector } from "@arcada/imaging/view/vector";
import { useGestures } from "../../frame/use-gestures.ts";
import { isDrawn } from "../../marks/kind.ts";
import type { PaneProps } from "../layout/pane-props.ts";
import type { CtTool } from "../use-ct-controls.ts";
import type { MarkSpace } from "../use-plane-marks.ts";

interface Hand extends Pick<PaneProps, "place" | "controls" | "drawing"> {
  space: MarkSpace | null;
  /** Scrolls by whole steps. */
  step: (count: number) => void;
  /** Zooms about a point and pans by pixels. */
  zoom: (at: Spot | null, factor: number, by: Spot) => void;
  onPoint: (point: Vector | null) => void;
}

/** Handles the pointer over a panorama or a cross-section, as over a plane. */
export function useArchHand(
  pane: RefObject<HTMLElement | null>,
  { place, controls, drawing, space, step, zoom, onPoint }: Hand,
): void {
  const { tool } = controls;
  const markTool = space && isDrawn(tool) && isFor(tool, space) ? tool : null;
  const notches = useRef(0);
  const turnWheel = (by: number) => {
    notches.current += by;
    const steps = Math.trunc(notches.current);
    notches.current -= steps;
    if (steps !== 0) step(steps);
  };
  useGestures(pane, {
    press: (at, button) => {
      controls.activate(place);
      drawing.choose(null);
      if (!space || button !== 0) return;
      if (tool === "cross") controls.setCross(space.toPatient(at));
      else if (markTool) drawing.press(markTool, space.toPatient(at), at, drawing.placeIn(space.name, turnedOf(space)));
    },
    drag: (at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window")) controls.dragWindow(by);
      else if (button === 1 || tool === "pan") zoom(null, 1, by);
      else if (tool === "scroll") turnWheel(by[1] / 12);
      else if (space && markTool) drawing.move(space.toPatient(at), space.name);
      else if (space && tool === "cross") controls.setCross(space.toPatient(at));
    },
    release: (at, button) => space && markTool && button === 0 && drawing.release(space.toPatient(at), at),
    cancel: drawing.drop,
    pinch: zoom,
    wheel: (_at, by) => turnWheel(by),
    hover: (at) => {
      onPoint(at && space ? space.toPatient(at) : null);
      if (at && space) drawing.move(space.toPatient(at), space.name);
    },
    double: () => (markTool ? drawing.finish() : controls.toggleLarge(place)),
  });
}

/**
 * An unrolled curved surface has no plane in which grey values could be read, and the arch is drawn as seen from above.
 */
export const isFor = (tool: CtTool, { name }: MarkSpace): boolean =>
  tool !== "arch" && (name !== "panorama" || !["ellipse", "rectangle", "profile"].includes(tool));

const turnedOf = ({ name, plane }: MarkSpace) => (name === "panorama" ? undefined : plane);
