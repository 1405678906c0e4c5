import type { DecodeResult, DecodeJob, RecycledBuffers } from "./decode-slices.worker.ts";

export type Decoded = Extract<DecodeResult, { values: unknown }>;
export type DecodeSlices = (job: Omit<DecodeJob, "id">) => Promise<Decoded>;

interface DecodePool {
  decode: DecodeSlices;
  /** Gives the memory of a result back to its worker, which writes a later one into it; its values are empty then. */
  recycle: (decoded: Decoded) => void;
  stop: () => void;
}

/** Workers that decode groups of slices in parallel; stopping them discards their work. */
export function createDecodePool(workerCount = getWorkerCount()): DecodePool {
  const workerOf = new WeakMap<Decoded, Worker>();
  const waiting = new Map<number, { resolve: (answer: Decoded) => void; reject: (error: Error) => void }>();
  const slots = Array.from({ length: workerCount }, () => {
    const worker = new Worker(new URL("./decode-slices.worker.ts", import.meta.url), { type: "module" });
    const slot = { worker, load: 0 };
    worker.addEventListener("message", ({ data }: MessageEvent<DecodeResult>) => {
      slot.load--;
      const job = waiting.get(data.id);
      waiting.delete(data.id);
      if ("fault" in data) return job?.reject(new Error(data.fault));
      workerOf.set(data, worker);
      job?.resolve(data);
    });
    worker.addEventListener("error", () => {
      for (const job of waiting.values()) job.reject(new Error("the decoder did not start"));
      waiting.clear();
    });
    return slot;
  });
  let last = 0;
  return {
    decode: (job) =>
      new Promise((resolve, reject) => {
        const slot = slots.reduce((best, other) => (other.load < best.load ? other : best));
        const id = ++last;
        waiting.set(id, { resolve, reject });
        slot.load++;
        slot.worker.postMessage({ id, ...job }, [job.bytes.buffer]);
      }),
    recycle: (decoded) => {
      const recycled = [decoded.values.buffer, decoded.halves.buffer];
      workerOf.get(decoded)?.postMessage({ recycled } satisfies RecycledBuffers, recycled);
    },
    stop: () => {
      for (const { worker } of slots) worker.terminate();
    },
  };
}

// One processor is left to the page itself.
const getWorkerCount = (): number => Math.min(4, Math.max(1, (navigator.hardwareConcurrency || 2) - 1));
