import type { CompareAnswer, CompareJob } from "./compare.worker.ts";

/**
 * Processes two surfaces in a worker of its own, which ends with the work or with the signal. Rejects if the worker
 * fails.
 */
export function compare<J extends CompareJob>(
  job: J,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<Answers[J["work"]]> {
  const worker = new Worker(new URL("./compare.worker.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.terminate();
      settle();
    };
    signal.addEventListener("abort", () => end(() => reject(signal.reason as Error)), { once: true });
    worker.addEventListener("message", ({ data }: MessageEvent<CompareAnswer>) => {
      if ("part" in data) onPart(data.part);
      else end(() => resolve(data as Answers[J["work"]]));
    });
    worker.addEventListener("error", () => end(() => reject(new Error("the comparison failed"))));
    worker.postMessage(job);
  });
}

interface Answers {
  distances: Extract<CompareAnswer, { distances: Float32Array }>;
  fit: Extract<CompareAnswer, { rms: number }>;
}
