import { useEffect, useState } from "react";
import { copyToClipboard } from "./clipboard.ts";

const shownMilliseconds = 2000;

/** A button that copies and shows the outcome for a moment: the key of a text in common.json. */
export function useCopy(text: string): { outcome: "copied" | "copyFailed" | null; copy: () => void } {
  const [outcome, setOutcome] = useState<"copied" | "copyFailed" | null>(null);
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(null), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [outcome]);
  return {
    outcome,
    copy: () => void copyToClipboard(text).then((isCopied) => setOutcome(isCopied ? "copied" : "copyFailed")),
  };
}
