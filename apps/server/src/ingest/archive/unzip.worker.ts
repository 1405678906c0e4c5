import { parentPort } from "node:worker_threads";
import type { TaskResult, WorkerLoaded, TaskFault } from "../../platform/runtime/worker-pool.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { lowerThreadPriority } from "../../platform/runtime/thread-priority.ts";
import { transientErrorMessage } from "../transient-error.ts";
import { unzip, type UnpackAllowance, type UnpackedFile } from "./unzip.ts";

export interface UnzipTask {
  archive: string;
  folder: string;
  allowance: UnpackAllowance;
}
export interface UnzipResult {
  files: UnpackedFile[];
  /** The rest of the allowance. */
  remaining: UnpackAllowance;
}

/** The thread that opens archives. */
lowerThreadPriority();
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", (task: UnzipTask) => void runTask(task).then((result) => parentPort?.postMessage(result)));

async function runTask({ archive, folder, allowance }: UnzipTask): Promise<TaskResult<UnzipResult> | TaskFault> {
  try {
    const files = await unzip(archive, folder, allowance, (step) => parentPort?.postMessage({ step }));
    return { value: { files, remaining: allowance } };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    return { trouble: transientErrorMessage(error) ?? (error instanceof Error ? error.message : String(error)) };
  }
}
