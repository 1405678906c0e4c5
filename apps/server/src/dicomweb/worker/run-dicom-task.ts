import { parseTimeoutMs, studyRules } from "@arcada/contract/study/study.rules";
import { refuse } from "../../platform/http/refuse.ts";
import { workerPool, type WorkerPool } from "../../platform/runtime/worker-pool.ts";
import type { DicomResult, DicomTask } from "./dicom-task-types.ts";

let pool: WorkerPool<DicomTask, DicomResult> | undefined;

/** Opens a file of an institution in a worker thread; institutions take turns. Refuses with the fault of the file. */
export async function runDicomTask<T extends DicomTask>(
  task: T,
  bytes: number,
  iid: string,
  onStep?: (step: unknown) => void,
): Promise<Extract<DicomResult, { did: T["do"] }>> {
  pool ??= workerPool(new URL("./dicom.worker.ts", import.meta.url), 2, {
    maxOldGenerationSizeMb: studyRules.parseMegabytes,
    maxExternalMb: studyRules.parseMegabytes,
  });
  const timeoutMs = task.do === "identify" ? parseTimeoutMs(bytes) : 30_000 + bytes / 2000;
  const answer = await pool.run(task, { timeoutMs, inputBytes: bytes, group: iid, ...(onStep && { onStep }) });
  if ("refusal" in answer) return refuse(answer.refusal);
  return answer.value as Extract<DicomResult, { did: T["do"] }>;
}
