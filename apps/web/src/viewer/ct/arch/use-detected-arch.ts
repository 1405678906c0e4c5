import { useEffect, useState } from "react";
import type { VolumeStore } from "../loading/volume-store.ts";
import type { ArchDetectionTask } from "./arch-detection.worker.ts";
import type { ArchGuess } from "@arcada/imaging/arch/detection/detected-arches";

/**
 * Returns the automatically detected arches: those stored with the volume, else detected as soon as the preview is
 * loaded; null if there is none.
 */
export function useDetectedArch(store: VolumeStore, isWanted: boolean): ArchGuess | "looking" | null {
  const [found, setFound] = useState<{ of: VolumeStore; guess: ArchGuess | null }>();
  const known = findStoredArch(store);
  const isKnown = known !== undefined || found?.of === store;
  useEffect(() => {
    if (!isWanted || isKnown) return;
    const controller = new AbortController();
    void detectArch(store, controller.signal).then(
      (guess) => controller.signal.aborted || setFound({ of: store, guess }),
    );
    return () => controller.abort();
  }, [store, isWanted, isKnown]);
  return known !== undefined ? known : found?.of === store ? found.guess : "looking";
}

/** An arch detected by an older version ends with the teeth: it is detected again. */
const findStoredArch = ({ arch }: VolumeStore): VolumeStore["arch"] => (arch && !arch.edges ? undefined : arch);

async function detectArch(store: VolumeStore, signal: AbortSignal): Promise<ArchGuess | null> {
  await waitForPreview(store, signal);
  if (!store.preview || signal.aborted) return null;
  return runWorker({ info: store.preview.info, values: store.preview.values }, signal);
}

/** Resolves when the preview is loaded, or all slices without it. */
const waitForPreview = (store: VolumeStore, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const check = () => {
      if (!store.preview && store.slices < store.info.slices && !signal.aborted) return;
      stop();
      resolve();
    };
    const stop = store.onChange(check);
    signal.addEventListener("abort", check);
    check();
  });

const runWorker = (task: ArchDetectionTask, signal: AbortSignal): Promise<ArchGuess | null> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL("./arch-detection.worker.ts", import.meta.url), { type: "module" });
    const end = (guess: ArchGuess | null) => {
      worker.terminate();
      resolve(guess);
    };
    worker.addEventListener("message", ({ data }: MessageEvent<ArchGuess | null>) => end(data));
    worker.addEventListener("error", () => end(null));
    signal.addEventListener("abort", () => end(null));
    worker.postMessage(task);
  });
