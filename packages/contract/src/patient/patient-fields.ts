import { z } from "zod";
import { day } from "../kernel/fields.ts";
import {
  dateTime,
  disease,
  emailLine,
  fieldGroups,
  habitList,
  longText,
  maxPatientAge,
  oralHabits,
  requiredText,
  sexes,
  singleLine,
} from "./patient-field-definition.ts";
import type { FieldUse, PatientField } from "./patient-field-definition.ts";

/**
 * Every field of a patient's record. The schemas of the calls, the form and the record in the browser, the columns, the
 * merge, the export, the erasure and the search follow from these rows.
 */
export const patientFields = {
  name: {
    group: "basics",
    control: "basic",
    ...requiredText(80),
    columns: { name: "—" },
    merge: "fill",
    width: 20,
    fhir: "name",
    uses: ["list", "search", "masking"],
  },
  sex: {
    group: "basics",
    control: "basic",
    input: z.enum(sexes, "sexNeeded"),
    output: z.enum(sexes),
    columns: { sex: "other" },
    merge: "fill",
    width: 8,
    fhir: "gender",
    uses: ["list"],
  },
  birthDate: {
    group: "basics",
    control: "basic",
    input: day.nullable().optional(),
    output: day.nullable(),
    columns: { birth_date: null },
    merge: "fill",
    mergedAs: "birth",
    width: 12,
    fhir: "birthDate",
    uses: ["list"],
  },
  /** Replaces an unknown birth date; the server keeps it with the day on which it was given. */
  age: {
    group: "basics",
    control: "basic",
    input: z.coerce.number().int().min(0).max(maxPatientAge).nullable().optional(),
    output: z.int().nullable(),
    columns: { age_given: 0, age_given_on: "1970-01-01" },
    merge: "fill",
    mergedAs: "birth",
    width: 8,
    fhir: null,
    uses: ["list"],
  },
  phone: {
    ...singleLine(30, "tel"),
    group: "contact",
    columns: { phone: null },
    width: 16,
    fhir: "phone",
    uses: ["list", "search", "masking"],
  },
  fixedLine: {
    ...singleLine(30, "tel"),
    group: "contact",
    columns: { fixed_line: null },
    width: 16,
    fhir: "phone",
    uses: [],
  },
  email: { ...emailLine(200), group: "contact", columns: { email: null }, width: 24, fhir: "email", uses: [] },
  mailAddress: {
    ...singleLine(200),
    group: "contact",
    columns: { mail_address: null },
    width: 30,
    fhir: "address",
    uses: [],
  },
  idNumber: {
    ...singleLine(40),
    group: "papers",
    columns: { id_number: null },
    width: 20,
    fhir: "identityNumber",
    uses: ["masking"],
  },
  passport: { ...singleLine(40), group: "papers", columns: { passport: null }, width: 16, fhir: null, uses: [] },
  drivingLicence: {
    ...singleLine(40),
    group: "papers",
    columns: { driving_licence: null },
    width: 16,
    fhir: null,
    uses: [],
  },
  insuranceNumber: {
    ...singleLine(40),
    group: "papers",
    columns: { insurance_number: null },
    width: 16,
    fhir: null,
    uses: [],
  },
  certificateNumber: {
    ...singleLine(40),
    group: "papers",
    columns: { certificate_number: null },
    width: 16,
    fhir: null,
    uses: [],
  },
  entryNumber: {
    ...singleLine(40),
    group: "papers",
    isFirst: true,
    columns: { entry_number: null },
    width: 16,
    fhir: "entryNumber",
    uses: ["list", "search"],
  },
  inspectionNumber: {
    ...singleLine(40),
    group: "papers",
    columns: { inspection_number: null },
    width: 16,
    fhir: null,
    uses: [],
  },
  inspectedAt: { ...dateTime, group: "papers", columns: { inspected_at: null }, width: 17, fhir: null, uses: [] },
  allergies: {
    ...longText("paragraph", 1000, 1),
    group: "history",
    columns: { allergies: null },
    width: 24,
    fhir: null,
    uses: [],
  },
  pastHistory: {
    ...longText("paragraph", 2000, 2),
    group: "history",
    columns: { past_history: null },
    width: 24,
    fhir: null,
    uses: [],
  },
  diabetes: { ...disease, group: "history", columns: { diabetes: null }, width: 10, fhir: null, uses: [] },
  hypertension: { ...disease, group: "history", columns: { hypertension: null }, width: 10, fhir: null, uses: [] },
  familyGenetics: {
    ...longText("paragraph", 1000, 2),
    group: "history",
    columns: { family_genetics: null },
    width: 24,
    fhir: null,
    uses: [],
  },
  habits: {
    control: "habits",
    input: habitList.max(oralHabits.length),
    output: habitList,
    group: "history",
    columns: { habits: [] },
    merge: "join",
    width: 20,
    fhir: null,
    uses: [],
  },
  remark: {
    ...longText("notes", 10_000, 2),
    group: "history",
    columns: { remark: null },
    width: 30,
    fhir: null,
    uses: [],
  },
} as const satisfies Record<string, PatientField>;

type Rows = typeof patientFields;
export type PatientFieldName = keyof Rows;
type FieldWhere<R> = { [F in PatientFieldName]: Rows[F] extends R ? F : never }[PatientFieldName];
export type BasicField = FieldWhere<{ group: "basics" }>;
/** A field that follows from its row alone. */
export type DetailField = Exclude<PatientFieldName, BasicField>;
export type DetailWith<C extends DetailControl> = Extract<FieldWhere<{ control: C }>, DetailField>;
export type DetailControl = Exclude<PatientField["control"], "basic">;
export type FieldWithUse<U extends FieldUse> = {
  [F in PatientFieldName]: U extends Rows[F]["uses"][number] ? F : never;
}[PatientFieldName];
export type ColumnOf<F extends PatientFieldName> = F extends PatientFieldName ? keyof Rows[F]["columns"] : never;
export type MergeField = {
  [F in PatientFieldName]: Rows[F] extends { mergedAs: infer M } ? M : F;
}[PatientFieldName];

const names = Object.keys(patientFields) as PatientFieldName[];
const rowOf = (field: PatientFieldName): PatientField => patientFields[field];

export const basicFields = names.filter((field): field is BasicField => rowOf(field).group === "basics");
export const detailFields = names.filter((field): field is DetailField => rowOf(field).group !== "basics");
export const fieldsWithUse = <U extends FieldUse>(use: U) =>
  names.filter((field): field is FieldWithUse<U> => rowOf(field).uses.includes(use));
export const detailsWithControl = <C extends DetailControl>(control: C) =>
  detailFields.filter((field): field is DetailWith<C> => rowOf(field).control === control);

/** All fields as people see them: by group. */
export const fieldsInOrder: readonly PatientFieldName[] = fieldGroups.flatMap((group) =>
  names
    .filter((field) => rowOf(field).group === group)
    .toSorted((one, other) => Number(rowOf(other).isFirst ?? false) - Number(rowOf(one).isFirst ?? false)),
);

export const columnsOf = <F extends PatientFieldName>(field: F): readonly ColumnOf<F>[] =>
  Object.keys(patientFields[field].columns) as ColumnOf<F>[];

export const columnOf = <F extends DetailField>(field: F): ColumnOf<F> => columnsOf(field)[0]!;

type Column = ColumnOf<PatientFieldName>;
type Empty<C extends Column> = Extract<Rows[PatientFieldName]["columns"], Record<C, unknown>>[C];
/** The columns of all fields, each with its empty value. */
export const emptyColumns = Object.assign({}, ...names.map((field) => patientFields[field].columns)) as {
  [C in Column]: Empty<C> extends readonly unknown[] ? never[] : Empty<C>;
};

/** A part of the rows as the shape of a schema. */
export const shapeOf = <F extends PatientFieldName, P extends "input" | "output">(fields: readonly F[], part: P) =>
  Object.fromEntries(fields.map((field) => [field, patientFields[field][part]])) as { [K in F]: Rows[K][P] };

const mergeNameOf = (field: PatientFieldName): MergeField => (rowOf(field).mergedAs ?? field) as MergeField;
/** The choices of a merge. */
export const mergeFields: readonly MergeField[] = [...new Set(fieldsInOrder.map(mergeNameOf))];
/** The fields of one choice; the first of them gives the choice its title and its rule. */
export const fieldsOfMerge = (choice: MergeField): readonly PatientFieldName[] =>
  fieldsInOrder.filter((field) => mergeNameOf(field) === choice);
export const mergeRuleOf = (choice: MergeField): PatientField["merge"] => rowOf(fieldsOfMerge(choice)[0]!).merge;
