import { useState } from "react";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { CtControls } from "../../use-ct-controls.ts";
import { findLongestDoubt } from "./traced-canal.ts";

/** The question where a canal runs that the volume leaves open. */
export interface CanalQuestion {
  /** The canal whose doubtful stretch waits for one more click; null if none does. */
  asked: string | null;
  /** Shows the longest doubtful stretch of a canal, if it has one, and waits there for a click with the canal tool. */
  ask: (annotation: Annotation) => void;
  /** Ends the question without a click: the stretch stays as it is. */
  leave: () => void;
}

/**
 * Asks about one canal at a time. The question goes when the tool is changed: whoever takes another tool wants to do
 * something else first.
 */
export function useCanalQuestion({
  tool,
  setTool,
  setCrosshair,
}: Pick<CtControls, "tool" | "setTool" | "setCrosshair">): CanalQuestion {
  const [question, setQuestion] = useState<string | null>(null);
  // Another tool ends the question: a later press with the canal tool begins a new canal.
  if (question !== null && tool !== "canal") setQuestion(null);
  return {
    asked: tool === "canal" ? question : null,
    ask: (annotation) => {
      const stretch = findLongestDoubt(annotation);
      if (!stretch) return;
      setCrosshair(stretch.middle);
      setTool("canal");
      setQuestion(annotation.id);
    },
    leave: () => {
      setQuestion(null);
      setTool("cross");
    },
  };
}
