import { Worker } from "node:worker_threads";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { MeshKind } from "@arcada/imaging/mesh/read";

export const isMesh = (content: string): content is MeshKind =>
  content === "stl" || content === "ply" || content === "obj";

// Scans of full arches have 20 to 200 MB and are read in one to four seconds on one core.
const seconds = 20;
const megabytes = 2048;

/** Reads a scan from beginning to end, apart from this thread and under limits; answers what is wrong with it, or null. */
export function checkMesh(path: string, kind: MeshKind): Promise<RefusalName | null> {
  const worker = new Worker(new URL("mesh-check.worker.ts", import.meta.url), {
    workerData: { path, kind },
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  return new Promise((resolve) => {
    const end = (answer: RefusalName | null) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end("fileTooSlow"), seconds * 1000);
    worker.once("message", end);
    worker.once("error", () => end("fileBroken"));
    worker.once("exit", () => end("fileBroken"));
  });
}
