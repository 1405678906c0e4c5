import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import { EngineFault, type EngineResult, type EngineInput, type EngineImage } from "../engine.ts";
import { decodeBoxes } from "./decode-boxes.ts";
import { decodeLandmarks } from "./decode-landmarks.ts";
import { decodeMasks } from "./decode-masks.ts";
import { createInputTensor, type Outputs, type Tensor } from "./model-tensors.ts";
import { decodeToothCentres } from "./decode-tooth-centres.ts";
import { decodeToothVotes } from "./decode-tooth-votes.ts";

/** Runs a model on its named input and returns the outputs that its task needs. */
export type InferModel = (input: Tensor, manifest: PackManifest) => Promise<Outputs>;

/** Runs a model, here or elsewhere: an image in, observations out. */
export async function analyseWithModel(
  input: EngineInput,
  manifest: PackManifest,
  infer: InferModel,
): Promise<EngineResult> {
  if (input.kind !== "picture") throw new EngineFault("imageKind", "a volume");
  const outputs = await infer(createInputTensor(input, manifest.input), manifest);
  return { artefacts: [], ...decodeOutputs(outputs, manifest, input) };
}

/** The observations in a model's outputs. @throws EngineFault where they are not what the task needs */
export function decodeOutputs(
  outputs: Outputs,
  manifest: PackManifest,
  image: EngineImage,
): Pick<EngineResult, "observations" | "abstentions"> {
  if (manifest.task === "landmark-heatmap@1") return decodeLandmarks(outputs, manifest, image);
  if (manifest.task === "tooth-votes@1") return decodeToothVotes(outputs, manifest, image);
  return { observations: decoders[manifest.task](outputs, manifest, image), abstentions: [] };
}

const decoders = { "fdi-centres@1": decodeToothCentres, "boxes@1": decodeBoxes, "mask@1": decodeMasks } as const;
