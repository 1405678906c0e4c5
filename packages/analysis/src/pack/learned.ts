import type { PackManifest } from "@arcada/contract/analysis/pack";
import { EngineFault, type Analysed, type EngineInput, type EnginePicture } from "../engine.ts";
import { boxes } from "./boxes.ts";
import { landmarks } from "./landmarks.ts";
import { masks } from "./mask.ts";
import { inputOf, type Outputs, type Tensor } from "./tensor.ts";
import { toothCentres } from "./tooth-centres.ts";

/** Runs a model on its named input and returns the outputs that its task needs. */
export type Infer = (input: Tensor, manifest: PackManifest) => Promise<Outputs>;

/** Runs a model, here or elsewhere: an image in, observations out. */
export async function learned(input: EngineInput, manifest: PackManifest, infer: Infer): Promise<Analysed> {
  if (input.kind !== "picture") throw new EngineFault("imageKind", "a volume");
  const outputs = await infer(inputOf(input, manifest.input), manifest);
  return { artefacts: [], ...observed(outputs, manifest, input) };
}

/** The observations in a model's outputs. @throws EngineFault where they are not what the task needs */
export function observed(
  outputs: Outputs,
  manifest: PackManifest,
  picture: EnginePicture,
): Pick<Analysed, "observations" | "abstentions"> {
  if (manifest.task === "landmark-heatmap@1") return landmarks(outputs, manifest, picture);
  return { observations: tasks[manifest.task](outputs, manifest, picture), abstentions: [] };
}

const tasks = { "fdi-centres@1": toothCentres, "boxes@1": boxes, "mask@1": masks } as const;
