import fc from "fast-check";
import { expect, it } from "vitest";
import {
  allTeeth,
  isDeciduous,
  jawOf,
  quadrantOf,
  archTeethOf,
  formatTeeth,
  toothName,
  parseToothName,
} from "./tooth-numbers.ts";
import { toothSchemes } from "./tooth-schemes.ts";

const tooth = fc.constantFrom(...allTeeth);
const scheme = fc.constantFrom(...toothSchemes);

it("names the 52 teeth so that each name leads back to its tooth, in every scheme", () => {
  for (const each of toothSchemes)
    expect(allTeeth.map((one) => parseToothName(toothName(one, each), each))).toEqual(allTeeth);
  expect(new Set(allTeeth).size).toBe(52);
  fc.assert(
    fc.property(fc.string({ maxLength: 3 }), scheme, (name, each) => {
      const found = parseToothName(name, each);
      return found === null || toothName(found, each) === name;
    }),
  );
});

it("names the corners of the mouth as the three schemes do", () => {
  const names = (one: number) => toothSchemes.map((each) => toothName(one, each));
  expect(names(18)).toEqual(["18", "8⏌", "1"]);
  expect(names(28)).toEqual(["28", "⎿8", "16"]);
  expect(names(38)).toEqual(["38", "⎾8", "17"]);
  expect(names(48)).toEqual(["48", "8⏋", "32"]);
  expect(names(55)).toEqual(["55", "E⏌", "A"]);
  expect(names(65)).toEqual(["65", "⎿E", "J"]);
  expect(names(75)).toEqual(["75", "⎾E", "K"]);
  expect(names(85)).toEqual(["85", "E⏋", "T"]);
});

it("gives both sides of the midline the same tooth positions, mirrored, in both jaws", () => {
  fc.assert(
    fc.property(tooth, (one) => {
      const row = archTeethOf(one);
      const other = row[row.length - 1 - row.indexOf(one)];
      expect(one % 10).toBe(other % 10);
      expect(jawOf(one)).toBe(jawOf(other));
      expect(quadrantOf(one)).not.toBe(quadrantOf(other));
      expect(isDeciduous(one)).toBe(isDeciduous(other));
    }),
  );
});

it.each([
  [[37, 35, 36, 12], "fdi", "12, 35–37"],
  [[37, 35, 36, 12], "universal", "7, 18–20"],
  [[37, 35, 36, 12], "palmer", "\u20662⏌, ⎾5–7\u2069"],
  [[75, 74, 73, 36], "fdi", "36, 73–75"],
] as const)("writes the neighbours among the teeth %j as a span in %s", (teeth, each, text) => {
  expect(formatTeeth(teeth, each)).toBe(text);
});

it.each([
  [[12, 11, 21, 22], "fdi", "12, 11, 21, 22"],
  [[15, 14, 13, 12, 11, 21, 22, 23, 24, 25], "fdi", "15–11, 21–25"],
  [[83, 82, 81, 71, 72, 73], "fdi", "83–81, 71–73"],
  [[13, 12, 11, 21, 22], "palmer", "\u20663–1⏌, ⎿1, ⎿2\u2069"],
] as const)("ends the span of the teeth %j at the midline in %s", (teeth, each, text) => {
  expect(formatTeeth(teeth, each)).toBe(text);
});

it("continues a span across the midline in the universal scheme, whose numbers do", () => {
  expect(formatTeeth([12, 11, 21, 22], "universal")).toBe("7–10");
});

it("writes no span across arches", () => {
  expect(formatTeeth([28, 48, 27, 47])).toBe("27, 28, 48, 47");
  expect(formatTeeth([28, 38], "universal")).toBe("16, 17");
});

it("writes nothing for no teeth", () => {
  expect(formatTeeth([], "palmer")).toBe("");
});

it("writes the same text whatever the order of the given teeth", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(tooth),
      scheme,
      (teeth, each) => formatTeeth(teeth, each) === formatTeeth(teeth.toReversed(), each),
    ),
  );
});
