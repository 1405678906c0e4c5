import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packManifest, type PackManifest } from "@arcada/contract/analysis/engine-pack";
import type { EngineImage } from "../engine.ts";
import { decodeOutputs } from "./analyse-with-model.ts";
import type { Outputs } from "./model-tensors.ts";

interface DrawnTooth {
  box: [number, number, number, number];
  strength: number;
  shares: [number, number][];
  /** The channel of its condition; absent: sound. */
  condition?: number;
}
interface DecodeCases {
  rows: number;
  columns: number;
  stride: number;
  numbers: number[];
  cases: { name: string; teeth: DrawnTooth[]; found: { fdi: number; confidence: number; box: number[] }[] }[];
}
/** Written by `training/teeth/decode_cases.py`, with what the decoder of the training finds. */
const shared = JSON.parse(
  readFileSync(new URL("../../../../training/teeth/decode-cases.json", import.meta.url), "utf8"),
) as DecodeCases;
const { rows, columns, stride, numbers, cases } = shared;

/** The same votes as `draw_votes` in Python draws: an ellipse of cells for each tooth. */
function drawVotes(teeth: readonly DrawnTooth[]): Outputs {
  const size = rows * columns;
  const classes = new Float32Array((1 + numbers.length) * size).fill(1, 0, size);
  const edges = new Float32Array(4 * size);
  const conditions = new Float32Array(3 * size).fill(1, 0, size);
  const nearest = new Float64Array(size).fill(1);
  for (const { box, strength, shares, condition } of teeth)
    for (let at = 0; at < size; at++) {
      const [left, top, right, bottom] = box;
      const [row, column] = [Math.floor(at / columns), at % columns];
      const [x, y] = [(column + 0.5) * stride, (row + 0.5) * stride];
      const far = ((2 * x - left - right) / (right - left)) ** 2 + ((2 * y - top - bottom) / (bottom - top)) ** 2;
      if (far >= nearest[at]) continue;
      nearest[at] = far;
      const chance = strength * (1 - 0.5 * far);
      for (let number = 1; number <= numbers.length; number++) classes[number * size + at] = 0;
      classes[at] = 1 - chance;
      for (const [fdi, share] of shares) classes[(1 + numbers.indexOf(fdi)) * size + at] = chance * share;
      const wobble = (((row * 7 + column * 3) % 5) - 2) * 0.6;
      edges.set([x - left + wobble], at);
      edges.set([y - top + 2 * wobble], size + at);
      edges.set([right - x + wobble], 2 * size + at);
      edges.set([bottom - y + wobble], 3 * size + at);
      for (let channel = 0; channel < 3; channel++)
        conditions[channel * size + at] = channel === (condition ?? 0) ? 0.9 : 0.05;
    }
  return {
    classes: { dims: [1, 1 + numbers.length, rows, columns], data: classes },
    edges: { dims: [1, 4, rows, columns], data: edges },
    conditions: { dims: [1, 3, rows, columns], data: conditions },
  };
}

const manifestOf = (post: object = {}, more: object = {}): PackManifest =>
  packManifest.parse({
    id: "test.votes",
    version: "1.0.0",
    api: 1,
    task: "tooth-votes@1",
    modality: ["PX"],
    input: { name: "image", w: columns * stride, h: rows * stride, channels: ["gray-unit"], fit: "contain" },
    outputs: { classes: "classes", edges: "edges", conditions: "conditions" },
    post: { teeth: numbers, conditions: [null, "crown", "implant"], ...post },
    produces: ["TOOTH_BOX", "FINDING_crown", "FINDING_implant"],
    sha256: "0".repeat(64),
    licence: "made by a test",
    card: "card.json",
    ...more,
  });

/** A film of the model's own size, so that boxes come back as they are. */
const film: EngineImage = {
  kind: "picture",
  shows: "panorama",
  columns: columns * stride,
  rows: rows * stride,
  samples: new Float32Array(0),
  spacing: null,
};
const decode = (outputs: Outputs, manifest = manifestOf(), image = film) => decodeOutputs(outputs, manifest, image);
const fdiOf = ({ target }: { target: { kind: string; fdi?: number } }) => target.fdi;
const numbersOf = (all: readonly { target: { kind: string; fdi?: number } }[]) => new Set(all.map(fdiOf));
const full = cases[1];

describe("votes for teeth", () => {
  it.each(cases)("are decoded as in the training: $name", ({ teeth, found }) => {
    const { observations } = decode(drawVotes(teeth));
    // Several teeth of one number cannot be told apart by it: the product keeps the most probable.
    const wanted = [...Map.groupBy(found, ({ fdi }) => fdi).values()].map(
      (same) => same.toSorted((a, b) => b.confidence - a.confidence)[0],
    );
    expect(numbersOf(observations)).toEqual(new Set(wanted.map(({ fdi }) => fdi)));
    expect(observations.length).toBe(wanted.length);
    for (const { fdi, confidence, box } of wanted.filter((tooth) => tooth.confidence > 0)) {
      const [observation] = observations.filter((one) => fdiOf(one) === fdi);
      const { confidence: given, geometry } = observation;
      expect(given.basis === "score" ? given.value : null).toBeCloseTo(confidence, 3);
      const [left, top, right, bottom] = box.map((value) => expect.closeTo(value, 1) as number);
      expect(geometry).toEqual({ kind: "box", left, top, right, bottom });
    }
  });

  it("come back to the pixels of a film of other proportions", () => {
    const first = (given: ReturnType<typeof decode>) => given.observations.filter((one) => fdiOf(one) === 16)[0];
    const votes = drawVotes(full.teeth);
    const plain = first(decode(votes));
    const image = { ...film, columns: 2048, rows: 512 };
    const wide = first(decode(votes, manifestOf(), image));
    const { left, right, bottom } = plain.geometry as { left: number; right: number; bottom: number };
    // The film fills the width, and 64 pixels above and below it are margins.
    const [fourLeft, fourRight, fourDown] = [4 * left, 4 * right, 4 * (bottom - 64)].map(
      (value) => expect.closeTo(value, 6) as number,
    );
    expect(wide.geometry).toMatchObject({ left: fourLeft, right: fourRight, bottom: fourDown });
  });

  it("of an uncertain number are an abstention for it", () => {
    const teeth = cases[3].teeth;
    const all = decode(drawVotes(teeth)).observations;
    const { observations, abstentions } = decode(drawVotes(teeth), manifestOf({ leastConfidence: 0.97 }));
    expect(observations.length).toBeLessThan(all.length);
    const uncertain = abstentions.filter(({ target }) => target.kind === "tooth");
    expect(numbersOf([...observations, ...uncertain])).toEqual(numbersOf(all));
    expect(uncertain.every(({ reason }) => reason === "selfCheckFailed")).toBe(true);
  });

  it("are one abstention if an image shows too few teeth, or too uncertain ones", () => {
    const abstention = { code: "TOOTH_BOX", target: { kind: "image" }, reason: "outOfRange", detail: null };
    const unseen = ["FINDING_crown", "FINDING_implant"].map((code) => ({
      ...abstention,
      code,
      reason: "notSupported",
    }));
    const nothing = { observations: [], abstentions: [abstention, ...unseen] };
    expect(decode(drawVotes(full.teeth.slice(0, 3)), manifestOf({ leastTeeth: 4 }))).toEqual(nothing);
    const faint = full.teeth.map((tooth) => ({ ...tooth, strength: 0.6 }));
    expect(decode(drawVotes(faint), manifestOf({ leastTeeth: 4, leastCertainty: 0.6 }))).toEqual(nothing);
    expect(decode(drawVotes(full.teeth), manifestOf({ leastTeeth: 4, leastCertainty: 0.6 })).abstentions).toEqual(
      unseen,
    );
  });

  it("name a crown on its tooth, and an implant in place of a tooth", () => {
    const [first, second, ...others] = full.teeth;
    const outputs = drawVotes([{ ...first, condition: 1 }, { ...second, condition: 2 }, ...others]);
    const { observations } = decode(outputs);
    const codesOf = (tooth: DrawnTooth) =>
      observations.filter((one) => fdiOf(one) === tooth.shares[0][0]).map(({ code }) => code);
    expect(codesOf(first)).toEqual(["TOOTH_BOX", "FINDING_crown"]);
    expect(codesOf(second)).toEqual(["FINDING_implant"]);
    const strict = decode(outputs, manifestOf({ threshold: 0.95 })).observations;
    expect(strict.every(({ code }) => code === "TOOTH_BOX")).toBe(true);
  });

  it.each([
    ["a probability that is none", (o: Outputs) => o.classes.data.fill(3), "wrongShape"],
    ["a distance that is no number", (o: Outputs) => o.edges.data.fill(NaN), "notANumber"],
    ["an endless distance", (o: Outputs) => o.edges.data.fill(Infinity), "notANumber"],
  ] as const)("are refused with %s", (_, spoil, fault) => {
    const outputs = drawVotes(full.teeth);
    spoil(outputs);
    expect(() => decode(outputs)).toThrow(expect.objectContaining({ fault }));
  });

  it("are refused with maps of different sizes", () => {
    const outputs = drawVotes(full.teeth);
    const edges = { dims: [1, 4, rows / 2, columns * 2], data: outputs.edges.data };
    expect(() => decode({ ...outputs, edges })).toThrow(expect.objectContaining({ fault: "wrongShape" }));
  });

  it("of a model that sees a tooth around every cell end soon, in an abstention", () => {
    const outputs = drawVotes([]);
    const size = rows * columns;
    outputs.classes.data.fill(0, 0, size).fill(1 / numbers.length, size);
    outputs.edges.data.fill(5);
    const begun = performance.now();
    const { observations, abstentions } = decode(outputs);
    expect([observations, abstentions[0]?.reason]).toEqual([[], "outOfRange"]);
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
