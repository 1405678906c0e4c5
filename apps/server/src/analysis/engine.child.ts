import { EngineFault } from "@arcada/analysis/engine";
import type { ChildAnswer, ChildTask } from "./engine-child.ts";
import { onnxEngine } from "./engine-onnx.ts";
import { workOn } from "./engine-work.ts";
import { openPack } from "./pack-file.ts";

/** The process in which a pack's model is loaded and run: once, and then it ends. */
process.on("message", async (task: ChildTask) => {
  const answer = await answerTo(task);
  process.send?.(answer, () => process.exit(0));
});
process.on("disconnect", () => process.exit(0));

async function answerTo(task: ChildTask): Promise<ChildAnswer> {
  try {
    if (task.do === "run") {
      const { engine } = task.task;
      const loaded = () => loadedPack(engine.path, engine.trustedKeys);
      const onProgress = (step: number): void => void process.send?.({ step });
      return { outcome: await workOn({ ...task.task, engine: loaded }, onProgress) };
    }
    const file = await openPack(task.path, task.trustedKeys);
    await onnxEngine(file);
    const { info, manifestText: manifest, licence, signedBy } = file;
    return { pack: { info, manifest, licence, signedBy } };
  } catch (error) {
    if (error instanceof EngineFault) return { fault: error.fault, reason: error.reason, detail: error.message };
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

const loadedPack = async (path: string, trustedKeys: readonly string[]) =>
  onnxEngine(await openPack(path, trustedKeys));
