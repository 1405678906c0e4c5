import { parentPort } from "node:worker_threads";
import { sweep } from "../kernel/sweep.ts";
import type { Answer, Loaded, Trouble } from "../kernel/worker-pool.ts";
import type { EngineOutcome, EngineTask } from "./engine-task.ts";
import { workOn } from "./engine-work.ts";

/** The thread in which pictures are measured and remote servers asked, so that no request ever waits for that. */
parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", async (task: EngineTask) => {
  parentPort?.postMessage(await answer(task));
  sweep("all");
});

async function answer(task: EngineTask): Promise<Answer<EngineOutcome> | Trouble> {
  try {
    return { value: await workOn(task, (step) => parentPort?.postMessage({ step })) };
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}
