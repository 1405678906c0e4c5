import { useEffect, useState } from "react";
import type { ArchGuess } from "@arcada/imaging/arch/guess";
import type { VolumeStore } from "../volume-store.ts";
import type { GuessTask } from "./guess.worker.ts";

/** What a computer makes of the arches, as soon as the preview is there; null where it finds none. */
export function useGuess(store: VolumeStore, isWanted: boolean): ArchGuess | "looking" | null {
  const [found, tell] = useState<{ of: VolumeStore; guess: ArchGuess | null }>();
  const isKnown = found?.of === store;
  useEffect(() => {
    if (!isWanted || isKnown) return;
    let worker: Worker | undefined;
    const begin = () => {
      if (worker) return;
      if (store.preview) worker = look({ info: store.preview.info, values: store.preview.values }, end);
      else if (store.slices === store.info.slices) end(null);
    };
    const end = (guess: ArchGuess | null) => {
      worker?.terminate();
      tell({ of: store, guess });
    };
    begin();
    const stop = store.onChange(begin);
    return () => {
      stop();
      worker?.terminate();
    };
  }, [store, isWanted, isKnown]);
  return isKnown ? found.guess : "looking";
}

function look(task: GuessTask, answer: (guess: ArchGuess | null) => void): Worker {
  const worker = new Worker(new URL("./guess.worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<ArchGuess | null>) => answer(data));
  worker.addEventListener("error", () => answer(null));
  worker.postMessage(task);
  return worker;
}
