import type { InferenceSession } from "onnxruntime-web";
import { EngineFault, type AnalysisEngine } from "@arcada/analysis/engine";
import { analyseWithModel } from "@arcada/analysis/pack/analyse-with-model";
import type { Outputs, Tensor } from "@arcada/analysis/pack/model-tensors";
import { packRules, type PackManifest } from "@arcada/contract/analysis/engine-pack";
import { requireHarmlessModel } from "./onnx-model-guard.ts";
import type { PackFile } from "./pack-file.ts";

/** A runtime and the name of its provider for the processor. */
interface Runtime {
  ort: Pick<typeof import("onnxruntime-web"), "InferenceSession" | "Tensor">;
  provider: "cpu" | "wasm";
}

/**
 * Loads a pack's model; only for a process that may be ended with it.
 * @throws EngineFault runtimeMissing, modelForbidden, modelInvalid, wrongShape
 */
export async function loadOnnxEngine({ manifest, info, model }: PackFile): Promise<AnalysisEngine> {
  requireHarmlessModel(model);
  const runtime = await loadRuntime();
  const session = await openSession(runtime, model);
  requireDeclaredTensors(session, manifest);
  return {
    info,
    analyse: (input) => analyseWithModel(input, manifest, (tensor) => infer(runtime, session, manifest, tensor)),
  };
}

/**
 * Loads the native runtime if an operator has installed it and it exists for this system (none for macOS on Intel), else
 * the one in WebAssembly, which every installation has.
 */
export async function loadRuntime(): Promise<Runtime> {
  try {
    return { ort: await import("onnxruntime-node"), provider: "cpu" };
  } catch {
    return loadWasmRuntime();
  }
}

async function loadWasmRuntime(): Promise<Runtime> {
  try {
    const ort = await import("onnxruntime-web");
    // More threads would need workers, which this process may not start.
    ort.env.wasm.numThreads = 1;
    return { ort, provider: "wasm" };
  } catch (error) {
    const detail = error instanceof Error ? error.message : "";
    throw new EngineFault("runtimeMissing", `${process.platform} ${process.arch}: ${detail}`.slice(0, 200));
  }
}

async function openSession({ ort, provider }: Runtime, model: Uint8Array): Promise<InferenceSession> {
  try {
    return await ort.InferenceSession.create(model, {
      executionProviders: [provider],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
      // Otherwise a flat buffer, which nobody has checked, would be accepted as a model.
      extra: { session: { load_model_format: "ONNX" } },
    });
  } catch (error) {
    throw new EngineFault("modelInvalid", messageOf(error), "modelNotLoaded");
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200);

/** Throws if a name of the manifest is missing in the model, or if the model's input is not of the declared size. */
function requireDeclaredTensors(session: InferenceSession, { input, outputs }: PackManifest): void {
  const given = session.inputMetadata.find(({ name }) => name === input.name);
  if (!given || session.inputMetadata.length !== 1)
    throw new EngineFault("modelInvalid", `its inputs are ${session.inputNames.join(", ")}`, "inputDiffers");
  const wanted = [1, input.channels.length, input.h, input.w];
  if (!given.isTensor || given.type !== "float32" || !matchesShape(given.shape, wanted))
    throw new EngineFault("wrongShape", `input ${input.name}`, "inputDiffers");
  for (const name of Object.values(outputs)) {
    if (name !== undefined && !session.outputNames.includes(name))
      throw new EngineFault("modelInvalid", `it has no output ${name}`, "outputMissing");
  }
  for (const output of session.outputMetadata) {
    if (!output.isTensor) throw new EngineFault("wrongShape", `output ${output.name}`, "outputDiffers");
    const known = output.shape.filter((length) => typeof length === "number" && length > 0) as number[];
    if (known.reduce((product, length) => product * length, 1) > packRules.tensorValues)
      throw new EngineFault("tooLarge", `output ${output.name}: ${output.shape.join(" × ")}`, "outputDiffers");
  }
}

/** True if the shape matches. A length that the model leaves open is a name, or not above 0. */
const matchesShape = (shape: readonly (number | string)[], wanted: readonly number[]): boolean =>
  shape.length === wanted.length &&
  shape.every((length, at) => typeof length === "string" || length <= 0 || length === wanted[at]);

async function infer(
  { ort }: Runtime,
  session: InferenceSession,
  { input, outputs: named }: PackManifest,
  { data, dims }: Tensor,
): Promise<Outputs> {
  const wanted = Object.values(named).filter((name) => name !== undefined);
  let answer: InferenceSession.OnnxValueMapType;
  try {
    answer = await session.run({ [input.name]: new ort.Tensor("float32", data, dims) }, wanted);
  } catch (error) {
    const message = messageOf(error);
    throw new EngineFault(/bad_alloc|allocat/i.test(message) ? "memory" : "modelInvalid", message, "inferenceFailed");
  }
  const outputs: Record<string, Tensor> = {};
  for (const name of wanted) {
    const value = answer[name];
    if (!value || !("data" in value)) throw new EngineFault("wrongShape", `no output ${name}`);
    if (value.size > packRules.tensorValues)
      throw new EngineFault("tooLarge", `output ${name}: ${value.dims.join(" × ")}`);
    outputs[name] = { dims: value.dims, data: toFloat32Array(name, value.data) };
  }
  return outputs;
}

function toFloat32Array(name: string, data: unknown): Float32Array {
  if (data instanceof Float32Array) return data;
  if (data instanceof BigInt64Array || data instanceof Int32Array || data instanceof Uint8Array)
    return Float32Array.from(data as ArrayLike<number | bigint>, Number);
  throw new EngineFault("wrongShape", `output ${name} is of another type`);
}
