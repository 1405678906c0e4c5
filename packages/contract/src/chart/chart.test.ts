import fc from "fast-check";
import { expect, it } from "vitest";
import { allTeeth, permanentTeeth } from "../kernel/tooth-numbers.ts";
import { findChangedTeeth, mergeCharts, compareChanges, replaceTeeth } from "./chart.changes.ts";
import {
  blankTooth,
  crownAfterFinding,
  findingRules,
  isAssessed,
  findUnassessedTeeth,
  findChartProblems,
  findTooth,
} from "./chart.rules.ts";
import { getSurfaceName } from "./surface-name.ts";
import { crownCodes, findingNames, presences } from "./chart.schema.ts";
import type { ChartContent, ChartTooth, Finding, FindingCode } from "./chart.schema.ts";
import { expectedTeethAtAge, toothSetAtAge } from "./expected-teeth-at-age.ts";

const someone = "00000000-0000-7000-8000-000000000001";
const found = (code: FindingCode, more: Partial<Finding> = {}): Finding => ({
  id: someone,
  code,
  surfaces: [],
  severity: null,
  remark: null,
  status: "added",
  observationId: null,
  evidence: null,
  by: someone,
  at: "2026-01-01T00:00:00Z",
  reason: null,
  ...more,
});
const tooth = (fdi: number, more: Partial<ChartTooth> = {}): ChartTooth => ({
  ...blankTooth(fdi),
  presence: "present",
  ...more,
});
const chart = (...teeth: ChartTooth[]): ChartContent => replaceTeeth({ teeth: [] }, teeth);
const wrong = (...teeth: ChartTooth[]) =>
  findChartProblems(chart(...teeth)).map(({ fdi, problem }) => `${fdi} ${problem}`);

it("a missing tooth has no crown and no caries, and findings agree with the crown's code", () => {
  expect(wrong(tooth(36, { presence: "missing", crown: 1 }))).toEqual(["36 crownUnfit"]);
  expect(wrong(tooth(36, { presence: "missing", findings: [found("caries")] }))).toEqual(["36 findingUnfit"]);
  expect(wrong(tooth(36, { crown: 0, findings: [found("caries", { severity: "deep" })] }))).toEqual([
    "36 crownDisagrees",
  ]);
  expect(wrong(tooth(36, { crown: 0, findings: [found("caries", { severity: "initial" })] }))).toEqual([]);
  expect(wrong(tooth(36, { crown: 0, findings: [found("caries", { status: "rejected" })] }))).toEqual([]);
  expect(wrong(tooth(11, { findings: [found("furcation")] }), tooth(21, { findings: [found("exfoliating")] }))).toEqual(
    ["11 findingTooth", "21 findingTooth"],
  );
});

it("a milk tooth and its successor may both be present, but an implant cannot replace a milk tooth that is still there", () => {
  expect(wrong(tooth(75, { crown: 0 }), tooth(35, { crown: 0 }))).toEqual([]);
  expect(wrong(tooth(75, { crown: 0 }), tooth(35, { presence: "implant" }))).toEqual(["35 milkInPlace"]);
  expect(wrong(tooth(75, { presence: "implant" }))).toEqual(["75 milkImplant"]);
});

it("a pontic is supported on at least one side, over other pontics too", () => {
  const gone = (fdi: number) => tooth(fdi, { presence: "missing" });
  const pontic = (fdi: number) => tooth(fdi, { presence: "pontic" });
  expect(wrong(pontic(46), gone(47), tooth(45))).toEqual([]);
  expect(wrong(pontic(46), gone(47), gone(45))).toEqual(["46 ponticAlone"]);
  expect(wrong(pontic(11), pontic(21), gone(12), tooth(22))).toEqual([]);
  expect(wrong(pontic(11), pontic(21), gone(12), gone(22))).toEqual(["11 ponticAlone", "21 ponticAlone"]);
  expect(wrong(pontic(38))).toEqual([]);
});

it("the crown's code includes a new finding, and is always one that the tooth may have", () => {
  const at = (crown: ChartTooth["crown"]) => ({ presence: "present", crown }) as const;
  expect(crownAfterFinding(at(null), found("caries"))).toBe(1);
  expect(crownAfterFinding(at(3), found("caries"))).toBe(2);
  expect(crownAfterFinding(at(1), found("filling"))).toBe(2);
  expect(crownAfterFinding(at(0), found("caries", { severity: "initial" }))).toBe(0);
  fc.assert(
    fc.property(
      fc.constantFrom(...presences),
      fc.constantFrom(...crownCodes, null),
      fc.constantFrom(...findingNames),
      (presence, crown, code) => {
        const before = tooth(46, { presence, crown });
        if (findChartProblems(chart(before)).length > 0 || !findingRules[code].presences.includes(presence)) return;
        if (findingRules[code].teeth?.(46) === false) return;
        const after = { ...before, crown: crownAfterFinding(before, found(code)), findings: [found(code)] };
        expect(findChartProblems(chart(after))).toEqual([]);
      },
    ),
  );
});

it("counts the unassessed teeth: all 32 of an empty chart, and no position that a milk tooth holds", () => {
  expect(findUnassessedTeeth({ teeth: [] }, "permanent")).toEqual(permanentTeeth);
  expect(findUnassessedTeeth({ teeth: [] }, "deciduous")).toHaveLength(20);
  expect(findUnassessedTeeth(chart(tooth(36)), "permanent")).toContain(36);
  expect(findUnassessedTeeth(chart(tooth(75, { crown: 0 })), "mixed")).not.toContain(35);
  expect([isAssessed(tooth(36)), isAssessed(tooth(36, { presence: "unerupted" }))]).toEqual([false, true]);
});

it("shows the teeth that an age has, and expects none that is just changing, nor a wisdom tooth", () => {
  expect([2, 4, 5, 8, 13, 14, 40, null].map(toothSetAtAge)).toEqual([
    "deciduous",
    "deciduous",
    "mixed",
    "mixed",
    "mixed",
    "permanent",
    "permanent",
    "permanent",
  ]);
  expect(expectedTeethAtAge(40)).toHaveLength(28);
  expect(expectedTeethAtAge(4)).toHaveLength(20);
  expect(expectedTeethAtAge(8)).toEqual(expect.arrayContaining([11, 21, 16, 26, 31, 41, 36, 46, 53, 54, 55]));
  for (const years of [3, 6, 8, 10, 12, 15, 30])
    for (const fdi of expectedTeethAtAge(years))
      expect(expectedTeethAtAge(years), `${fdi} at ${years}`).not.toContain(fdi < 50 ? fdi + 40 : fdi - 40);
});

const anyTooth = fc.constantFrom(...allTeeth).chain((fdi) =>
  fc
    .record({
      presence: fc.constantFrom(...presences),
      crown: fc.constantFrom(...crownCodes, null),
      remark: fc.option(fc.string(), { nil: undefined }),
    })
    .map(({ presence, crown, remark }) =>
      tooth(fdi, { presence, crown, findings: remark === undefined ? [] : [found("caries", { remark })] }),
    ),
);
const anyTeeth = fc.uniqueArray(anyTooth, { selector: ({ fdi }) => fdi, maxLength: 20 });

it("keeps every tooth that either of two people changed, whoever saves last and whatever both changed", () => {
  fc.assert(
    fc.property(anyTeeth, anyTeeth, anyTeeth, fc.array(fc.constantFrom(...allTeeth)), (start, a, b, keepMine) => {
      const base = chart(...start);
      const [mine, theirs] = [replaceTeeth(base, a), replaceTeeth(base, b)];
      const both = mergeCharts(base, mine, theirs, keepMine);
      const meeting = compareChanges(base, mine, theirs);
      const is = (fdi: number, of: ChartContent) => expect(findTooth(both, fdi)).toEqual(findTooth(of, fdi));
      for (const fdi of meeting.mine) is(fdi, mine);
      for (const fdi of meeting.theirs) is(fdi, theirs);
      for (const fdi of meeting.both) is(fdi, keepMine.includes(fdi) ? mine : theirs);
      const touched = new Set([...findChangedTeeth(base, mine), ...findChangedTeeth(base, theirs)]);
      expect(findChangedTeeth(base, both).every((fdi) => touched.has(fdi))).toBe(true);
    }),
  );
});

it("names the surfaces of a front tooth and of the palate as dentists do", () => {
  expect(getSurfaceName(11, "occlusal")).toBe("incisal");
  expect(getSurfaceName(43, "buccal")).toBe("labial");
  expect(getSurfaceName(26, "lingual")).toBe("palatal");
  expect(getSurfaceName(46, "lingual")).toBe("lingual");
  expect(getSurfaceName(null, "occlusal")).toBe("occlusal");
});
