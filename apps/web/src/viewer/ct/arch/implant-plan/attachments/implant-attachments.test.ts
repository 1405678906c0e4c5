import { describe, expect, it } from "vitest";
import type { Annotation } from "@arcada/contract/study/annotation";
import { builtInLibrary } from "@arcada/contract/implant/built-in-library";
import { implantLibrary, listSystemChoices } from "@arcada/contract/implant/implant-library.schema";
import { listImplantPairs } from "../implant-pairs.ts";
import { buildPlan } from "../implant-plan.ts";
import { isTooNear, listDistances, listUncheckedParts, defaultSafetyDistances } from "../plan-warnings.ts";
import { measureCrownAngles, putAttachments, readAttachments } from "./implant-attachments.ts";

const draw = (id: string, tool: "implant" | "sinus", points: number[][]): Annotation => ({
  id,
  tool,
  instanceId: "1",
  plane: "volume",
  text: null,
  points,
  settings: { diameter: 4, tip: 4 },
});
const upper = draw("u", "implant", [
  [0, 0, 0],
  [0, 0, 10],
]);

describe("parts above an implant", () => {
  it("are kept in the annotation and removed one by one", () => {
    const abutment = { angle: 17, turn: 90 };
    const sleeve = { inner: 5, outer: 6, height: 5, offset: 4 };
    const both = putAttachments(upper, { abutment, sleeve });
    expect(readAttachments(both)).toEqual({ abutment, sleeve, crown: null });
    const bare = putAttachments(putAttachments(both, { abutment: null }), { sleeve: null });
    expect(bare.settings).toEqual(upper.settings);
  });

  it("measure the crown's axis against implant and abutment", () => {
    const axis = [Math.sin(0.3), 0, -Math.cos(0.3)] as const;
    const crown = { from: "hand" as const, axis };
    const planned = putAttachments(upper, { crown, abutment: { angle: 17, turn: 90 } });
    const [{ body, attachments }] = buildPlan([planned]).implants;
    const angles = measureCrownAngles(body, attachments);
    expect(angles?.toImplant).toBeCloseTo(17.19, 2);
    expect(angles?.toAbutment).toBeCloseTo(0.19, 2);
  });
});

it("warns of a sinus floor that is nearer than 1 mm, and names it as unchecked for upper implants only", () => {
  const floor = draw("s", "sinus", [
    [-20, 0, 11],
    [20, 0, 11],
  ]);
  const { implants } = buildPlan([upper, floor]);
  const gap = listDistances(implants[0], defaultSafetyDistances).find(({ kind }) => kind === "sinus");
  expect(gap?.mm).toBeCloseTo(0.75, 2);
  expect(gap && isTooNear(gap, defaultSafetyDistances)).toBe(true);
  const lower = { ...upper, points: upper.points.toReversed() };
  expect(listUncheckedParts(buildPlan([upper]), [0, 0, 1])).toContain("sinus");
  expect(listUncheckedParts(buildPlan([lower]), [0, 0, 1])).not.toContain("sinus");
});

it("measures the angle of each pair of one jaw", () => {
  const tilted = draw("t", "implant", [
    [10, 0, 0],
    [10 + 10 * Math.sin(0.2), 0, 10 * Math.cos(0.2)],
  ]);
  const lower = draw("l", "implant", [
    [0, 0, -20],
    [0, 0, -30],
  ]);
  const [pair, ...others] = listImplantPairs(buildPlan([upper, tilted, lower]).implants);
  expect([pair?.one, pair?.other, Number(pair?.degrees.toFixed(2))]).toEqual([1, 2, 11.46]);
  expect(others).toEqual([]);
});

describe("implant libraries", () => {
  it("the product's own follows the file format", () => {
    expect(implantLibrary.parse(builtInLibrary)).toEqual(builtInLibrary);
  });
  it("give an organisation's file the first word about a system", () => {
    const [system] = builtInLibrary.systems;
    const own = { ...builtInLibrary, name: "Own", systems: [system] };
    const choices = listSystemChoices([own, builtInLibrary]);
    expect(choices.filter(({ name }) => name === "Straumann BLX RB").map(({ library }) => library)).toEqual(["Own"]);
    expect(new Set(choices.map(({ name }) => name)).size).toBe(choices.length);
  });
});
