import { useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import type { Marks } from "./use-marks.ts";

/** Marks with the one that a hand holds where the hand is; it is kept when the hand lets go. */
export function useMoving<M extends Mark>(
  marks: Marks,
  list: readonly M[],
): { own: M[]; movePoint: (id: string, index: number, point: readonly number[] | null, isOver: boolean) => void } {
  const [moving, setMoving] = useState<M | null>(null);
  const own = list.map((mark) => (mark.id === moving?.id ? moving : mark));
  return {
    own,
    movePoint: (id, index, point, isOver) => {
      const mark = own.find((other) => other.id === id);
      if (!mark) return;
      const points = mark.points.map((each, at) => (at === index && point ? [...point] : each));
      setMoving(isOver ? null : { ...mark, points });
      if (isOver) marks.put({ ...mark, points });
    },
  };
}
