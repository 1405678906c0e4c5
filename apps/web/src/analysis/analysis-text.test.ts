import { describe, expect, it } from "vitest";
import { translateCard, translateDataset } from "./analysis-text.ts";

const figure = { value: 0.9, n: 40, date: "2026-11-29" };
const card = {
  intendedUse: "Finds teeth.",
  limits: "No children.",
  licence: "Apache-2.0",
  trainedOn: "Drawn films.",
  clearance: null,
  metrics: [
    { name: "F1 of teeth found", set: "40 films", ...figure },
    { name: "Time of a film, ms", set: "one film", ...figure },
  ],
  sha256: null,
  translations: {
    zh: {
      intendedUse: "找到牙齿。",
      limits: "不适用于儿童。",
      trainedOn: null,
      words: { "F1 of teeth found": "找到牙齿的 F1" },
    },
  },
};

describe("the card of an engine", () => {
  it("is in the reader's language as far as it is translated", () => {
    const { intendedUse, trainedOn, metrics } = translateCard(card, "zh");
    expect([intendedUse, trainedOn]).toEqual(["找到牙齿。", "Drawn films."]);
    expect(metrics.map(({ name, set }) => [name, set])).toEqual([
      ["找到牙齿的 F1", "40 films"],
      ["Time of a film, ms", "one film"],
    ]);
  });

  it("stays as its maker wrote it in a language that it lacks", () => {
    expect(translateCard(card, "ru").intendedUse).toBe("Finds teeth.");
  });
});

describe("the data set behind a confidence", () => {
  const observation = {
    id: "one",
    code: "TOOTH_BOX",
    target: { kind: "tooth", fdi: 16 },
    value: true,
    unit: null,
    geometry: null,
    confidence: { basis: "calibrated", p: 0.9, n: 40, set: "F1 of teeth found" },
    method: "tooth-votes@1",
    decision: null,
  } as const;

  it("is named in the reader's language if the card translates it", () => {
    expect(translateDataset(observation, card, "zh").confidence).toMatchObject({ set: "找到牙齿的 F1", p: 0.9 });
    expect(translateDataset(observation, card, "ru")).toBe(observation);
  });
});
