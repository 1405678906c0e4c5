import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { countTriangles } from "@arcada/imaging/mesh/mesh";
import { writeGlb } from "@arcada/imaging/mesh/write-glb";
import { MeshError } from "@arcada/imaging/mesh/mesh-error";
import type { MeshFault } from "@arcada/imaging/mesh/mesh-error";
import { readMesh } from "@arcada/imaging/mesh/read-mesh";
import { MeshoptEncoder } from "meshoptimizer/encoder";
import type { TaskResult, WorkerLoaded } from "../../platform/runtime/worker-pool.ts";
import type { MeshTask, StreamingCopy } from "./mesh-check.ts";

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

async function runTask({ path, kind, makesGlb }: MeshTask): Promise<TaskResult<StreamingCopy | null>> {
  await MeshoptEncoder.ready;
  try {
    const mesh = readMesh(readFileSync(path), kind);
    return { value: makesGlb ? { ...writeGlb(mesh, MeshoptEncoder), triangles: countTriangles(mesh) } : null };
  } catch (error) {
    return { refusal: error instanceof MeshError ? refusalByFault[error.reason] : "fileBroken" };
  }
}
