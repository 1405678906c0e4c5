import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { coarseCopyThreshold, writeCoarseGlb } from "@arcada/imaging/surface/coarse-copy";
import { readGlb, type GlbMesh } from "@arcada/imaging/mesh/read-glb";
import { writeGlb } from "@arcada/imaging/mesh/write-glb";
import type { Glb } from "@arcada/imaging/mesh/write-glb";
import { MeshError } from "@arcada/imaging/mesh/mesh-error";
import type { MeshFault } from "@arcada/imaging/mesh/mesh-error";
import { readMesh } from "@arcada/imaging/mesh/read-mesh";
import { MeshoptDecoder } from "meshoptimizer/decoder";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import { MeshoptSimplifier } from "meshoptimizer/simplifier";
import type { TaskResult, WorkerLoaded } from "../../platform/runtime/worker-pool.ts";
import type { MeshTask } from "./mesh-check.ts";

const refusalByFault: Record<MeshFault, RefusalName> = {
  empty: "fileEmpty",
  noTriangles: "fileEmpty",
  truncated: "fileTruncated",
  notMesh: "fileBroken",
  badNumbers: "fileBroken",
  unsupportedExtension: "fileUnsupported",
  tooLarge: "fileBomb",
};

parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (task: MeshTask) => parentPort?.postMessage(await runTask(task)));

async function runTask(task: MeshTask): Promise<TaskResult<Glb | null>> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready, MeshoptSimplifier.ready]);
  try {
    if ("glb" in task) return { value: simplify(readGlb(task.glb, MeshoptDecoder)) };
    const mesh = readMesh(readFileSync(task.path), task.kind);
    return { value: task.makesGlb ? writeGlb(mesh, MeshoptEncoder) : null };
  } catch (error) {
    return { refusal: error instanceof MeshError ? refusalByFault[error.reason] : "fileBroken" };
  }
}

const simplify = (mesh: GlbMesh): Glb | null =>
  mesh.indices.length > 3 * coarseCopyThreshold ? writeCoarseGlb(mesh, MeshoptEncoder, MeshoptSimplifier) : null;
