import { useMemo, useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import type { Marks } from "../../marks/use-marks.ts";
import { isPlanMark } from "./plan.ts";

export interface LiveMarks {
  list: readonly Mark[];
  /** Shows a mark as a hand changes it; it is kept when the hand lets go. A mark without an id is a new one. */
  alter: (mark: Omit<Mark, "id"> & { id?: string }, isOver: boolean) => void;
}

const fresh = "fresh";

/** What is planned in a volume, with the mark that is being changed as it is just now. */
export function useLiveMarks(marks: Marks, owner: string | null): LiveMarks {
  const [moving, setMoving] = useState<Mark | null>(null);
  const { list: all } = marks;
  // What follows from it, distances among all, is worked out only when something has changed.
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
