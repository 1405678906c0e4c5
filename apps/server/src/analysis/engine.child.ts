import { EngineFault } from "@arcada/analysis/engine";
import type { ChildAnswer, ChildTask } from "./engine-child.ts";
import type { FileAt, PackTrust } from "./engine-task.ts";
import { loadRuntime, onnxEngine } from "./engine-onnx.ts";
import { workOn } from "./engine-work.ts";
import { openPack } from "./pack-file.ts";

/** The process in which a pack's model is loaded and run once; then it ends. */
process.on("message", async (task: ChildTask) => {
  const answer = task.do === "probe" ? await canLoad() : await answerTo(task);
  process.send?.(answer, () => process.exit(0));
});
process.on("disconnect", () => process.exit(0));

const canLoad = (): Promise<boolean> =>
  loadRuntime().then(
    () => true,
    () => false,
  );

async function answerTo(task: Exclude<ChildTask, { do: "probe" }>): Promise<ChildAnswer> {
  try {
    if (task.do === "run") {
      const { engine } = task.task;
      const loaded = () => loadedPack(engine.path, engine.trust);
      const onProgress = (step: number): void => void process.send?.({ step });
      return { outcome: await workOn({ ...task.task, engine: loaded }, onProgress) };
    }
    const file = await openPack(task.path, task.trust);
    await onnxEngine(file);
    const { info, manifestText: manifest, licence, signedBy } = file;
    return { pack: { info, manifest, licence, signedBy } };
  } catch (error) {
    if (error instanceof EngineFault) return { fault: error.fault, reason: error.reason, detail: error.message };
    return { trouble: error instanceof Error ? error.message : String(error) };
  }
}

const loadedPack = async (path: FileAt, trust: PackTrust) => onnxEngine(await openPack(path, trust));
