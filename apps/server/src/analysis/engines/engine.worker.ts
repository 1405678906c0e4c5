import { parentPort } from "node:worker_threads";
import { EngineFault, type AnalysisEngine } from "@arcada/analysis/engine";
import { measurementEngine } from "@arcada/analysis/measure/measurement-engine";
import { collectGarbage } from "../../platform/runtime/garbage-collection.ts";
import type { TaskResult, WorkerLoaded, TaskFault } from "../../platform/runtime/worker-pool.ts";
import type { EngineChoice, EngineOutcome, EngineTask } from "./engine-task-types.ts";
import { openRemoteEngine } from "../remote/remote-engine.ts";
import { executeEngine } from "./execute-engine.ts";

/** The thread in which images are measured and remote servers called, so that no request ever waits for that. */
parentPort?.postMessage({ loaded: true } satisfies WorkerLoaded);
parentPort?.on("message", async (task: EngineTask) => {
  parentPort?.postMessage(await runTask(task));
  collectGarbage("all");
});

async function runTask(task: EngineTask): Promise<TaskResult<EngineOutcome> | TaskFault> {
  try {
    return {
      value: await executeEngine({ ...task, engine: () => loadEngine(task.engine) }, (step) =>
        parentPort?.postMessage({ step }),
      ),
    };
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

async function loadEngine(choice: EngineChoice): Promise<AnalysisEngine> {
  if (choice.kind === "measurement") return measurementEngine;
  if (choice.kind === "remote") return openRemoteEngine(choice.server, choice.reach);
  throw new EngineFault("packInvalid", "packs run in processes of their own");
}
