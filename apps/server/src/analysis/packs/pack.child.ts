import { EngineFault, type AnalysisEngine } from "@arcada/analysis/engine";
import type { PackProcessResult, PackProcessTask } from "./pack-process.ts";
import type { EngineChoice } from "../engines/engine-task-types.ts";
import { loadRuntime, loadOnnxEngine } from "./onnx-engine.ts";
import { executeEngine } from "../engines/execute-engine.ts";
import { openPack } from "./pack-file.ts";

type PackChoice = Extract<EngineChoice, { kind: "pack" }>;

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
      const loaded = () => loadPack(engine);
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

async function loadPack({ path, trust, expected }: PackChoice): Promise<AnalysisEngine> {
  const file = await openPack(path, trust);
  const { id, version, card } = file.info;
  if (expected && (id !== expected.id || version !== expected.version || card.sha256 !== expected.sha256))
    throw new EngineFault("packTampered", `the file holds ${id} ${version} ${card.sha256}`, "sumDiffers");
  return loadOnnxEngine(file);
}
