import { jawOf, lowerDeciduous, lowerTeeth, upperDeciduous, upperTeeth } from "@arcada/contract/kernel/tooth";
import type { PackManifest } from "@arcada/contract/analysis/pack";
import type { EnginePicture, Seen } from "../engine.ts";
import { confidenceOf, peaksOf, within, withoutCovered, type Box } from "./scores.ts";
import { outputOf, type Outputs } from "./tensor.ts";

interface Tooth {
  fdi: number;
  score: number;
  box: Box;
}

/**
 * `fdi-centres@1`: a heatmap with a channel for each tooth; its maximum is the tooth's middle. `size` has the tooth's
 * width and height there as shares of the image. A peak that was found is a tooth's place; a missing peak means
 * nothing.
 */
export function toothCentres(outputs: Outputs, manifest: PackManifest, { columns, rows }: EnginePicture): Seen[] {
  const { threshold, nms, order, teeth } = manifest.post;
  const heatmap = outputOf(outputs, manifest.outputs.heatmap, [teeth.length, null, null], "unit");
  const [, high, wide] = heatmap.dims;
  const size = manifest.outputs.size ? outputOf(outputs, manifest.outputs.size, [2, high, wide], "unit") : null;
  const found = peaksOf(heatmap).flatMap(({ score, x, y, cell }, at): Tooth[] => {
    if (score < threshold) return [];
    const [width, height] = size ? [size.data[cell], size.data[high * wide + cell]] : usualSize;
    const box = within(
      {
        left: (x - width / 2) * columns,
        right: (x + width / 2) * columns,
        top: (y - height / 2) * rows,
        bottom: (y + height / 2) * rows,
      },
      columns,
      rows,
    );
    return box ? [{ fdi: teeth[at], score, box }] : [];
  });
  const single = withoutCovered(found, nms);
  const kept = order === "fdi-monotone" ? inOrder(single) : single;
  return kept.map(({ fdi, score, box }) => ({
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
const usualSize = [0.04, 0.22] as const;

/**
 * Returns, for each jaw, the teeth in anatomical order from the patient's right to the left that have the highest total
 * score.
 */
function inOrder(teeth: readonly Tooth[]): Tooth[] {
  return (["maxilla", "mandible"] as const).flatMap((jaw) => bestChain(teeth.filter(({ fdi }) => jawOf(fdi) === jaw)));
}

const placeInRow = (fdi: number): number => {
  for (const row of [upperTeeth, lowerTeeth]) if (row.includes(fdi)) return row.indexOf(fdi);
  // A milk tooth has the place of its successor.
  for (const row of [upperDeciduous, lowerDeciduous]) if (row.includes(fdi)) return row.indexOf(fdi) + 3;
  return 0;
};

function bestChain(teeth: readonly Tooth[]): Tooth[] {
  const sorted = teeth.toSorted((a, b) => a.box.left + a.box.right - b.box.left - b.box.right);
  const chains: { score: number; chain: Tooth[] }[] = [];
  for (const tooth of sorted) {
    const before = chains.filter(({ chain }) => placeInRow(chain[chain.length - 1].fdi) <= placeInRow(tooth.fdi));
    const best = before.reduce((one, other) => (other.score > one.score ? other : one), {
      score: 0,
      chain: [] as Tooth[],
    });
    chains.push({ score: best.score + tooth.score, chain: [...best.chain, tooth] });
  }
  return chains.reduce((one, other) => (other.score > one.score ? other : one), { score: 0, chain: [] as Tooth[] })
    .chain;
}
