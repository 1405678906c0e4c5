import { describe, expect, it } from "vitest";
import { emptyCase } from "@arcada/exchange/lab-case/lab-case";
import type { CaseItem } from "@arcada/exchange/lab-case/lab-case";
import { createEmptyDraft } from "./order-draft.ts";
import { fillFromCase } from "./fill-from-case.ts";
import { describePatientName, matchPatient } from "../case-import/match-patient.ts";

const item = (more: Partial<CaseItem>): CaseItem => ({
  teeth: [16],
  kind: "crown",
  material: "zirconia",
  shade: null,
  stumpShade: null,
  pontics: [],
  remark: null,
  ...more,
});
const draft = createEmptyDraft("");
const fill = (more: Partial<ReturnType<typeof emptyCase>>, at = draft) =>
  fillFromCase(at, { ...emptyCase("exocad", "case"), ...more }, "2026-11-29");

describe("the order form is filled from a case", () => {
  it("with work, number, wish and notes, which follow the text that is there", () => {
    const filled = fill(
      { items: [item({})], orderNumber: "T-17", dueDate: "2026-12-24", notes: "Thin margin" },
      { ...draft, instructions: "Call first" },
    );
    expect(filled).toEqual({
      items: [item({})],
      sourceOrder: "T-17",
      dueDate: "2026-12-24",
      instructions: "Call first\nThin margin",
    });
  });

  it("with nothing that the case does not say, and with no day that is over", () => {
    expect(fill({ dueDate: "2026-11-01" })).toEqual({});
  });

  it("as an implant case if the work is one, and keeps in words what no type of case has together", () => {
    const abutment = item({ kind: "customAbutment", material: "titanium" });
    expect(fill({ items: [item({}), abutment], caseType: "implant", fixType: "screw" })).toMatchObject({
      caseType: "implant",
      fixType: "screw",
      items: [item({}), abutment],
    });
    const mixed = fill({ items: [item({ kind: "inlay" }), abutment], caseType: "implant" });
    expect(mixed.items).toMatchObject([{ kind: "other", remark: "inlay" }, abutment]);
  });
});

describe("the patient of a case", () => {
  const rows = [
    { id: "1", number: "P1", name: "Amelia Hart" },
    { id: "2", number: "P2", name: "李大伟" },
    { id: "3", number: "P3", name: "Zhou He" },
    { id: "4", number: "P4", name: "Zhou He" },
  ];
  const match = (number: string | null, lastName: string | null, firstName: string | null = null) => {
    const found = matchPatient({ number, lastName, firstName }, rows);
    return found && [found.patient.id, found.by];
  };

  it("is certain by number and name, whatever the order of the names", () => {
    expect(match("p1", "Hart", "Amelia")).toEqual(["1", "numberAndName"]);
    expect(match(null, "Hart, Amelia")).toEqual(["1", "name"]);
    expect(match(null, "李", "大伟")).toEqual(["2", "name"]);
  });

  it("is told apart from another patient who has the number here, and from two of one name", () => {
    expect(match("P1", "Baker", "Anna")).toEqual(["1", "number"]);
    expect(match(null, "He", "Zhou")).toBeNull();
    expect(match("P4", "He", "Zhou")).toEqual(["4", "numberAndName"]);
    expect(match(null, null)).toBeNull();
  });

  it("is written as people write names", () => {
    expect(describePatientName({ number: null, lastName: "李", firstName: "大伟" })).toBe("李大伟");
    expect(describePatientName({ number: null, lastName: "Hart", firstName: "Amelia" })).toBe("Hart Amelia");
  });
});
