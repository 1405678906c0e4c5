import { parentPort } from "node:worker_threads";
import type { TaskResult, Loaded, TaskFault } from "../../platform/runtime/worker-pool.ts";
import { Refused } from "../../platform/http/refuse.ts";
import { transientErrorMessage } from "../transient-error.ts";
import { unzip, type Allowance, type Unpacked } from "./unzip.ts";

export interface UnzipTask {
  archive: string;
  folder: string;
  allowance: Allowance;
}
export interface Unzipped {
  files: Unpacked[];
  /** The rest of the allowance. */
  remaining: Allowance;
}

/** The thread that opens archives. */
parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", (task: UnzipTask) => void runTask(task).then((result) => parentPort?.postMessage(result)));

async function runTask({ archive, folder, allowance }: UnzipTask): Promise<TaskResult<Unzipped> | TaskFault> {
  try {
    const files = await unzip(archive, folder, allowance, (step) => parentPort?.postMessage({ step }));
    return { value: { files, remaining: allowance } };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    return { trouble: transientErrorMessage(error) ?? (error instanceof Error ? error.message : String(error)) };
  }
}
