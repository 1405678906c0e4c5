import { useMemo, useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { AnnotationStore } from "../../annotations/store/use-annotations.ts";
import { isPlanAnnotation } from "./implant-plan/implant-plan.ts";

export interface LiveAnnotations {
  list: readonly Annotation[];
  /**
   * Shows an annotation while it is being dragged; it is saved when the drag ends. An annotation without an id is a new
   * one.
   */
  alter: (annotation: Omit<Annotation, "id"> & { id?: string }, isOver: boolean) => void;
}

const newId = "fresh";

/** The planned objects of a volume, with the annotation that is being changed in its current state. */
export function useLiveAnnotations(annotations: AnnotationStore, owner: string | null): LiveAnnotations {
  const [moving, setMoving] = useState<Annotation | null>(null);
  const { list: savedAnnotations } = annotations;
  // Values derived from it, distances above all, are computed only if something has changed.
  const list = useMemo(() => {
    const own = savedAnnotations.filter(
      (annotation) => annotation.instanceId === owner && isPlanAnnotation(annotation),
    );
    const shown = own.map((annotation) => (annotation.id === moving?.id ? moving : annotation));
    return moving?.id === newId ? [...shown, moving] : shown;
  }, [savedAnnotations, owner, moving]);
  return {
    list,
    alter: (annotation, isOver) => {
      setMoving(isOver ? null : { ...annotation, id: annotation.id ?? newId });
      if (!isOver) return;
      const { id, ...rest } = annotation;
      annotations.put(id && id !== newId ? { id, ...rest } : rest);
    },
  };
}
