import { useState } from "react";
import { annotationTools, type Annotation } from "@arcada/contract/study/annotation";
import type { AnnotationStore } from "../store/use-annotations.ts";

export interface PointEditing<M> {
  /** The annotations, with the one that is being dragged at its current position. */
  items: M[];
  /** Without a point the annotation stays as it is. */
  movePoint: (id: string, index: number, point: readonly number[] | null, isOver: boolean) => void;
  /** Adds a point half way to the next one. */
  insertPoint: (id: string, index: number) => void;
  /** Removes a point, or the whole annotation if too few would be left. */
  removePoint: (id: string, index: number) => void;
}

/** Annotations whose points can be dragged; a dragged one is saved when the drag ends. */
export function usePointEditing<M extends Annotation>(
  annotations: AnnotationStore,
  list: readonly M[],
): PointEditing<M> {
  const [dragged, setDragged] = useState<M | null>(null);
  const items = list.map((annotation) => (annotation.id === dragged?.id ? dragged : annotation));
  const changePoints = (id: string, change: (points: Annotation["points"]) => Annotation["points"]) => {
    const annotation = items.find((other) => other.id === id);
    if (!annotation) return;
    const points = change(annotation.points);
    const { min, max } = annotationTools[annotation.tool];
    if (points.length < min) annotations.remove(id);
    else if (points.length <= max) annotations.put({ ...annotation, points });
  };
  return {
    items,
    movePoint: (id, index, point, isOver) => {
      const annotation = items.find((other) => other.id === id);
      if (!annotation) return;
      const points = annotation.points.map((each, at) => (at === index && point ? [...point] : each));
      setDragged(isOver ? null : { ...annotation, points });
      if (isOver) annotations.put({ ...annotation, points });
    },
    insertPoint: (id, index) => changePoints(id, (points) => insertMidpoint(points, index)),
    removePoint: (id, index) => changePoints(id, (points) => points.toSpliced(index, 1)),
  };
}

/** Inserts a point half way from one to the next; from the last, half way back. */
export function insertMidpoint<P extends readonly number[]>(points: readonly P[], index: number): P[] {
  const first = Math.min(index, points.length - 2);
  const [from, to] = [points[first], points[first + 1]];
  if (!from || !to) return [...points];
  const midpoint = from.map((part, axis) => (part + (to[axis] ?? part)) / 2) as readonly number[] as P;
  return points.toSpliced(first + 1, 0, midpoint);
}
