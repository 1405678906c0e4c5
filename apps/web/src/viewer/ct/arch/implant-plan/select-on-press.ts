import type { PlaneDrawing } from "../../annotations/use-plane-annotations.ts";

/** A press on a planned object selects it and draws nothing. */
export const selectOnPress =
  (drawing: PlaneDrawing, id: string) =>
  (event: { button: number; preventDefault: () => void }): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    drawing.choose(id);
  };
