import type { KeyboardEvent } from "react";
import type { Size } from "@arcada/imaging/view/picture-view";
import { middleSpots } from "../marks/draft.ts";
import { isDrawn } from "../marks/kind.ts";
import type { CtTool } from "./use-ct-controls.ts";
import type { MarkSpace, PlaneDrawing } from "./use-plane-marks.ts";

/** The Enter key on the pane itself. */
export const onEnter =
  (act: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
    // Else the same press would at once answer what it has made to be asked.
    event.preventDefault();
    act();
  };

/** Ends what is being drawn, or puts a whole mark in the middle, to be moved by its points. */
export function finishOrAdd(
  tool: CtTool,
  drawing: PlaneDrawing,
  { name, plane, toPatient }: MarkSpace,
  size: Size,
): void {
  if (drawing.finish() || !isDrawn(tool)) return;
  drawing.add(tool, middleSpots(tool, size).map(toPatient), drawing.placeIn(name, plane));
}
