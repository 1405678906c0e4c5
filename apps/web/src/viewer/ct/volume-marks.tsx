import { useId } from "react";
import { MarksLayer } from "../marks/marks-layer.tsx";
import type { MarkSpace, PlaneDrawing } from "./use-plane-marks.ts";

interface Props {
  drawing: PlaneDrawing;
  space: MarkSpace;
  /** Of the pane's own. */
  id: string;
}

/** The marks of a volume in one pane. What lies in several panes is asked about in the one where somebody works. */
export const VolumeMarks = ({ drawing, space, id }: Props) => (
  <MarksLayer
    marks={drawing.shownIn(space)}
    chosen={drawing.chosen}
    onChoose={drawing.choose}
    onMove={(mark, index, to, isOver) => drawing.movePoint(mark, index, space.toPatient(to), isOver)}
    editing={{ ...drawing, asked: drawing.workedIn === id ? drawing.asked : null }}
  />
);

/** An id for a pane, and what has to be heard on it to know that somebody works there. */
export function useWorked({ workIn }: PlaneDrawing) {
  const id = useId();
  const work = () => workIn(id);
  return { id, heard: { onPointerDownCapture: work, onKeyDownCapture: work } };
}
