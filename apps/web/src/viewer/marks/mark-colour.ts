import { markColours, type Mark, type MarkColour } from "@arcada/contract/study/mark";
import { createStore, useStore } from "../../kernel/store.ts";
import type { Marks } from "./use-marks.ts";

export const colourOf = ({ settings }: Pick<Mark, "settings">): MarkColour =>
  markColours.find((name) => name === settings?.["colour"]) ?? markColours[0];

/** The colour of the next annotation, in all viewers of this page. */
const next = createStore<MarkColour>(markColours[0]);
export const nextColour = next.get;

/**
 * The colour of the selected annotation, else of the next; a change applies to the selected one and to those that
 * follow.
 */
export function useMarkColour(marks: Marks, chosen: string | null): [MarkColour, (colour: MarkColour) => void] {
  const following = useStore(next);
  const mark = marks.list.find(({ id }) => id === chosen);
  return [
    mark ? colourOf(mark) : following,
    (colour) => {
      next.set(colour);
      if (mark) marks.put(coloured(mark, colour));
    },
  ];
}

/** The default colour is not stored. */
export function coloured<M extends Pick<Mark, "settings">>(mark: M, colour: MarkColour): M {
  const { colour: _, ...rest } = mark.settings ?? {};
  return { ...mark, settings: colour === markColours[0] ? rest : { ...rest, colour } };
}
