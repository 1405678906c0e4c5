import { jawOf, lowerDeciduous, lowerTeeth, upperDeciduous, upperTeeth } from "@arcada/contract/kernel/tooth-numbers";
import type { PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { EngineImage, NewObservation } from "../engine.ts";
import { confidenceOf, heatmapPeaks, suppressNonMaxima, type Box } from "./detection-postprocessing.ts";
import { boxToImage } from "./input-frame.ts";
import { readOutput, type Outputs } from "./model-tensors.ts";

interface ToothCandidate {
  fdi: number;
  score: number;
  box: Box;
}

/**
 * `fdi-centres@1`: a heatmap with a channel for each tooth; its maximum is the tooth's middle. `size` has the tooth's
 * width and height there as shares of the image. A peak that was found is a tooth's place; a missing peak means
 * nothing.
 */
export function decodeToothCentres(outputs: Outputs, manifest: PackManifest, image: EngineImage): NewObservation[] {
  const { w, h } = manifest.input;
  const { threshold, nms, order, teeth } = manifest.post;
  const heatmap = readOutput(outputs, manifest.outputs.heatmap, [teeth.length, null, null], "unit");
  const [, gridRows, gridColumns] = heatmap.dims;
  const size = manifest.outputs.size
    ? readOutput(outputs, manifest.outputs.size, [2, gridRows, gridColumns], "unit")
    : null;
  const candidates = heatmapPeaks(heatmap).flatMap(({ score, x, y, cell }, index): ToothCandidate[] => {
    if (score < threshold) return [];
    const [width, height] = size ? [size.data[cell], size.data[gridRows * gridColumns + cell]] : typicalToothSize;
    const [left, top] = [(x - width / 2) * w, (y - height / 2) * h];
    const box = boxToImage({ left, top, right: left + width * w, bottom: top + height * h }, image, manifest.input);
    return box ? [{ fdi: teeth[index], score, box }] : [];
  });
  const suppressed = suppressNonMaxima(candidates, nms, ({ score }) => score);
  const ordered = order === "fdi-monotone" ? keepAnatomicalOrder(suppressed) : suppressed;
  return ordered.map(({ fdi, score, box }) => ({
    code: "TOOTH_BOX",
    target: { kind: "tooth", fdi },
    value: true,
    unit: null,
    geometry: { kind: "box", ...box },
    confidence: confidenceOf(score, manifest),
    method: manifest.task,
  }));
}

/** The usual size of a tooth in a panorama: width and height, as shares of the image. */
const typicalToothSize = [0.04, 0.22] as const;

/**
 * Returns, for each jaw, the teeth in anatomical order from the patient's right to the left that have the highest total
 * score.
 */
function keepAnatomicalOrder(teeth: readonly ToothCandidate[]): ToothCandidate[] {
  return (["maxilla", "mandible"] as const).flatMap((jaw) => bestChain(teeth.filter(({ fdi }) => jawOf(fdi) === jaw)));
}

const positionInArch = (fdi: number): number => {
  for (const row of [upperTeeth, lowerTeeth]) if (row.includes(fdi)) return row.indexOf(fdi);
  // A milk tooth has the place of its successor.
  for (const row of [upperDeciduous, lowerDeciduous]) if (row.includes(fdi)) return row.indexOf(fdi) + 3;
  return 0;
};

function bestChain(teeth: readonly ToothCandidate[]): ToothCandidate[] {
  const sorted = teeth.toSorted((a, b) => a.box.left + a.box.right - b.box.left - b.box.right);
  const chains: { score: number; chain: ToothCandidate[] }[] = [];
  for (const tooth of sorted) {
    const compatibleChains = chains.filter(
      ({ chain }) => positionInArch(chain[chain.length - 1].fdi) <= positionInArch(tooth.fdi),
    );
    const best = compatibleChains.reduce((winner, other) => (other.score > winner.score ? other : winner), {
      score: 0,
      chain: [] as ToothCandidate[],
    });
    chains.push({ score: best.score + tooth.score, chain: [...best.chain, tooth] });
  }
  return chains.reduce((winner, other) => (other.score > winner.score ? other : winner), {
    score: 0,
    chain: [] as ToothCandidate[],
  }).chain;
}
