import { expect, it } from "vitest";
import { findDifferences } from "./candidate-differences.ts";

const files = { name: "王芳", guessed: false, number: "", birthDate: "1990-09-08", sex: "female" } as const;
const record = {
  id: "01a2056f-2b0d-7ec5-83f9-843052a5e874",
  number: "P1",
  name: "王芳",
  sex: "female",
  birthDate: "1990-09-09",
  agrees: ["name"],
} as const;

it("lists the fields in which a candidate differs from the files, except those that either side leaves empty", () => {
  const differs = (said: object, kept: object = {}) =>
    findDifferences({ ...files, ...said }, { ...record, agrees: ["name"], ...kept });
  expect(differs({})).toEqual(["birthDate"]);
  expect(differs({ sex: "male", number: "7" })).toEqual(["number", "birthDate", "sex"]);
  expect(differs({ name: "李雷", birthDate: "1990-09-09" }, { agrees: ["number", "birthDate"] })).toEqual(["name"]);
  expect(differs({ birthDate: null, sex: null })).toEqual([]);
  expect(differs({}, { birthDate: null })).toEqual([]);
  expect(findDifferences(null, { ...record, agrees: ["name"] })).toEqual([]);
});
