import { useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { AnnotationStore } from "../store/use-annotations.ts";
import { annotationKindOf, type DrawingTool } from "../annotation-kind-registry.ts";

/** The user's input for an annotation, shown beside its points. */
export type AnnotationInputValue = Pick<Annotation, "text" | "settings">;

export interface AnnotationInputControls {
  /** The annotation whose text, tooth or length is being entered; it is saved with the input. */
  edited: EditableAnnotation | null;
  /** Submits the input; null leaves an annotation as it was, and discards a new one that needs input. */
  submitInput: (input: AnnotationInputValue | null) => void;
  /** Opens the input for an existing annotation; returns true if it has any. */
  openInput: (id: string) => boolean;
}

export type EditableAnnotation = Annotation & { tool: DrawingTool };

/** Opens the input when an annotation has been drawn, under `newId`, and again when a user wants to change it. */
export function useAnnotationInput(
  annotations: AnnotationStore,
  own: readonly EditableAnnotation[],
  newId: string,
  choose: (id: string) => void,
): AnnotationInputControls & { openNewInput: (annotation: Omit<EditableAnnotation, "id">) => void } {
  const [edited, setEdited] = useState<EditableAnnotation | null>(null);
  return {
    edited,
    openInput: (id) => {
      const annotation = own.find((other) => other.id === id && annotationKindOf(other.tool).input);
      if (annotation) setEdited(annotation);
      return annotation !== undefined;
    },
    openNewInput: (annotation) => setEdited({ id: newId, ...annotation }),
    submitInput: (input) => {
      setEdited(null);
      if (!edited) return;
      const { id, ...annotation } = edited;
      const settings = { ...annotation.settings, ...input?.settings };
      if (input) choose(annotations.put({ ...annotation, ...input, settings, ...(id !== newId && { id }) }));
      else if (id === newId && !annotationKindOf(edited.tool).input?.isRequired) choose(annotations.put(annotation));
    },
  };
}
