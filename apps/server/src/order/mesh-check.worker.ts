import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { MeshError } from "@arcada/imaging/mesh/mesh-error";
import type { MeshFault } from "@arcada/imaging/mesh/mesh-error";
import { readMesh } from "@arcada/imaging/mesh/read";
import type { Answer, Loaded } from "../kernel/worker-pool.ts";
import type { MeshTask } from "./mesh-check.ts";

const refusalOf: Record<MeshFault, RefusalName> = {
  empty: "fileEmpty",
  noTriangles: "fileEmpty",
  truncated: "fileTruncated",
  notMesh: "fileBroken",
  badNumbers: "fileBroken",
};

parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", (task: MeshTask) => parentPort?.postMessage(answer(task)));

function answer({ path, kind }: MeshTask): Answer<null> {
  try {
    readMesh(readFileSync(path), kind);
    return { value: null };
  } catch (error) {
    return { refusal: error instanceof MeshError ? refusalOf[error.reason] : "fileBroken" };
  }
}
