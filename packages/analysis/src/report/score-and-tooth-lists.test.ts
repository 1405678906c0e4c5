import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permanentTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { computeOralScore, scoredTeeth } from "./oral-score.ts";
import { createToothLists } from "./tooth-lists.ts";
import type { ExaminedTooth } from "./tooth-state.ts";
import { present } from "@arcada/testing/require-present";

type Kind = "sound" | "filled" | "decayed" | "missing" | "unerupted" | "unknown" | "unconfirmed";
const kinds: Record<Kind, Partial<ExaminedTooth>> = {
  sound: { crown: 0 },
  filled: { crown: 3 },
  decayed: { crown: 1 },
  missing: { presence: "missing" },
  unerupted: { presence: "unerupted" },
  unknown: { presence: "unknown", crown: 0 },
  unconfirmed: { crown: 0, confirmedBy: null },
};
const tooth = (fdi: number, kind: Kind, more: Partial<ExaminedTooth> = {}): ExaminedTooth => ({
  fdi,
  presence: "present",
  crown: null,
  confirmedBy: "a dentist",
  findings: [],
  ...kinds[kind],
  ...more,
});
const mouth = (given: readonly Kind[]): ExaminedTooth[] =>
  scoredTeeth.map((fdi, at) => tooth(fdi, given[at] ?? "sound"));
/** The number of mouths to try. */
const runs = { numRuns: process.env["ARCADA_PROOF"] === "full" ? 50_000 : 100 };
const some = (kind: Kind, count: number): Kind[] => Array.from({ length: count }, () => kind);
const anyMouth = (from: readonly Kind[]) => fc.array(fc.constantFrom(...from), { minLength: 28, maxLength: 28 });

describe("the oral health score", () => {
  it("is 100 for 28 sound teeth, 0 for none, and 90 for 24 sound, 2 filled, 1 decayed and 1 missing", () => {
    expect(computeOralScore(mouth([]))).toMatchObject({ score: 100, functioning: 28, dmft: { sum: 0 } });
    expect(computeOralScore(mouth(some("missing", 28))).score).toBe(0);
    const given = computeOralScore(mouth(["filled", "filled", "decayed", "missing"]));
    expect(given).toMatchObject({ score: 90, dmft: { decayed: 1, missing: 1, filled: 2, sum: 4 }, functioning: 26 });
  });

  it("never rises when a tooth gets worse", () => {
    const order = ["sound", "filled", "decayed", "missing"] as const;
    fc.assert(
      fc.property(anyMouth([...order, "unerupted"]), fc.nat(27), (given, at) => {
        const worse = order[order.indexOf(given[at] as "sound") + 1];
        if (given[at] === "unerupted" || !worse) return;
        const [before, after] = [given, given.with(at, worse)].map((one) => computeOralScore(mouth(one)).score);
        expect(after).toBeLessThanOrEqual(present(before));
      }),
      runs,
    );
  });

  it("is absent if any tooth is not assessed, and the result contains the number of those teeth", () => {
    fc.assert(
      fc.property(anyMouth(["sound", "filled", "decayed", "unknown", "unconfirmed"]), (given) => {
        const unknown = given.filter((one) => one.startsWith("unk") || one.startsWith("unc")).length;
        const said = computeOralScore(mouth(given));
        expect(said.unknown).toBe(unknown);
        expect(said.score === null).toBe(unknown > 0);
        if (unknown > 0) expect([said.dmft, said.counts, said.why]).toEqual([null, null, "notAssessed"]);
      }),
      runs,
    );
    expect(computeOralScore([])).toMatchObject({ score: null, unknown: 28, why: "notAssessed" });
  });

  it("counts code 7 as filled on a tooth, and as missing where an implant or a pontic carries the crown", () => {
    const withFirst = (more: Partial<ExaminedTooth>) => [tooth(scoredTeeth[0], "sound", more), ...mouth([]).slice(1)];
    expect(computeOralScore(withFirst({ crown: 7 }))).toMatchObject({
      counts: { filled: 1, missing: 0, leftOut: 0 },
      score: 98,
    });
    for (const presence of ["implant", "pontic"] as const)
      expect(computeOralScore(withFirst({ presence, crown: null }))).toMatchObject({
        counts: { filled: 0, missing: 1, leftOut: 0 },
        score: 96,
      });
  });

  it("leaves out what has not erupted, and gives children dmft instead", () => {
    expect(computeOralScore(mouth([...some("unerupted", 8), "filled"]))).toMatchObject({
      score: 98,
      counts: { leftOut: 8 },
    });
    const child = computeOralScore([...mouth(some("unerupted", 20)), tooth(55, "decayed"), tooth(54, "filled")]);
    expect(child).toMatchObject({ score: null, why: "deciduous", milk: { decayed: 1, filled: 1, sum: 2 } });
    expect(
      computeOralScore([...mouth([]), tooth(55, "unknown", { presence: "present", crown: null })]).milk,
    ).toBeNull();
  });
});

describe("the lists of teeth", () => {
  const finding = (
    code: "caries" | "filling" | "boneLoss",
    status: "proposed" | "accepted" | "rejected" | "added",
  ) => ({
    findings: [{ code, status, severity: null }],
  });

  it("say of a chart that nobody filled in that 32 teeth are not assessed, and nothing else", () => {
    const { notAssessed, ...others } = createToothLists([]);
    expect(notAssessed).toEqual(permanentTeeth);
    expect(Object.values(others).flat()).toEqual([]);
  });

  it("call a tooth healthy only where a dentist confirmed it, it is sound, and nothing about it is open", () => {
    const lists = createToothLists([
      tooth(11, "sound"),
      tooth(12, "unconfirmed"),
      tooth(13, "sound", finding("caries", "proposed")),
      tooth(14, "sound", finding("boneLoss", "accepted")),
      tooth(15, "sound", finding("caries", "rejected")),
      tooth(16, "filled", finding("filling", "accepted")),
      tooth(17, "decayed"),
      tooth(18, "missing"),
      tooth(21, "unknown", { presence: "present", crown: null }),
      tooth(55, "sound"),
    ]);
    expect(lists).toMatchObject({ healthy: [15, 11, 55], problem: [17, 14], treated: [16], missing: [18] });
    expect(lists.deciduous).toEqual([55]);
    for (const fdi of [12, 21, 48]) expect(lists.notAssessed).toContain(fdi);
    expect(lists.notAssessed).not.toContain(13);
  });

  it("put no tooth that is not assessed into any other list", () => {
    fc.assert(
      fc.property(anyMouth(Object.keys(kinds) as Kind[]), (given) => {
        const { healthy, problem, treated, missing, unerupted, notAssessed } = createToothLists(mouth(given));
        const said = new Set([healthy, problem, treated, missing, unerupted].flat());
        expect(notAssessed.filter((one) => said.has(one))).toEqual([]);
        expect(new Set([...said, ...notAssessed]).size).toBe(32);
      }),
    );
  });
});
