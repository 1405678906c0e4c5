import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { locatePanoramaTeeth, panoramaSize } from "@arcada/phantom/radiograph/panorama";
import { buildModel } from "@arcada/testing/analysis/onnx-model";
import { buildCard, createSigner, writePack } from "@arcada/testing/analysis/write-engine-pack";

/** The head of the drawn panorama for which this stand-in of a tooth finder knows the answer. */
export const drawnHead = makeHead("one key");
const [width, height] = [64, 32];
const signer = createSigner("Journey");
const found = locatePanoramaTeeth(drawnHead);
const isThere = ({ state }: (typeof found)[number]) => state !== "missing";
/** The stand-in is not sure of two teeth. */
const doubtful = found.filter(isThere).slice(0, 2);
export const certainTeeth = found
  .filter(isThere)
  .map(({ fdi }) => fdi)
  .filter((fdi) => !doubtful.some((tooth) => tooth.fdi === fdi));

/** Settings of a product whose included pack gives the true teeth of that head, whatever an image shows. */
export const toothFinderSettings = (): Record<string, string> => ({
  ENGINE_FOLDER: folder,
  ENGINE_KEYS: signer.trusted,
});
const folder = mkdtempSync(path.join(tmpdir(), "arcada-tooth-finder-"));

export async function writeToothFinder(): Promise<void> {
  const scale = ([x, y]: [number, number]) => [(x / panoramaSize.columns) * width, (y / panoramaSize.rows) * height];
  const boxes = found.flatMap(({ box }) => [...scale([box.left, box.top]), ...scale([box.right, box.bottom])]);
  const scores = found.map(({ fdi }) => (doubtful.some((tooth) => tooth.fdi === fdi) ? 0.4 : 0.9));
  const outputs = { b: [found.length, 4], s: [found.length], c: [found.length] };
  const values = { b: boxes, s: scores, c: found.map((_, index) => index) };
  const model = buildModel({
    input: [1, 1, height, width],
    outputs: [
      { name: "b", rank: 2 },
      { name: "s", rank: 1 },
      { name: "c", rank: 1 },
    ],
    nodes: ["b", "s", "c"].map((name) => ({ op: "Identity", inputs: [`${name}0`], outputs: [name] })),
    weights: Object.fromEntries(
      (["b", "s", "c"] as const).map((name) => [
        `${name}0`,
        { dims: outputs[name], floats: Float32Array.from(values[name]) },
      ]),
    ),
  });
  const manifest = {
    id: "arcada.teeth",
    task: "boxes@1",
    outputs: { boxes: "b", scores: "s", classes: "c" },
    produces: ["TOOTH_BOX", "TOOTH_MISSING"],
    calibration: {
      set: "drawn heads",
      n: 400,
      bins: [
        [0.5, 0.6],
        [1, 0.97],
      ],
    },
    post: {
      threshold: 0.1,
      nms: 1,
      classes: found.map((tooth) => ({ code: isThere(tooth) ? "TOOTH_BOX" : "TOOTH_MISSING", fdi: tooth.fdi })),
    },
  };
  const card = {
    ...buildCard,
    intendedUse: "Suggests which teeth a panoramic radiograph shows, for a dentist to check.",
    limits: "A stand-in for a test: it knows one drawn head.",
    trainedOn: "Drawn images only.",
  };
  await writePack(path.join(folder, "arcada.teeth.zip"), { model, manifest, card, signer });
}
