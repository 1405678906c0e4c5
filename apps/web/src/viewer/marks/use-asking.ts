import { useState } from "react";
import type { Mark } from "@arcada/contract/study/mark";
import { kindOf, type DrawnTool } from "./kind.ts";
import type { Marks } from "./use-marks.ts";

/** What is said of a mark beside its points. */
export type Said = Pick<Mark, "text" | "settings">;

export interface Asking {
  /** The mark whose words, tooth or length are being asked for; it is kept with the answer. */
  asked: AskedMark | null;
  /** What was asked for; null leaves a mark as it was, and gives up a new one that is nothing without. */
  answer: (said: Said | null) => void;
  /** Asks again for what a mark says; answers whether there is anything to be asked. */
  ask: (id: string) => boolean;
}

export type AskedMark = Mark & { tool: DrawnTool };

/** Asks for what a mark says when it has been drawn, under `newId`, and again when somebody wants to change it. */
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
