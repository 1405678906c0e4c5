import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { writeCoarseGlb } from "@arcada/imaging/surface/coarse-copy";
import { readGlb } from "@arcada/imaging/mesh/read-glb";
import type { Glb } from "@arcada/imaging/mesh/write-glb";
import { MeshoptDecoder } from "meshoptimizer/decoder";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { MeshoptSimplifier } from "meshoptimizer/simplifier";
import { lowerThreadPriority } from "../../platform/runtime/thread-priority.ts";
import type { TaskFault, TaskResult, WorkerLoaded } from "../../platform/runtime/worker-pool.ts";
import { transientErrorMessage } from "../transient-error.ts";

/** The thread that simplifies the streaming copy of a large scan, for which nobody waits. */
lowerThreadPriority();
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (path: string) => parentPort?.postMessage(await simplify(path)));

async function simplify(path: string): Promise<TaskResult<Glb | null> | TaskFault> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready, MeshoptSimplifier.ready]);
  try {
    const mesh = readGlb(new Uint8Array(readFileSync(path)), MeshoptDecoder);
    return { value: writeCoarseGlb(mesh, MeshoptEncoder, MeshoptSimplifier) };
  } catch (error) {
    const trouble = transientErrorMessage(error);
    return trouble ? { trouble } : { refusal: "fileBroken" };
  }
}
