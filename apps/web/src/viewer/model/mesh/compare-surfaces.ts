import type { CompareMessage, CompareJob } from "./compare-surfaces.worker.ts";

/**
 * Processes two surfaces in a separate worker, which ends when the work is done or the signal aborts. Rejects if the
 * worker fails.
 */
export function compareSurfaces<J extends CompareJob>(
  job: J,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<CompareResults[J["work"]]> {
  const worker = new Worker(new URL("./compare-surfaces.worker.ts", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.terminate();
      settle();
    };
    signal.addEventListener("abort", () => end(() => reject(signal.reason as Error)), { once: true });
    worker.addEventListener("message", ({ data }: MessageEvent<CompareMessage>) => {
      if ("part" in data) onPart(data.part);
      else end(() => resolve(data as CompareResults[J["work"]]));
    });
    worker.addEventListener("error", () => end(() => reject(new Error("the comparison failed"))));
    worker.postMessage(job);
  });
}

interface CompareResults {
  distances: Extract<CompareMessage, { distances: Float32Array }>;
  fit: Extract<CompareMessage, { rms: number }>;
}
