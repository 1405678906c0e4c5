import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import { EngineFault, type EngineImage, type NewObservation } from "../engine.ts";
import { confidenceOf, suppressNonMaxima, type Box } from "./detection-postprocessing.ts";
import { boxToImage } from "./input-frame.ts";
import { readOutput, type Outputs } from "./model-tensors.ts";

interface BoxCandidate {
  box: Box;
  score: number;
  kind: number;
}

/**
 * `boxes@1`: `boxes` `[n][4]` (left, top, right, bottom in pixels of the model's input) with `scores`, either
 * `[n][class]` or `[n]` with `classes` `[n]`. Boxes of one class that overlap each other are merged into one.
 */
export function decodeBoxes(outputs: Outputs, manifest: PackManifest, image: EngineImage): NewObservation[] {
  const { threshold, nms, classes } = manifest.post;
  const accepted = readCandidates(outputs, manifest).filter(({ score }) => score >= threshold);
  return classes.flatMap((packClass, classIndex) =>
    suppressNonMaxima(
      accepted.flatMap((candidate) => {
        const box = candidate.kind === classIndex ? boxToImage(candidate.box, image, manifest.input) : null;
        return box ? [{ box, score: candidate.score }] : [];
      }),
      nms,
      ({ score }) => score,
    ).map(({ box, score }): NewObservation => ({
      code: packClass.code,
      target: packClass.fdi === null ? { kind: "image" } : { kind: "tooth", fdi: packClass.fdi },
      value: true,
      unit: null,
      geometry: { kind: "box", ...box },
      confidence: confidenceOf(score, manifest),
      method: manifest.task,
    })),
  );
}

const maxCandidates = 100_000;

function readCandidates(outputs: Outputs, { outputs: names, post }: PackManifest): BoxCandidate[] {
  const { dims, data } = readOutput(outputs, names.boxes, [null, 4], "any");
  const [count] = dims;
  if (count > maxCandidates) throw new EngineFault("tooMany", `${count} boxes`);
  const boxAt = (index: number): Box => ({
    left: data[4 * index],
    top: data[4 * index + 1],
    right: data[4 * index + 2],
    bottom: data[4 * index + 3],
  });
  if (names.classes) {
    const scores = readOutput(outputs, names.scores, [count], "unit").data;
    const classIndices = readOutput(outputs, names.classes, [count], "any").data;
    return Array.from(scores, (score, index) => ({
      box: boxAt(index),
      score,
      kind: validateClassIndex(classIndices[index], post.classes.length),
    }));
  }
  const classCount = post.classes.length;
  const scores = readOutput(outputs, names.scores, [count, classCount], "unit").data;
  return Array.from(scores, (score, index) => ({
    box: boxAt(Math.floor(index / classCount)),
    score,
    kind: index % classCount,
  }));
}

function validateClassIndex(classIndex: number, count: number): number {
  if (!Number.isInteger(classIndex) || classIndex < 0 || classIndex >= count)
    throw new EngineFault("codeUndeclared", `class ${classIndex}`);
  return classIndex;
}
