import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { coarseCopyThreshold } from "@arcada/imaging/surface/coarse-copy";
import type { Glb } from "@arcada/imaging/mesh/write-glb";
import type { MeshFormat } from "@arcada/imaging/mesh/read-mesh";
import { workerPool } from "../../platform/runtime/worker-pool.ts";
import type { WorkerPool } from "../../platform/runtime/worker-pool.ts";

export const isMesh = (content: string): content is MeshFormat =>
  content === "stl" || content === "ply" || content === "obj" || content === "3mf";

export interface MeshTask {
  path: string;
  kind: MeshFormat;
  makesGlb: boolean;
}
export interface StreamingCopy extends Glb {
  /** The triangles of the scan. */
  triangles: number;
}

// Scans of full arches have 20 to 200 MB and are read in one to four seconds on one core, packed in as much again.
const timeoutMs = 20_000;
/** A coarse copy of 5 million triangles takes 16 s of processor time. Nobody waits for it. */
const coarseCopyMs = 120_000;
const threads = 2;
const megabytes = 2048;

let scans: WorkerPool<MeshTask, StreamingCopy | null> | undefined;
/** Apart from the threads for which a person waits at an upload. */
let coarseCopies: WorkerPool<Uint8Array, Glb | null> | undefined;

const runMeshTask = (task: MeshTask) => {
  scans ??= workerPool(new URL("mesh-check.worker.ts", import.meta.url), threads, {
    maxOldGenerationSizeMb: megabytes,
  });
  return scans.run(task, { timeoutMs });
};

/**
 * Reads a whole scan in another thread, under limits; returns its fault, or null. If all threads are busy, the call
 * waits.
 */
export async function checkMesh(path: string, kind: MeshFormat): Promise<RefusalName | null> {
  const result = await runMeshTask({ path, kind, makesGlb: false });
  return "refusal" in result ? result.refusal : null;
}

/** Makes a streaming copy for the screen; null if the scan cannot be read. */
export async function makeStreamingCopy(path: string, kind: MeshFormat): Promise<StreamingCopy | null> {
  const result = await runMeshTask({ path, kind, makesGlb: true });
  return "refusal" in result ? null : result.value;
}

/**
 * Makes the coarse copy of a streaming copy; null for a small scan, or if it cannot be simplified enough within the
 * limits of time and memory. `group`: the organisation, since scans of all take turns.
 */
export async function makeCoarseCopy({ bytes, triangles }: StreamingCopy, group: string): Promise<Glb | null> {
  if (triangles <= coarseCopyThreshold) return null;
  coarseCopies ??= workerPool(new URL("coarse-copy.worker.ts", import.meta.url), 1, {
    maxOldGenerationSizeMb: megabytes,
    maxExternalMb: megabytes,
  });
  const options = { timeoutMs: coarseCopyMs, isLarge: true, inputBytes: bytes.byteLength, group } as const;
  const result = await coarseCopies.run(bytes, options);
  return "refusal" in result ? null : result.value;
}
