import { describe, expect, it } from "vitest";
import { calculateAge, toPatientColumns } from "./patient-column-mapping.ts";

const born = (birth_date: string) => ({ birth_date, age_given: null, age_given_on: null });

describe("a patient's age", () => {
  it("follows from the birth date, on the very day", () => {
    expect(calculateAge(born("1990-06-15"), "2026-06-14")).toBe(35);
    expect(calculateAge(born("1990-06-15"), "2026-06-15")).toBe(36);
    expect(calculateAge(born("2004-02-29"), "2026-02-28")).toBe(21);
  });

  it("grows from the age that was given instead", () => {
    const given = { birth_date: null, age_given: 40, age_given_on: "2024-03-01" };
    expect(calculateAge(given, "2025-02-28")).toBe(40);
    expect(calculateAge(given, "2026-03-01")).toBe(42);
  });

  it("does not start anew when the form is saved with the age that it showed", () => {
    const first = toPatientColumns({ name: "A", sex: "male", age: 40 }, null, "2024-03-01");
    const saved = toPatientColumns({ name: "A", sex: "male", age: 42 }, first, "2026-05-01");
    expect(saved).toMatchObject({ age_given: 40, age_given_on: "2024-03-01" });
    expect(toPatientColumns({ name: "A", sex: "male", age: 50 }, first, "2026-05-01")).toMatchObject({
      age_given: 50,
      age_given_on: "2026-05-01",
    });
  });
});

describe("a patient's form", () => {
  it("keeps what it leaves out and clears what it empties", () => {
    const before = toPatientColumns(
      { name: "A", sex: "male", birthDate: "1990-01-01", phone: "1", email: "a@b.cn", habits: ["smoking"] },
      null,
      "2026-01-01",
    );
    const after = toPatientColumns(
      { name: "A", sex: "male", birthDate: "1990-01-01", phone: null, email: "" },
      before,
      "2026-01-01",
    );
    expect(after).toMatchObject({ phone: null, email: null, habits: ["smoking"] });
  });
});
