import { parentPort } from "node:worker_threads";
import { EngineFault, type AnalysisEngine } from "@arcada/analysis/engine";
import { measurement } from "@arcada/analysis/measure/measurement";
import { sweep } from "../platform/jobs/sweeper.ts";
import type { Answer, Loaded, Trouble } from "../platform/runtime/worker-pool.ts";
import type { EngineChoice, EngineOutcome, EngineTask } from "./engine-task.ts";
import { remoteEngine } from "./engine-remote.ts";
import { workOn } from "./engine-work.ts";

/** The thread in which images are measured and remote servers called, so that no request ever waits for that. */
parentPort?.postMessage({ loaded: true } satisfies Loaded);
parentPort?.on("message", async (task: EngineTask) => {
  parentPort?.postMessage(await answer(task));
  sweep("all");
});

async function answer(task: EngineTask): Promise<Answer<EngineOutcome> | Trouble> {
  try {
    return {
      value: await workOn({ ...task, engine: () => engineOf(task.engine) }, (step) =>
        parentPort?.postMessage({ step }),
      ),
    };
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

async function engineOf(choice: EngineChoice): Promise<AnalysisEngine> {
  if (choice.kind === "measurement") return measurement;
  if (choice.kind === "remote") return remoteEngine(choice.server, choice.reach);
  throw new EngineFault("packInvalid", "packs run in processes of their own");
}
