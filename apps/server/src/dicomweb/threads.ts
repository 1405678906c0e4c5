import { studyRules } from "@arcada/contract/study/study.rules";
import { refuse } from "../kernel/refuse.ts";
import { workerPool, type WorkerPool } from "../kernel/worker-pool.ts";
import type { DicomResult, DicomTask } from "./dicom-tasks.ts";

let opened: WorkerPool<DicomTask, DicomResult> | undefined;

/** Opens a file in a thread; refuses what the file deserves. */
export async function openedBy<T extends DicomTask>(
  task: T,
  bytes: number,
): Promise<Extract<DicomResult, { did: T["do"] }>> {
  opened ??= workerPool(new URL("./dicom-worker.ts", import.meta.url), 2, {
    maxOldGenerationSizeMb: studyRules.parseMegabytes,
  });
  const answer = await opened.run(task, { timeoutMs: 30_000 + bytes / 2000 });
  if ("refusal" in answer) return refuse(answer.refusal);
  return answer.value as Extract<DicomResult, { did: T["do"] }>;
}
