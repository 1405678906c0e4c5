import type { KeyboardEvent } from "react";
import type { Size } from "@arcada/imaging/view/image-view";
import { createCentredPoints } from "../../annotations/drawing/annotation-draft.ts";
import type { CtTool } from "../use-ct-controls.ts";
import type { ViewportSpace, PlaneDrawing } from "./use-plane-annotations.ts";
import { isDrawingTool } from "../../annotations/annotation-kind-registry.ts";

/** Handles the Enter key on the viewport itself. */
export const handleEnter =
  (action: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
    // Otherwise the same key press would at once answer the input that it has opened.
    event.preventDefault();
    action();
  };

/** Finishes the draft, or puts a whole annotation in the middle, to be moved by its points. */
export function finishOrAdd(
  tool: CtTool,
  drawing: PlaneDrawing,
  { name, plane, toPatient }: ViewportSpace,
  size: Size,
): void {
  if (drawing.finish() || !isDrawingTool(tool)) return;
  drawing.add(tool, createCentredPoints(tool, size).map(toPatient), drawing.createPlacement(name, plane));
}
