import { expect, it } from "vitest";
import { findUnassessedTeeth, findChartProblems, findTooth } from "@arcada/contract/chart/chart.rules";
import { findingNames } from "@arcada/contract/chart/chart.schema";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import { lowerTeeth, upperTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { listRemaining, withAllConfirmed, withRemainingSound } from "./chart-edit.ts";
import type { ChartAuthor } from "./chart-edit.ts";
import { getEntryOrder, findingKeys, presenceKeys, surfaceKeys, applyKey } from "./chart-keys.ts";
import type { PressedKey, EntryState } from "./chart-keys.ts";

let last = 0;
const author: ChartAuthor = { uid: "dentist", now: () => "2026-01-01T00:00:00Z", newId: () => `finding ${++last}` };
const order = getEntryOrder([upperTeeth, lowerTeeth]);
const empty: ChartContent = { teeth: [] };

/** "0" is a digit, "c" a letter, "C" a letter with shift. */
const keyOf = (sign: string): PressedKey => ({
  code: /\d/.test(sign) ? `Digit${sign}` : `Key${sign.toUpperCase()}`,
  shift: /[A-Z]/.test(sign),
});
function type(signs: string, start: EntryState = { content: empty, at: 18 }): EntryState {
  let now = start;
  for (const sign of signs) {
    const done = applyKey(now, keyOf(sign), order, author);
    if (!done || "unfit" in done) throw new Error(`${sign} at ${now.at}`);
    now = done;
  }
  return now;
}

it("enters all 32 teeth by keys alone, from the upper right around to the lower right", () => {
  // 18 unerupted, 16 decayed on two surfaces and deep, 14 filled, 21 crowned, 26 missing; 38 unerupted, 46 an implant, 48 impacted.
  const { content } = type("u 0 Cmoggg1 0 I3 000 7 0000 x 00 u 0000000 00000 t 0 i".replaceAll(" ", ""));
  expect(findUnassessedTeeth(content, "permanent")).toEqual([]);
  expect(findTooth(content, 16)).toMatchObject({
    crown: 1,
    findings: [{ code: "caries", surfaces: ["mesial", "occlusal"], severity: "deep", by: "dentist" }],
  });
  expect(findTooth(content, 14)).toMatchObject({ crown: 3, findings: [{ code: "filling" }] });
  const states = [18, 26, 38, 46, 48].map((fdi) => findTooth(content, fdi).presence);
  expect(states).toEqual(["unerupted", "missing", "unerupted", "implant", "impacted"]);
  expect(content.teeth.filter(({ crown }) => crown === 0)).toHaveLength(24);
  expect(findChartProblems(content)).toEqual([]);
  expect(withAllConfirmed(content, author).teeth.every(({ confirmedBy }) => confirmedBy === "dentist")).toBe(true);
});

it("visits each tooth once and stays at the last one", () => {
  expect([order[0], order[15], order[16], order[31]]).toEqual([18, 28, 38, 48]);
  expect(type("0".repeat(40))).toMatchObject({ at: 48, content: { teeth: { length: 32 } } });
});

it("assigns a unique key to each finding, state and surface", () => {
  expect(new Set(Object.values(findingKeys)).size).toBe(findingNames.length);
  const plain = [...Object.values(presenceKeys), ...Object.values(surfaceKeys), "G", "C"];
  expect(new Set(plain).size).toBe(plain.length);
});

it("rejects findings on a missing tooth and clears those that no longer apply", () => {
  const missing = type("Cx", { content: empty, at: 36 });
  expect(findTooth(missing.content, 36)).toMatchObject({ presence: "missing", crown: null, findings: [] });
  expect(applyKey({ ...missing, at: 36 }, keyOf("C"), order, author)).toEqual({ unfit: "caries" });
  expect(findTooth(type("C0", { content: empty, at: 36 }).content, 36).findings).toEqual([]);
});

it("marks remaining teeth as sound by age: 28 of an adult, the erupted ones of a child, never a recorded one", () => {
  const adult = type("x", { content: empty, at: 36 }).content;
  expect(listRemaining(adult, 40, "permanent")).toHaveLength(27);
  expect(findUnassessedTeeth(withRemainingSound(adult, 40, "permanent"), "permanent")).toEqual([18, 28, 48, 38]);
  const child = withRemainingSound(empty, 8, "mixed");
  expect(child.teeth.map(({ fdi }) => fdi)).toEqual(expect.arrayContaining([16, 11, 55, 54, 53, 36, 41]));
  expect(child.teeth.map(({ fdi }) => fdi)).not.toContain(15);
  expect(listRemaining(child, 8, "mixed")).toEqual([]);
  const held = type("0", { content: empty, at: 75 }).content;
  expect(listRemaining(held, 40, "mixed")).not.toContain(35);
});
