import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { imageLabels, type ImageLabels } from "@arcada/contract/analysis/engine-trial";
import type { Presence } from "@arcada/contract/chart/chart.schema";
import { permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { makeHead, type HeadTruth } from "@arcada/phantom/anatomy/head";
import {
  createPanoramaPixels,
  panoramaSize,
  locatePanoramaTeeth,
  type PixelBox,
} from "@arcada/phantom/radiograph/panorama";
import { createInputTensor } from "@arcada/analysis/pack/model-tensors";
import { buildModel } from "./onnx-model.ts";

// Drawn panoramas with their true teeth, and a model that knows the positions of a drawn head's teeth and checks
// whether the teeth exist. This is enough for a trial, but finds no teeth in people.

const { columns, rows } = panoramaSize;
const presenceByState = {
  sound: "present",
  filled: "present",
  crowned: "present",
  implant: "implant",
  missing: "missing",
} as const;

/** Heads of nearly one size, so that the positions of one model fit all of them. */
export function* generateHeads(): Generator<HeadTruth> {
  for (let number = 0; ; number++) {
    const head = makeHead(`trial ${number}`);
    if (Math.abs(head.scale - defaultScale) < 0.015) yield head;
  }
}
const defaultScale = 0.995;

const toLabels = (head: HeadTruth): ImageLabels =>
  imageLabels.parse({
    kind: "panorama",
    columns,
    rows,
    spacing: null,
    heldBack: true,
    teeth: locatePanoramaTeeth(head).map(({ fdi, state, box }) => {
      const presence: Presence = presenceByState[state];
      return { fdi, presence, crown: 0, box: presence === "missing" ? null : box, findings: [] };
    }),
  });

/** As an archive for training and trials has them. */
export async function writeLabelledImage(folder: string, name: string, head: HeadTruth): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await sharp(createPanoramaPixels(head), { raw: { width: columns, height: rows, channels: 1 } })
    .toColourspace("grey16")
    .png({ compressionLevel: 1 })
    .toFile(path.join(folder, `${name}.png`));
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(toLabels(head)));
}

const input = {
  name: "in",
  w: 240,
  h: 120,
  channels: ["gray-unit" as const],
  equalise: false,
  fit: "stretch" as const,
};
export const teethManifest = {
  input,
  outputs: { heatmap: "map", size: "size" },
  post: { teeth: permanentTeeth, threshold: 0.5, nms: 0.9 },
  calibration: { set: "drawn heads", n: 100, bins: [[0.8, 0.6] as const, [1, 0.985] as const] },
};

/** For each tooth: is its crown's place as bright as with a tooth, or as without? Then it is at its usual place. */
export function buildTeethModel(): Uint8Array {
  const usual = { ...makeHead("trial usual"), scale: defaultScale };
  const boxes = averageToothBoxes();
  const [full, empty] = (["sound", "missing"] as const).map((state) => renderGrey(usual, state));
  const cells = input.w * input.h;
  const teeth = permanentTeeth.length;
  const [weights, bias] = [new Float32Array(cells * teeth), new Float32Array(teeth)];
  const [places, size] = [new Float32Array(teeth * cells), new Float32Array(2 * cells)];
  permanentTeeth.forEach((fdi, tooth) => {
    const box = boxes.get(fdi)!;
    const crown = listCrownCells(fdi, box);
    const meanIn = (grey: Float32Array): number => crown.reduce((sum, at) => sum + grey[at]!, 0) / crown.length;
    const [there, gone] = [meanIn(full!), meanIn(empty!)];
    const steep = 12 / Math.max(0.02, there - gone);
    for (const at of crown) weights[at * teeth + tooth] = steep / crown.length;
    bias[tooth] = (-steep * (there + gone)) / 2;
    const [x, y] = [(box.left + box.right) / 2 / columns, (box.top + box.bottom) / 2 / rows];
    const cell = Math.floor(y * input.h) * input.w + Math.floor(x * input.w);
    places[tooth * cells + cell] = 1;
    size[cell] = (box.right - box.left) / columns;
    size[cells + cell] = (box.bottom - box.top) / rows;
  });
  return buildModel({
    input: [1, 1, input.h, input.w],
    outputs: [
      { name: "map", rank: 4 },
      { name: "size", rank: 4 },
    ],
    nodes: [
      { op: "Reshape", inputs: ["in", "flat"], outputs: ["row"] },
      { op: "MatMul", inputs: ["row", "weights"], outputs: ["brightness"] },
      { op: "Add", inputs: ["brightness", "bias"], outputs: ["over"] },
      { op: "Sigmoid", inputs: ["over"], outputs: ["scores"] },
      { op: "Reshape", inputs: ["scores", "each"], outputs: ["there"] },
      { op: "Mul", inputs: ["there", "places"], outputs: ["map"] },
      { op: "Identity", inputs: ["sizes"], outputs: ["size"] },
    ],
    weights: {
      flat: { dims: [2], whole: [1, cells] },
      each: { dims: [4], whole: [1, teeth, 1, 1] },
      weights: { dims: [cells, teeth], floats: weights },
      bias: { dims: [1, teeth], floats: bias },
      places: { dims: [1, teeth, input.h, input.w], floats: places },
      sizes: { dims: [1, 2, input.h, input.w], floats: size },
    },
  });
}

function renderGrey(head: HeadTruth, state: "sound" | "missing"): Float32Array {
  const drawn = { ...head, implants: [], teeth: head.teeth.map((tooth) => ({ ...tooth, state })) };
  const samples = Float32Array.from(createPanoramaPixels(drawn));
  return createInputTensor({ kind: "picture", shows: "panorama", columns, rows, samples, spacing: null }, input).data;
}

function averageToothBoxes(): Map<number, PixelBox> {
  const heads = generateHeads();
  const all = Array.from({ length: 200 }, () => locatePanoramaTeeth(heads.next().value as HeadTruth)).flat();
  const mean = (boxes: readonly PixelBox[], side: keyof PixelBox): number =>
    boxes.reduce((sum, box) => sum + box[side], 0) / boxes.length;
  return new Map(
    [...Map.groupBy(all, ({ fdi }) => fdi)].map(([fdi, alike]) => {
      const boxes = alike.map(({ box }) => box);
      return [
        fdi,
        {
          left: mean(boxes, "left"),
          top: mean(boxes, "top"),
          right: mean(boxes, "right"),
          bottom: mean(boxes, "bottom"),
        },
      ];
    }),
  );
}

/** The middle of the third of a tooth's box that is its crown. */
function listCrownCells(fdi: number, { left, top, right, bottom }: PixelBox): number[] {
  const isUpper = fdi < 30;
  const [high, wide] = [bottom - top, right - left];
  const from = isUpper ? bottom - 0.35 * high : top + 0.1 * high;
  const cells: number[] = [];
  for (let y = from; y < from + 0.25 * high; y += rows / input.h)
    for (let x = left + 0.3 * wide; x < right - 0.3 * wide; x += columns / input.w)
      cells.push(Math.floor((y * input.h) / rows) * input.w + Math.floor((x * input.w) / columns));
  return [...new Set(cells)];
}
