import type { RefusalName } from "@arcada/contract/kernel/refusals";
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
const threads = 2;

let pool: WorkerPool<MeshTask, StreamingCopy | null> | undefined;

const runMeshTask = (task: MeshTask) => {
  pool ??= workerPool(new URL("mesh-check.worker.ts", import.meta.url), threads, { maxOldGenerationSizeMb: 2048 });
  return pool.run(task, { timeoutMs });
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
