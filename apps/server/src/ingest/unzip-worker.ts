import { parentPort } from "node:worker_threads";
import type { Answer, Loaded, Trouble } from "../platform/runtime/worker-pool.ts";
import { Refused } from "../platform/http/refuse.ts";
import { troubleOf } from "./trouble.ts";
import { unzip, type Allowance, type Unpacked } from "./unzip.ts";

export interface UnzipTask {
  archive: string;
  folder: string;
  allowance: Allowance;
}
export interface Unzipped {
  files: Unpacked[];
  /** The rest of the allowance. */
  left: Allowance;
}

/** The thread that opens archives. */
parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", (task: UnzipTask) => void answer(task).then((said) => parentPort?.postMessage(said)));

async function answer({ archive, folder, allowance }: UnzipTask): Promise<Answer<Unzipped> | Trouble> {
  try {
    const files = await unzip(archive, folder, allowance, (step) => parentPort?.postMessage({ step }));
    return { value: { files, left: allowance } };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    return { trouble: troubleOf(error) ?? (error instanceof Error ? error.message : String(error)) };
  }
}
