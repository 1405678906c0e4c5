import { useEffect, useRef, useState } from "react";
import type { GuideJob, GuideMessage } from "./make-guide.worker.ts";

type GuideState =
  | { state: "idle" }
  | { state: "making"; percent: number }
  | { state: "failed"; problem: Extract<GuideMessage, { problem: unknown }>["problem"] }
  | { state: "divided"; parts: number };

/** Makes one guide at a time in a worker; leaving the panel ends it. */
export function useGuideWorker(onMade: (stl: Uint8Array<ArrayBuffer>) => Promise<void>) {
  const [state, setState] = useState<GuideState>({ state: "idle" });
  const running = useRef<Worker | null>(null);
  useEffect(() => () => running.current?.terminate(), []);
  const end = (next: GuideState) => {
    running.current?.terminate();
    running.current = null;
    setState(next);
  };
  const handle = (message: GuideMessage) => {
    if ("percent" in message) return setState({ state: "making", percent: message.percent });
    if ("problem" in message) return end({ state: "failed", problem: message.problem });
    if (message.parts > 1) return end({ state: "divided", parts: message.parts });
    void onMade(message.stl).then(
      () => end({ state: "idle" }),
      () => end({ state: "failed", problem: "failed" }),
    );
  };
  return {
    state,
    cancel: () => end({ state: "idle" }),
    make: (job: GuideJob) => {
      running.current?.terminate();
      setState({ state: "making", percent: 0 });
      const worker = new Worker(new URL("./make-guide.worker.ts", import.meta.url), { type: "module" });
      worker.addEventListener("message", ({ data }: MessageEvent<GuideMessage>) => handle(data));
      worker.addEventListener("error", () => end({ state: "failed", problem: "failed" }));
      worker.postMessage(job);
      running.current = worker;
    },
  };
}
