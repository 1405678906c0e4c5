import { describe, expect, it } from "vitest";
import { findOtherIdentity, distinctIdentities } from "./patient-identity.ts";

const header = (patientName: string, patientBirthDate: string | null = null) => ({
  patientName,
  patientNameText: patientName,
  patientId: "",
  patientBirthDate,
  patientSex: "",
});
const fits = (name: string, patient: string, birthDate: string | null = null): boolean =>
  findOtherIdentity({ name: patient, birthDate: "1990-01-01" }, distinctIdentities([header(name, birthDate)])) === null;

describe("the patient that a DICOM file names", () => {
  it.each([
    ["王^小明", "王小明"],
    ["王小明", "王小明"],
    ["Wang^Xiaoming", "王小明"],
    ["WANG^XIAO MING=王^小明", "王小明"],
    ["Xiaoming^Wang", "王小明"],
    ["OuYang^Nana", "欧阳娜娜"],
    ["Smith^John^^Dr", "John Smith"],
    ["SMITH JOHN", "John Smith"],
    ["Müller^Jürgen", "Jurgen Muller"],
  ])("%s is %s", (name, patient) => expect(fits(name, patient)).toBe(true));

  it.each([
    ["Li^Xiaoming", "王小明"],
    ["李^小明", "王小明"],
    ["Smith^Mary", "John Smith"],
    ["HEAD", "王小明"],
  ])("%s is not %s", (name, patient) => expect(fits(name, patient)).toBe(false));

  it.each(["", "^", "XX^XX", "ANONYMOUS", "Anon^Patient", "匿名"])("%j is nobody", (name) =>
    expect(fits(name, "王小明", "1900-01-01")).toBe(true),
  );

  it("is another person when the birth date differs, and the first such file is named", () => {
    expect(fits("王^小明", "王小明", "1990-01-01")).toBe(true);
    const people = distinctIdentities([header("王^小明"), header("王^小明", "1991-02-02"), header("Li^Si")]);
    expect(findOtherIdentity({ name: "王小明", birthDate: "1990-01-01" }, people)).toMatchObject({
      name: "王^小明",
      birthDate: "1991-02-02",
    });
    expect(findOtherIdentity({ name: "王小明", birthDate: null }, people.slice(1, 2))).toBeNull();
  });
});
