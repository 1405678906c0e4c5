import { parentPort } from "node:worker_threads";
import { writeCoarseGlb } from "@arcada/imaging/surface/coarse-copy";
import { readGlb } from "@arcada/imaging/mesh/read-glb";
import type { Glb } from "@arcada/imaging/mesh/write-glb";
import { MeshoptDecoder } from "meshoptimizer/decoder";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { MeshoptSimplifier } from "meshoptimizer/simplifier";
import { lowerThreadPriority } from "../../platform/runtime/thread-priority.ts";
import type { TaskResult, WorkerLoaded } from "../../platform/runtime/worker-pool.ts";

/** The thread that simplifies the streaming copy of a large scan, for which nobody waits. */
lowerThreadPriority();
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (glb: Uint8Array) => parentPort?.postMessage(await simplify(glb)));

async function simplify(glb: Uint8Array): Promise<TaskResult<Glb | null>> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready, MeshoptSimplifier.ready]);
  try {
    return { value: writeCoarseGlb(readGlb(glb, MeshoptDecoder), MeshoptEncoder, MeshoptSimplifier) };
  } catch {
    return { refusal: "fileBroken" };
  }
}
