import { describe, expect, it } from "vitest";
import { imageLabels, trialLimits, type ImageLabels, type TrialFault } from "@arcada/contract/analysis/engine-trial";
import { permanentTeeth, upperTeeth } from "@arcada/contract/kernel/tooth-numbers";
import {
  maxClaimError,
  detectionF1,
  computeFigures,
  missingPrecision,
  numberingF1,
  sumFigures,
  findTrialFaults,
  exclusionReason,
  type PredictedTooth,
} from "./engine-trial-figures.ts";

/** Boxes side by side, the upper row above the lower. */
function placeOf(fdi: number) {
  const place = permanentTeeth.indexOf(fdi);
  const [left, top] = [10 + 20 * (place % 16), upperTeeth.includes(fdi) ? 20 : 80];
  return { left, top, right: left + 16, bottom: top + 40 };
}
type Told = Partial<ImageLabels["teeth"][number]>;
/** A mouth of 32 teeth, except for those given differently. */
const mouth = (otherwise: Record<number, Told> = {}, more: Partial<ImageLabels> = {}): ImageLabels =>
  imageLabels.parse({
    kind: "panorama",
    columns: 340,
    rows: 140,
    spacing: null,
    heldBack: true,
    teeth: permanentTeeth.map((fdi) => ({
      fdi,
      presence: "present",
      crown: 0,
      box: placeOf(fdi),
      findings: [],
      ...otherwise[fdi],
    })),
    ...more,
  });
const gone: Told = { presence: "missing", box: null };
const given = (fdi: number, more: Partial<PredictedTooth> = {}): PredictedTooth => ({
  fdi,
  box: placeOf(fdi),
  claim: 0.97,
  ...more,
});
const allBut = (...fdis: number[]): PredictedTooth[] =>
  permanentTeeth.filter((fdi) => !fdis.includes(fdi)).map((fdi) => given(fdi));

describe("a tooth that a pack reports", () => {
  it("is found where it covers a tooth by half, and right where it also has its number", () => {
    const half = placeOf(11);
    const figures = computeFigures(mouth(), [
      given(11, { box: { ...half, left: half.left + 5 } }),
      given(12, { box: { ...placeOf(12), left: placeOf(12).left + 9 } }),
      given(24, { box: placeOf(25) }),
    ]);
    expect(figures).toMatchObject({ teeth: 32, boxes: 3, found: 2, numbered: 1 });
    expect(detectionF1(figures)).toBeCloseTo(4 / 35, 12);
    expect(numberingF1(figures)).toBeCloseTo(2 / 35, 12);
  });

  it("is found once, however often it is reported", () => {
    expect(computeFigures(mouth(), [given(11), given(11), given(12, { box: placeOf(11) })])).toMatchObject({
      boxes: 3,
      found: 1,
      numbered: 1,
    });
  });

  it("is not counted on an implant, nor where a tooth may be unerupted in the bone", () => {
    const labels = mouth({ 36: { presence: "implant" }, 18: { presence: "unerupted", box: null } });
    expect(computeFigures(labels, allBut())).toMatchObject({ teeth: 30, boxes: 30, found: 30, numbered: 30 });
  });

  it("is compared with the claimed confidence", () => {
    const labels = mouth({ 11: gone });
    expect(computeFigures(labels, allBut()).claims).toEqual([{ claim: 0.97, n: 32, right: 31 }]);
  });
});

describe("a position where a pack reports no tooth", () => {
  it("is rightly called missing where there is none", () => {
    const figures = computeFigures(mouth({ 18: gone, 36: { presence: "implant" } }), allBut(18, 36, 11));
    expect(figures.missing).toEqual({ named: 3, right: 2 });
    expect(missingPrecision(figures)).toBeCloseTo(2 / 3, 12);
  });

  it("counts as a tooth not found, for every tooth of an image if the pack fails", () => {
    expect(computeFigures(mouth({ 18: gone }), null)).toMatchObject({ images: 1, failed: 1, teeth: 31, boxes: 0 });
  });
});

describe("an image", () => {
  it.each<[string, ImageLabels, ReturnType<typeof exclusionReason>]>([
    ["is counted", mouth(), null],
    ["is not that engines may have been trained with", mouth({}, { heldBack: false }), "notHeldBack"],
    ["is not where a position is not assessed", mouth({ 11: { presence: "unknown" } }), "notWhole"],
    ["is not where nobody told a tooth's place", mouth({ 11: { box: null } }), "notWhole"],
    ["is not where a box is the engine's own", mouth({ 11: { boxBy: "acme.teeth 1.0.0" } }), "ownBoxes"],
    ["is where a box is another engine's", mouth({ 11: { boxBy: "other.teeth 1.0.0" } }), null],
    ["is not that is no panorama", mouth({}, { kind: "dentalFilm" }), "unfit"],
  ])("%s", (_, labels, why) => expect(exclusionReason(labels, "acme.teeth")).toBe(why));
});

describe("a pack", () => {
  const right = computeFigures(mouth({ 18: gone }), allBut(18));
  const times = (one: typeof right, count: number) => Array.from({ length: count }, () => one);
  // Each image has 31 teeth; the claimed probability of each is 97 %.
  const usual = [
    ...times(right, 60),
    ...times(computeFigures(mouth({ 18: gone }), [...allBut(18, 11), given(11, { box: placeOf(18) })]), 25),
  ];

  it("has passed with 85 images, teeth found and numbered, and claims that are true", () => {
    const figures = sumFigures(usual);
    expect(figures.images).toBe(trialLimits.images);
    expect(maxClaimError(figures)).toBeLessThan(0.03);
    expect(findTrialFaults(figures)).toEqual([]);
  });

  const lost = computeFigures(mouth({ 18: gone }), allBut(18, 11, 12));
  const swapped = computeFigures(mouth({ 18: gone }), [
    ...allBut(18, 11, 21, 31, 41),
    ...[
      [11, 21],
      [21, 11],
      [31, 41],
      [41, 31],
    ].map(([fdi, at]) => given(fdi, { box: placeOf(at) })),
  ]);
  const claiming = (claim: number | null) =>
    computeFigures(
      mouth({ 18: gone }),
      allBut(18).map((one) => ({ ...one, claim })),
    );
  const claimingEach = computeFigures(
    mouth({ 18: gone }),
    allBut(18).map((one, at) => ({ ...one, claim: 0.5 + at / 100 })),
  );
  it.each<[string, ReturnType<typeof sumFigures>, TrialFault[]]>([
    ["with one image too few", sumFigures(usual.slice(1)), ["imagesFew"]],
    ["with teeth that it does not find", sumFigures([...times(lost, 85)]), ["detectionLow"]],
    ["with numbers of other teeth", sumFigures(times(swapped, 85)), ["numberingLow", "claimsOff"]],
    ["that claims nothing", sumFigures(times(claiming(null), 85)), ["claimsNone"]],
    ["that claims less than is true", sumFigures(times(claiming(0.9), 85)), ["claimsOff"]],
    [
      "whose claims cannot be judged",
      sumFigures(times(claimingEach, 85).map((one, at) => (at < 84 ? { ...one, claims: [] } : one))),
      ["claimsFew"],
    ],
    ["with nothing at all", sumFigures([]), ["imagesFew", "detectionLow", "numberingLow", "claimsNone"]],
  ])("has not passed %s", (_, figures, faults) => expect(findTrialFaults(figures)).toEqual(faults));
});
