import type { DecodeAnswer, DecodeJob } from "./decode.worker.ts";

export type Decoded = Extract<DecodeAnswer, { values: unknown }>;
export type Decode = (job: Omit<DecodeJob, "id">) => Promise<Decoded>;

/** Workers that decode groups of slices in parallel; stopping them discards their work. */
export function decodePool(most = handCount()): { decode: Decode; stop: () => void } {
  const waiting = new Map<number, { resolve: (answer: Decoded) => void; reject: (error: Error) => void }>();
  const hands = Array.from({ length: most }, () => {
    const worker = new Worker(new URL("./decode.worker.ts", import.meta.url), { type: "module" });
    const hand = { worker, load: 0 };
    worker.addEventListener("message", ({ data }: MessageEvent<DecodeAnswer>) => {
      hand.load--;
      const job = waiting.get(data.id);
      waiting.delete(data.id);
      if ("fault" in data) job?.reject(new Error(data.fault));
      else job?.resolve(data);
    });
    worker.addEventListener("error", () => {
      for (const job of waiting.values()) job.reject(new Error("the decoder did not start"));
      waiting.clear();
    });
    return hand;
  });
  let last = 0;
  return {
    decode: (job) =>
      new Promise((resolve, reject) => {
        const hand = hands.reduce((best, other) => (other.load < best.load ? other : best));
        const id = ++last;
        waiting.set(id, { resolve, reject });
        hand.load++;
        hand.worker.postMessage({ id, ...job }, [job.bytes.buffer]);
      }),
    stop: () => {
      for (const { worker } of hands) worker.terminate();
    },
  };
}

// One processor is left to the page itself.
const handCount = (): number => Math.min(4, Math.max(1, (navigator.hardwareConcurrency || 2) - 1));
