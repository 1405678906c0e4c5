import { useMemo, useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import type { Marks } from "../../marks/use-marks.ts";
import { isPlanMark } from "./plan.ts";

export interface LiveMarks {
  list: readonly Mark[];
  /**
   * Shows an annotation while it is being dragged; it is saved when the drag ends. An annotation without an id is a new
   * one.
   */
  alter: (mark: Omit<Mark, "id"> & { id?: string }, isOver: boolean) => void;
}

const fresh = "fresh";

/** The planned objects of a volume, with the annotation that is being changed in its current state. */
export function useLiveMarks(marks: Marks, owner: string | null): LiveMarks {
  const [moving, setMoving] = useState<Mark | null>(null);
  const { list: all } = marks;
  // Values derived from it, distances above all, are computed only if something has changed.
  const list = useMemo(() => {
    const own = all.filter((mark) => mark.instanceId === owner && isPlanMark(mark));
    const shown = own.map((mark) => (mark.id === moving?.id ? moving : mark));
    return moving?.id === fresh ? [...shown, moving] : shown;
  }, [all, owner, moving]);
  return {
    list,
    alter: (mark, isOver) => {
      setMoving(isOver ? null : { ...mark, id: mark.id ?? fresh });
      if (!isOver) return;
      const { id, ...rest } = mark;
      marks.put(id && id !== fresh ? { id, ...rest } : rest);
    },
  };
}
