import { useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { kindOf, type DrawnTool } from "./kind.ts";
import type { Marks } from "./use-marks.ts";

/** The user's input for an annotation, shown beside its points. */
export type Said = Pick<Mark, "text" | "settings">;

export interface Asking {
  /** The annotation whose text, tooth or length is being entered; it is saved with the answer. */
  asked: AskedMark | null;
  /** Submits the input; null leaves an annotation as it was, and discards a new one that needs input. */
  answer: (said: Said | null) => void;
  /** Opens the input for an existing annotation; returns true if it has any. */
  ask: (id: string) => boolean;
}

export type AskedMark = Mark & { tool: DrawnTool };

/** Opens the input when an annotation has been drawn, under `newId`, and again when a user wants to change it. */
export function useAsking(
  marks: Marks,
  own: readonly AskedMark[],
  newId: string,
  choose: (id: string) => void,
): Asking & { askNew: (mark: Omit<AskedMark, "id">) => void } {
  const [asked, setAsked] = useState<AskedMark | null>(null);
  return {
    asked,
    ask: (id) => {
      const mark = own.find((other) => other.id === id && kindOf(other.tool).asks);
      if (mark) setAsked(mark);
      return mark !== undefined;
    },
    askNew: (mark) => setAsked({ id: newId, ...mark }),
    answer: (said) => {
      setAsked(null);
      if (!asked) return;
      const { id, ...mark } = asked;
      const settings = { ...mark.settings, ...said?.settings };
      if (said) choose(marks.put({ ...mark, ...said, settings, ...(id !== newId && { id }) }));
      else if (id === newId && !kindOf(asked.tool).asks?.needs) choose(marks.put(mark));
    },
  };
}
