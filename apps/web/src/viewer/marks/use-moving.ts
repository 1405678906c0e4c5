import { useState } from "react";
import { markTools, type Mark } from "@arcada/contract/study/mark";
import type { Marks } from "./use-marks.ts";

export interface Moving<M> {
  /** The annotations, with the one that is being dragged at its current position. */
  own: M[];
  /** Without a point the annotation stays as it is. */
  movePoint: (id: string, index: number, point: readonly number[] | null, isOver: boolean) => void;
  /** Adds a point half way to the next one. */
  insertPoint: (id: string, index: number) => void;
  /** Removes a point, or the whole annotation if too few would be left. */
  removePoint: (id: string, index: number) => void;
}

/** Annotations whose points can be dragged; a dragged one is saved when the drag ends. */
export function useMoving<M extends Mark>(marks: Marks, list: readonly M[]): Moving<M> {
  const [moving, setMoving] = useState<M | null>(null);
  const own = list.map((mark) => (mark.id === moving?.id ? moving : mark));
  const alter = (id: string, change: (points: Mark["points"]) => Mark["points"]) => {
    const mark = own.find((other) => other.id === id);
    if (!mark) return;
    const points = change(mark.points);
    const { least, most } = markTools[mark.tool];
    if (points.length < least) marks.remove(id);
    else if (points.length <= most) marks.put({ ...mark, points });
  };
  return {
    own,
    movePoint: (id, index, point, isOver) => {
      const mark = own.find((other) => other.id === id);
      if (!mark) return;
      const points = mark.points.map((each, at) => (at === index && point ? [...point] : each));
      setMoving(isOver ? null : { ...mark, points });
      if (isOver) marks.put({ ...mark, points });
    },
    insertPoint: (id, index) => alter(id, (points) => withOneMore(points, index)),
    removePoint: (id, index) => alter(id, (points) => points.toSpliced(index, 1)),
  };
}

/** Inserts a point half way from one to the next; from the last, half way back. */
export function withOneMore<P extends readonly number[]>(points: readonly P[], index: number): P[] {
  const first = Math.min(index, points.length - 2);
  const [from, to] = [points[first], points[first + 1]];
  if (!from || !to) return [...points];
  const middle = from.map((part, axis) => (part + (to[axis] ?? part)) / 2) as readonly number[] as P;
  return points.toSpliced(first + 1, 0, middle);
}
