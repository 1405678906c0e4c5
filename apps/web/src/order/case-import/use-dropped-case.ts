import { useEffect, useRef, useState } from "react";
import { labProgramCalls } from "@arcada/contract/order/lab-program.calls";
import { toWorkMapping } from "@arcada/exchange/lab-case/lab-words";
import type { FoundCase } from "@arcada/exchange/scan-folder/read-cases";
import { useCall } from "../../data/use-call.ts";
import { currentLanguage } from "../../i18n/texts.ts";
import { DroppedCaseReader } from "./dropped-case-reader.ts";
import type { DropProblem } from "./dropped-case-reader.ts";

export type DropState =
  | { step: "empty" }
  | { step: "reading" }
  | { step: "failed"; problem: DropProblem }
  | { step: "read"; cases: FoundCase[] };

/** Reads dropped files by the words of the laboratory for which the order is, once these are known. */
export function useDroppedCase(files: readonly File[] | null, labId: string | null) {
  const words = useCall(labProgramCalls.labWords, { labId: labId ?? "" }, { enabled: labId !== null });
  const isReady = labId === null || !words.isLoading;
  const [result, setResult] = useState<{ of: readonly File[]; state: DropState } | null>(null);
  const reader = useRef<DroppedCaseReader | null>(null);
  const mapping = useRef(words.data);
  useEffect(() => void (mapping.current = words.data));
  useEffect(() => {
    if (!files || !isReady) return;
    const own = new DroppedCaseReader();
    reader.current = own;
    let isOver = false;
    void own.read(files, toWorkMapping(mapping.current ?? []), currentLanguage() === "zh").then((found) => {
      if (isOver) return;
      setResult({
        of: files,
        state: "cases" in found ? { step: "read", cases: found.cases } : { step: "failed", problem: found.problem },
      });
    });
    return () => {
      isOver = true;
      own.end();
    };
  }, [files, isReady]);
  const state: DropState = !files ? { step: "empty" } : result?.of === files ? result.state : { step: "reading" };
  return { state, unpack: (paths: readonly string[]) => reader.current!.unpack(paths) };
}
