import { describe, expect, it } from "vitest";
import { createArchTarget, createCanalTarget } from "@arcada/contract/analysis/arch-target";
import { encodeRuns } from "@arcada/imaging/jaws/jaw-body";
import type { Observation } from "@arcada/contract/analysis/observation";
import type { Annotation } from "@arcada/contract/study/annotation";
import type { Translate } from "../../../../../i18n/texts.ts";
import { readStretches } from "../../canal/hidden-stretches.ts";
import { buildPlan } from "../implant-plan.ts";
import { defaultSafetyDistances, listDistances, listUncheckedParts, listWarnings } from "../plan-warnings.ts";
import { readSuggestions } from "./suggested-structures.ts";

const seen = (code: string, points: [number, number, number][], radii: number[], target: Observation["target"]) => ({
  id: `${code} ${points[0]?.[0]}`,
  code,
  target,
  value: null,
  unit: null,
  geometry: { kind: "tube" as const, points, radii, hidden: [0], doubtful: [] },
  confidence: { basis: "none" as const },
  method: "test@1",
});
const canal = seen(
  "CBCT_CANAL",
  [
    [-20, 0, -15],
    [20, 0, -15],
  ],
  [1, 1],
  createCanalTarget("right"),
);
const tooth = seen(
  "CBCT_TOOTH",
  [
    [5, 0, 0],
    [5, 0, -12],
  ],
  [2, 1],
  createArchTarget({ jaw: "lower", cut: null }),
);
const suggested = readSuggestions([canal, tooth], "slice");
const draw = (tool: Annotation["tool"], points: number[][], settings: Annotation["settings"]): Annotation => ({
  id: tool,
  tool,
  instanceId: "slice",
  plane: "volume",
  text: null,
  points,
  settings,
});
const implant = draw(
  "implant",
  [
    [0, 0, -3],
    [0, 0, -13],
  ],
  { diameter: 4, tip: 4 },
);
const translate: Translate = (key, values = {}) => [key.split(".").at(-1), ...Object.values(values)].join(" ");

describe("structures that measurement suggests", () => {
  it("become annotations that can be accepted as they are", () => {
    const [found] = suggested.canals;
    expect(found).toMatchObject({ tool: "canal", instanceId: "slice", settings: { side: "right", diameter: 2 } });
    expect(readStretches(found, "hidden")).toEqual([0]);
    expect(suggested.teeth).toMatchObject([{ tool: "root", settings: { diameter: 4, tip: 2 } }]);
  });

  it("warn like drawn ones, in words that say that nobody has confirmed them", () => {
    const [planned] = buildPlan([implant], suggested).implants;
    expect(listWarnings(translate, "fdi", planned, defaultSafetyDistances, null, false)).toEqual([
      "about toCanal 1.0",
      "about toTooth 1.5",
    ]);
    expect(listDistances(planned, defaultSafetyDistances).map(({ isSuggested }) => isSuggested)).toEqual([true, true]);
  });

  it("do not hide a drawn root that is too near, however much nearer they are", () => {
    const rootAt = (x: number) => [
      [x, 0, 0],
      [x, 0, -12],
    ];
    const drawn = { ...draw("root", rootAt(-5), { diameter: 4, tip: 2 }), text: "46" };
    const nearer = { canals: [], jaws: [], teeth: [draw("root", rootAt(4), { diameter: 4, tip: 2 })] };
    const [planned] = buildPlan([implant, drawn], nearer).implants;
    expect(listWarnings(translate, "fdi", planned, defaultSafetyDistances, null, false)).toEqual([
      "about toTooth 1.5",
      "toRoot 1.2 46",
    ]);
  });

  it("have no distance from a tooth that is not too near: the place of its apex is too coarse for a figure", () => {
    const [planned] = buildPlan([implant], { ...suggested, canals: [] }).implants;
    expect(listDistances(planned, defaultSafetyDistances)).toHaveLength(1);
    expect(listDistances(planned, { root: 1 })).toEqual([]);
  });

  it("leave canals and roots in the list of what nobody has drawn", () => {
    expect(listUncheckedParts(buildPlan([implant], suggested), [0, 0, 1])).toEqual(["canals", "roots", "suggested"]);
  });

  it("give way to what a person has drawn at the same place", () => {
    const drawn = [
      draw("canal", [...canal.geometry.points], { side: "right", diameter: 2 }),
      draw("root", [...tooth.geometry.points], { diameter: 4, tip: 2 }),
    ];
    const plan = buildPlan([implant, ...drawn], suggested);
    expect([plan.suggestedCanals, plan.suggestedTeeth]).toEqual([[], []]);
    expect(listDistances(plan.implants[0], defaultSafetyDistances).map(({ isSuggested }) => isSuggested)).toEqual([
      false,
      false,
    ]);
  });

  it("give way one for each drawn root, so that a neighbour less than 4 mm away keeps its warning", () => {
    const incisor = (x: number) =>
      draw(
        "root",
        [
          [x, 0, 0],
          [x, 0, -12],
        ],
        { diameter: 3, tip: 2 },
      );
    const [own, neighbour] = [incisor(-9.5), incisor(-6)];
    const plan = buildPlan([implant, incisor(-9.8)], { canals: [], jaws: [], teeth: [neighbour, own] });
    expect(plan.suggestedTeeth.map(({ annotation }) => annotation)).toEqual([neighbour]);
    expect(plan.implants[0]?.toSuggestedTooth).not.toBeNull();
  });

  it("warn where an implant leaves the bone of its jaw by 2 mm or more, and not within it", () => {
    const jawOf = (depth: number) => {
      const inside = new Uint8Array(20 * 20 * depth).fill(1);
      const geometry = {
        kind: "solid",
        size: [20, 20, depth],
        origin: [-9.5, -9.5, -depth],
        spacing: [1, 1, 1],
        direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
        runs: encodeRuns(inside),
      } as const;
      const target = createArchTarget({ jaw: "lower", cut: null });
      return readSuggestions([{ ...canal, code: "CBCT_JAW", target, geometry: geometry as never }], "slice");
    };
    const warn = (depth: number) => {
      const [planned] = buildPlan([implant], jawOf(depth)).implants;
      return listWarnings(translate, "fdi", planned, defaultSafetyDistances, null, false);
    };
    expect(warn(10)).toEqual(["about outsideJaw"]);
    expect(warn(15)).toEqual([]);
  });
});
