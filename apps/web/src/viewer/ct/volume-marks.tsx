import { useId } from "react";
import { MarksLayer } from "../marks/marks-layer.tsx";
import type { MarkSpace, PlaneDrawing } from "./use-plane-marks.ts";

interface Props {
  drawing: PlaneDrawing;
  space: MarkSpace;
  /** The id of this viewport. */
  id: string;
}

/**
 * The annotations of a volume in one viewport. Input for an annotation that is in several viewports opens in the one
 * that was used last.
 */
export const VolumeMarks = ({ drawing, space, id }: Props) => (
  <MarksLayer
    marks={drawing.shownIn(space)}
    chosen={drawing.chosen}
    onChoose={drawing.choose}
    onMove={(mark, index, to, isOver) => drawing.movePoint(mark, index, space.toPatient(to), isOver)}
    editing={{ ...drawing, asked: drawing.workedIn === id ? drawing.asked : null }}
  />
);

/** An id for a viewport, and the event handlers that detect its use. */
export function useWorked({ workIn }: PlaneDrawing) {
  const id = useId();
  const work = () => workIn(id);
  return { id, heard: { onPointerDownCapture: work, onKeyDownCapture: work } };
}
