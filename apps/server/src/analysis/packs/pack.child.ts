import { EngineFault } from "@arcada/analysis/engine";
import type { PackProcessResult, PackProcessTask } from "./pack-process.ts";
import type { FileReference, PackTrust } from "../engines/engine-task-types.ts";
import { loadRuntime, loadOnnxEngine } from "./onnx-engine.ts";
import { executeEngine } from "../engines/execute-engine.ts";
import { openPack } from "./pack-file.ts";

/** The process in which a pack's model is loaded and run once; then it ends. */
process.on("message", async (task: PackProcessTask) => {
  const answer = task.do === "probe" ? await canLoadRuntime() : await runTask(task);
  process.send?.(answer, () => process.exit(0));
});
process.on("disconnect", () => process.exit(0));

const canLoadRuntime = (): Promise<boolean> =>
  loadRuntime().then(
    () => true,
    () => false,
  );

async function runTask(task: Exclude<PackProcessTask, { do: "probe" }>): Promise<PackProcessResult> {
  try {
    if (task.do === "run") {
      const { engine } = task.task;
      const loaded = () => loadPack(engine.path, engine.trust);
      const onProgress = (step: number): void => void process.send?.({ step });
      return { outcome: await executeEngine({ ...task.task, engine: loaded }, onProgress) };
    }
    const file = await openPack(task.path, task.trust);
    await loadOnnxEngine(file);
    const { info, manifestText: manifest, licence, signedBy } = file;
    return { pack: { info, manifest, licence, signedBy } };
  } catch (error) {
    if (error instanceof EngineFault) return { fault: error.fault, reason: error.reason, detail: error.message };
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

const loadPack = async (path: FileReference, trust: PackTrust) => loadOnnxEngine(await openPack(path, trust));
