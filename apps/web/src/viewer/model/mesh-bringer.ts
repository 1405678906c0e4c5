import type { MeshAnswer, MeshJob } from "./mesh.worker.ts";

/** A worker that loads one surface. */
export interface MeshBringer {
  /** Calls the listener with the answers so far, then with every further one; null: the worker died. */
  hear: (listener: (answer: MeshAnswer | null) => void) => void;
  stop: () => void;
}

const early = new Map<string, MeshBringer>();

/** Begins to load a surface while the code that shows it is still loading. */
export function bringMeshEarly(job: MeshJob): void {
  const name = nameOf(job);
  if (early.has(name)) return;
  const bringer = begun(job);
  early.set(name, bringer);
  setTimeout(() => {
    if (early.get(name) !== bringer) return;
    // Nobody has taken it over.
    early.delete(name);
    bringer.stop();
  }, longest);
}

/** The worker that was started early, or a new one; the caller must stop it. */
export function meshBringer(job: MeshJob): MeshBringer {
  const name = nameOf(job);
  const taken = early.get(name) ?? begun(job);
  early.delete(name);
  return taken;
}

const longest = 60_000;
const nameOf = ({ glb, url }: MeshJob): string => glb ?? url;

function begun(job: MeshJob): MeshBringer {
  const worker = new Worker(new URL("./mesh.worker.ts", import.meta.url), { type: "module" });
  const answers: (MeshAnswer | null)[] = [];
  let listener: ((answer: MeshAnswer | null) => void) | null = null;
  const heard = (answer: MeshAnswer | null) => {
    if (listener) listener(answer);
    else answers.push(answer);
  };
  worker.addEventListener("message", ({ data }: MessageEvent<MeshAnswer>) => heard(data));
  worker.addEventListener("error", () => heard(null));
  worker.postMessage(job);
  return {
    hear: (tell) => {
      listener = tell;
      for (const answer of answers.splice(0)) tell(answer);
    },
    stop: () => {
      listener = () => {};
      worker.terminate();
    },
  };
}
