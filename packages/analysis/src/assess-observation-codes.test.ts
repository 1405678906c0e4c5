import fc from "fast-check";
import { expect, it } from "vitest";
import { findingNames } from "@arcada/contract/chart/chart.schema";
import { abstentionReasons, findingToCode, engineKinds, measurementCodes } from "@arcada/contract/analysis/observation";
import { assessCodes, type EngineExamination } from "./assess-observation-codes.ts";

const isFull = process.env["ARCADA_PROOF"] === "full";
const codes = [...findingNames.map(findingToCode), ...measurementCodes, "TOOTH_BOX"];
const code = fc.constantFrom(...codes);
const look: fc.Arbitrary<EngineExamination> = fc
  .record({
    id: fc.string(),
    kind: fc.constantFrom(...engineKinds),
    produces: fc.uniqueArray(code, { maxLength: 12 }),
    isDone: fc.boolean(),
    picks: fc.array(fc.tuple(fc.nat(), fc.constantFrom(true, false, 3.5, "deep", null)), { maxLength: 6 }),
    silent: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...abstentionReasons)), { maxLength: 6 }),
  })
  .map(({ id, kind, produces, isDone, picks, silent }) => {
    // The gate allows an engine only the codes that it declares.
    const declared = (at: number) => produces[at % produces.length];
    const some = <T>(list: T[]) => (isDone && produces.length > 0 ? list : []);
    return {
      engine: { id, version: "1", kind, produces },
      isDone,
      observations: some(picks).map(([at, value]) => ({ code: declared(at), value })),
      abstentions: some(silent).map(([at, reason]) => ({ code: declared(at), reason })),
    };
  });

it("reports a code as not seen only if an engine that declares it examined the image and did not see it", () => {
  fc.assert(
    fc.property(fc.array(look, { maxLength: 5 }), (looks) => {
      for (const said of assessCodes(codes, looks)) {
        const produced = looks.filter(({ engine, isDone }) => isDone && engine.produces.includes(said.code));
        if (produced.length === 0) expect(said.state).toBe("notAssessed");
        if (said.state !== "notSeen") continue;
        expect(said.by.length).toBeGreaterThan(0);
        for (const at of said.by) {
          const one = looks[at];
          expect(produced).toContain(one);
          expect(one.abstentions.some((abstention) => abstention.code === said.code)).toBe(false);
        }
      }
    }),
    { numRuns: isFull ? 5_000 : 500 },
  );
});

it("reports every code as not assessed if there is no engine", () => {
  expect(new Set(assessCodes(codes, []).map(({ state }) => state))).toEqual(new Set(["notAssessed"]));
});
