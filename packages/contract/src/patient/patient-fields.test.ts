import { describe, expect, it } from "vitest";
import { columnsOf, detailFields, emptyColumns, fieldsInOrder, patientFields } from "./patient-fields.ts";
import type { PatientField } from "./patient-field-definition.ts";

describe("a row of the patient's fields", () => {
  it("does not compile if it leaves out a decision", () => {
    const { group, control, input, output, columns, merge, width, fhir, uses } = patientFields.passport;
    const decided: PatientField = { group, control, input, output, columns, merge, width, fhir, uses };
    // @ts-expect-error: the group of the form and the record.
    const noGroup: PatientField = { control, input, output, columns, merge, width, fhir, uses };
    // @ts-expect-error: the control of the form, which also decides how the value is shown and exported.
    const noControl: PatientField = { group, input, output, columns, merge, width, fhir, uses };
    // @ts-expect-error: the schema and the limits of what a form sends.
    const noInput: PatientField = { group, control, output, columns, merge, width, fhir, uses };
    // @ts-expect-error: the schema of what the server answers.
    const noOutput: PatientField = { group, control, input, columns, merge, width, fhir, uses };
    // @ts-expect-error: the column, and with it what an erasure leaves.
    const noColumns: PatientField = { group, control, input, output, merge, width, fhir, uses };
    // @ts-expect-error: the rule of a merge.
    const noMerge: PatientField = { group, control, input, output, columns, width, fhir, uses };
    // @ts-expect-error: the column of the spreadsheet.
    const noWidth: PatientField = { group, control, input, output, columns, merge, fhir, uses };
    // @ts-expect-error: the element of FHIR, or none.
    const noFhir: PatientField = { group, control, input, output, columns, merge, width, uses };
    // @ts-expect-error: list, search and masking, or none of them.
    const noUses: PatientField = { group, control, input, output, columns, merge, width, fhir };
    const incomplete = [noGroup, noControl, noInput, noOutput, noColumns, noMerge, noWidth, noFhir, noUses];
    expect(incomplete.map((row) => Object.keys(row).length)).toEqual(
      incomplete.map(() => Object.keys(decided).length - 1),
    );
  });

  it("has one column outside the basics, whose empty value the schema accepts", () => {
    for (const field of detailFields) {
      expect(columnsOf(field), field).toHaveLength(1);
      expect(patientFields[field].output.safeParse(emptyColumns[columnsOf(field)[0]]).success, field).toBe(true);
    }
  });

  it("shares no column with another row", () => {
    const columns = fieldsInOrder.flatMap((field) => columnsOf(field));
    expect(columns).toEqual([...new Set(columns)]);
  });
});
