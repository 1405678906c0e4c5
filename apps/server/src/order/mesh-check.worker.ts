import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { MeshError } from "@arcada/imaging/mesh/mesh-error";
import type { MeshFault } from "@arcada/imaging/mesh/mesh-error";
import { readMesh } from "@arcada/imaging/mesh/read";
import type { MeshKind } from "@arcada/imaging/mesh/read";

const refusalOf: Record<MeshFault, RefusalName> = {
  empty: "fileEmpty",
  noTriangles: "fileEmpty",
  truncated: "fileTruncated",
  notMesh: "fileBroken",
  badNumbers: "fileBroken",
};

const { path, kind } = workerData as { path: string; kind: MeshKind };
parentPort!.postMessage(faultOf());

function faultOf(): RefusalName | null {
  try {
    readMesh(readFileSync(path), kind);
    return null;
  } catch (error) {
    return error instanceof MeshError ? refusalOf[error.reason] : "fileBroken";
  }
}
