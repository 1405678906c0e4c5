import { describe, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { findDifferences, toInput, mergeValues, toValues } from "./patient-values.ts";

const wang: Patient = {
  id: "01a1fdbd-e584-7cef-b0fe-f7a7c069c521",
  number: "P0000001",
  name: "王芳",
  sex: "female",
  birthDate: null,
  age: 63,
  phone: "13800010005",
  entryNumber: null,
  createdAt: "2026-03-12T10:15:00.000Z",
  recentVisitAt: "2026-03-12T10:15:00.000Z",
  studies: 0,
  orders: 0,
  fixedLine: null,
  email: null,
  mailAddress: null,
  idNumber: null,
  passport: null,
  drivingLicence: null,
  insuranceNumber: null,
  certificateNumber: null,
  inspectionNumber: null,
  inspectedAt: null,
  allergies: "Penicillin",
  pastHistory: null,
  diabetes: false,
  hypertension: null,
  familyGenetics: null,
  habits: ["smoking"],
  remark: null,
  createdBy: "陈默",
  version: 3,
};

describe("a patient's form", () => {
  it("saves an unedited record unchanged", () => {
    const sent = patientCalls.update.input.parse({ ...toInput(toValues(wang)), id: wang.id, version: wang.version });
    expect(wang).toMatchObject(sent);
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
