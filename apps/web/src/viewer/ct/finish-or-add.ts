import type { KeyboardEvent } from "react";
import type { Size } from "@arcada/imaging/view/picture-view";
import { middleSpots } from "../marks/draft.ts";
import { isDrawn } from "../marks/kind.ts";
import type { CtTool } from "./use-ct-controls.ts";
import type { MarkSpace, PlaneDrawing } from "./use-plane-marks.ts";

/** Handles the Enter key on the viewport itself. */
export const onEnter =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
    // Otherwise the same key press would at once answer the input that it has opened.
    event.preventDefault();
    act();
  };

/** Finishes the draft, or puts a whole annotation in the middle, to be moved by its points. */
export function finishOrAdd(
  tool: CtTool,
  drawing: PlaneDrawing,
  { name, plane, toPatient }: MarkSpace,
  size: Size,
): void {
  if (drawing.finish() || !isDrawn(tool)) return;
  drawing.add(tool, middleSpots(tool, size).map(toPatient), drawing.placeIn(name, plane));
}
