import type { MeshMessage, MeshJob } from "./load-mesh.worker.ts";
import type { SceneModel } from "../scene-model.ts";

/** A worker that loads one surface. */
export interface MeshFetcher {
  /** Calls the listener with the answers so far, then with every further one; null: the worker died. */
  subscribe: (listener: (message: MeshMessage | null) => void) => void;
  stop: () => void;
}

/** The job that loads a model: by its streaming copy if there is one. */
export const createMeshJob = ({ url, glb, format }: Pick<SceneModel, "url" | "glb" | "format">): MeshJob => ({
  url,
  glb: glb?.url ?? null,
  coarse: glb?.coarse?.url ?? null,
  kind: format,
});

const prefetched = new Map<string, MeshFetcher>();

/** Begins to load a surface while the code that shows it is still loading. */
export function prefetchMesh(job: MeshJob): void {
  const name = getMeshName(job);
  if (prefetched.has(name)) return;
  const fetcher = startFetcher(job);
  prefetched.set(name, fetcher);
  setTimeout(() => {
    if (prefetched.get(name) !== fetcher) return;
    // Nobody has taken it over.
    prefetched.delete(name);
    fetcher.stop();
  }, maxWaitMs);
}

/** The worker that was started early, or a new one; the caller must stop it. */
export function takeMeshFetcher(job: MeshJob): MeshFetcher {
  const name = getMeshName(job);
  const fetcher = prefetched.get(name) ?? startFetcher(job);
  prefetched.delete(name);
  return fetcher;
}

const maxWaitMs = 60_000;
const getMeshName = ({ glb, url }: MeshJob): string => glb ?? url;

function startFetcher(job: MeshJob): MeshFetcher {
  const worker = new Worker(new URL("./load-mesh.worker.ts", import.meta.url), { type: "module" });
  const pending: (MeshMessage | null)[] = [];
  let listener: ((message: MeshMessage | null) => void) | null = null;
  const deliver = (message: MeshMessage | null) => {
    if (listener) listener(message);
    else pending.push(message);
  };
  worker.addEventListener("message", ({ data }: MessageEvent<MeshMessage>) => deliver(data));
  worker.addEventListener("error", () => deliver(null));
  worker.postMessage(job);
  return {
    subscribe: (deliverTo) => {
      listener = deliverTo;
      for (const message of pending.splice(0)) deliverTo(message);
    },
    stop: () => {
      listener = () => {};
      worker.terminate();
    },
  };
}
