import { describe, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { fieldGroups } from "@arcada/contract/patient/patient-field-definition";
import { columnOf, detailFields, emptyColumns } from "@arcada/contract/patient/patient-fields";
import type { DetailField } from "@arcada/contract/patient/patient-fields";
import { sampleDetails } from "@arcada/testing/fixtures/patient-samples";
import { detailsOfGroup, findDifferences, toInput, mergeValues, toValues } from "./patient-form-values.ts";

const noDetails = Object.fromEntries(
  detailFields.map((field): [string, unknown] => [field, emptyColumns[columnOf(field)]]),
) as Pick<Patient, DetailField>;
const wang: Patient = {
  ...noDetails,
  id: "01a1fdbd-e584-7cef-b0fe-f7a7c069c521",
  number: "P0000001",
  name: "王芳",
  sex: "female",
  birthDate: null,
  age: 63,
  phone: "13800010005",
  createdAt: "2026-03-12T10:15:00.000Z",
  recentVisitAt: "2026-03-12T10:15:00.000Z",
  studies: 0,
  orders: 0,
  allergies: "Penicillin",
  diabetes: false,
  habits: ["smoking"],
  createdBy: "陈默",
  version: 3,
};

describe("a patient's form", () => {
  it("saves an unedited record unchanged", () => {
    const sent = patientCalls.update.input.parse({ ...toInput(toValues(wang)), id: wang.id, version: wang.version });
    expect(wang).toMatchObject(sent);
  });
  it("saves the value of every field unchanged", () => {
    expect(toInput(toValues({ ...wang, ...sampleDetails }))).toMatchObject(sampleDetails);
  });
  it("has every field once", () => {
    const shown = fieldGroups.flatMap((group) => (group === "basics" ? [] : detailsOfGroup(group)));
    expect(shown.toSorted()).toEqual(detailFields.toSorted());
  });
  it("clears a field that was emptied", () => {
    expect(toInput({ ...toValues(wang), phone: "  ", allergies: "" })).toMatchObject({ phone: null, allergies: null });
  });
  it("prefers the birth date to an age", () => {
    expect(toInput({ ...toValues(wang), birthDate: "1963-02-01" })).toMatchObject({
      birthDate: "1963-02-01",
      age: null,
    });
  });
  it("distinguishes an age of zero from none", () => {
    expect(toInput({ ...toValues(wang), age: "0" }).age).toBe(0);
    expect(toInput({ ...toValues(wang), age: " " }).age).toBeNull();
  });
  it("reports all missing fields at once", () => {
    const found = patientCalls.create.input.safeParse(toInput(toValues(null)));
    expect(found.error?.issues.map(({ path }) => path.join("."))).toEqual(["name", "sex", "birthDate"]);
  });
});

describe("two users who edit one patient", () => {
  const before = toValues(wang);
  const now = toValues({ ...wang, remark: "Prefers mornings", phone: "13800010099", habits: ["smoking", "sugar"] });
  it("keep the changes of both, and the last save wins if both changed a field", () => {
    const mine = { ...before, email: "wang@mail.example", phone: "13800010005 ext 2" };
    expect(mergeValues(before, mine, now)).toEqual({ ...now, email: "wang@mail.example", phone: "13800010005 ext 2" });
  });
  it("are shown which fields differ", () => {
    expect(findDifferences(before, now).toSorted()).toEqual(["habits", "phone", "remark"]);
  });
});
