import { useEffect, useState } from "react";
import type { ArchGuess } from "@arcada/imaging/arch/guess";
import type { VolumeStore } from "../volume-store.ts";
import type { GuessTask } from "./guess.worker.ts";

/**
 * Returns the automatically detected arches: those stored with the volume, else detected as soon as the preview is
 * loaded; null if there is none.
 */
export function useGuess(store: VolumeStore, isWanted: boolean): ArchGuess | "looking" | null {
  const [found, tell] = useState<{ of: VolumeStore; guess: ArchGuess | null }>();
  const known = knownOf(store);
  const isKnown = known !== undefined || found?.of === store;
  useEffect(() => {
    if (!isWanted || isKnown) return;
    const gone = new AbortController();
    void guessIn(store, gone.signal).then((guess) => gone.signal.aborted || tell({ of: store, guess }));
    return () => gone.abort();
  }, [store, isWanted, isKnown]);
  return known !== undefined ? known : found?.of === store ? found.guess : "looking";
}

/** An arch detected by an older version ends with the teeth: it is detected again. */
const knownOf = ({ arch }: VolumeStore): VolumeStore["arch"] => (arch && !arch.edges ? undefined : arch);

async function guessIn(store: VolumeStore, signal: AbortSignal): Promise<ArchGuess | null> {
  await previewIn(store, signal);
  if (!store.preview || signal.aborted) return null;
  return look({ info: store.preview.info, values: store.preview.values }, signal);
}

/** Resolves when the preview is loaded, or all slices without it. */
const previewIn = (store: VolumeStore, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const ask = () => {
      if (!store.preview && store.slices < store.info.slices && !signal.aborted) return;
      stop();
      resolve();
    };
    const stop = store.onChange(ask);
    signal.addEventListener("abort", ask);
    ask();
  });

const look = (task: GuessTask, signal: AbortSignal): Promise<ArchGuess | null> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL("./guess.worker.ts", import.meta.url), { type: "module" });
    const end = (guess: ArchGuess | null) => {
      worker.terminate();
      resolve(guess);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<ArchGuess | null>) => end(data));
    worker.addEventListener("error", () => end(null));
    signal.addEventListener("abort", () => end(null));
    worker.postMessage(task);
  });
