import { annotationColours, type Annotation, type AnnotationColour } from "@arcada/contract/study/annotation";
import { createStore, useStore } from "../../browser/external-store.ts";
import type { AnnotationStore } from "./store/use-annotations.ts";

export const annotationColourOf = ({ settings }: Pick<Annotation, "settings">): AnnotationColour =>
  annotationColours.find((name) => name === settings?.["colour"]) ?? annotationColours[0];

/** The colour of the next annotation, in all viewers of this page. */
const nextColourStore = createStore<AnnotationColour>(annotationColours[0]);
export const getNextColour = nextColourStore.get;

/**
 * The colour of the selected annotation, else of the next; a change applies to the selected one and to those that
 * follow.
 */
export function useAnnotationColour(
  annotations: AnnotationStore,
  chosen: string | null,
): [AnnotationColour, (colour: AnnotationColour) => void] {
  const following = useStore(nextColourStore);
  const annotation = annotations.list.find(({ id }) => id === chosen);
  return [
    annotation ? annotationColourOf(annotation) : following,
    (colour) => {
      nextColourStore.set(colour);
      if (annotation) annotations.put(withColour(annotation, colour));
    },
  ];
}

/** The default colour is not stored. */
export function withColour<M extends Pick<Annotation, "settings">>(annotation: M, colour: AnnotationColour): M {
  const { colour: _, ...rest } = annotation.settings ?? {};
  return { ...annotation, settings: colour === annotationColours[0] ? rest : { ...rest, colour } };
}
