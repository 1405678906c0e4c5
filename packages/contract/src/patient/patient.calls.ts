import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant, nullOutput, commaSeparatedIds, text, version } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { localDayIn, utcZone } from "../kernel/time-zone.ts";
import { maxPatientAge, sexes } from "./patient-field-definition.ts";
import { basicFields, detailFields, fieldsWithUse, shapeOf } from "./patient-fields.ts";

/**
 * A filtered list counts up to `maxTotalCount` and then stops. A spreadsheet contains `exportRows` rows in addition to its
 * titles.
 */
export const patientRules = {
  /** Arrivals are news for this long after a patient was opened; at most so many patients are listed. */
  newsDays: 90,
  maxNews: 20,
  binDays: 30,
  maxAge: maxPatientAge,
  maxPageSize: 100,
  maxNames: 20,
  maxTotalCount: 1000,
  exportRows: 1_000_000,
  exportMinutes: 15,
  exportName: "excel-list",
} as const;

/** A birth date that is unknown may be replaced by an age; a change leaves out the details that stay. */
export const patientForm = z.object(shapeOf(detailFields, "input")).partial().extend(shapeOf(basicFields, "input"));
const hasBirthDateOrAge = <T extends { birthDate?: string | null | undefined; age?: number | null | undefined }>(
  value: T,
) => Boolean(value.birthDate) || typeof value.age === "number";
// Also where other fields are wrong: a form shows everything that is missing at once.
const birthMissing = {
  path: ["birthDate"],
  message: "birthNeeded",
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};
type WithBirthDate = { birthDate?: string | null | undefined };
// A contract knows no institution: days are UTC, with a tolerance of one day.
const dayFromNow = (days: number): string => localDayIn(utcZone, Date.now() + days * 86_400_000);
const isNotInFuture = ({ birthDate }: WithBirthDate) => !birthDate || birthDate <= dayFromNow(1);
const birthInFuture = { path: ["birthDate"], message: "birthInFuture" };
const isWithinMaxAge = ({ birthDate }: WithBirthDate) =>
  !birthDate || Number(birthDate.slice(0, 4)) >= Number(dayFromNow(0).slice(0, 4)) - patientRules.maxAge;
const birthTooOld = { path: ["birthDate"], message: "birthTooOld" };

export const patientRow = z.object({
  id,
  number: z.string(),
  ...shapeOf(fieldsWithUse("list"), "output"),
  createdAt: instant,
  /** The latest visit that is written down, or the day of the last images; null before both. */
  recentVisitAt: instant.nullable(),
  studies: z.int(),
  orders: z.int(),
});
export type PatientRow = z.output<typeof patientRow>;

export const binnedPatient = patientRow
  .pick({ id: true, number: true, name: true, sex: true, birthDate: true, age: true })
  .extend({ removedAt: instant, daysLeft: z.int() });
export type BinnedPatient = z.output<typeof binnedPatient>;

export const patient = z.object({
  ...patientRow.shape,
  ...shapeOf(
    detailFields.filter((field) => !(field in patientRow.shape)),
    "output",
  ),
  createdBy: z.string(),
  version,
});
export type Patient = z.output<typeof patient>;

export const patientSorts = ["recentVisitAt", "createdAt", "name", "age"] as const;
export type PatientSort = (typeof patientSorts)[number];
/** The default direction of each sort: new first for dates, ascending for names, youngest first for ages. */
export const defaultDirection: Record<PatientSort, "up" | "down"> = {
  recentVisitAt: "down",
  createdAt: "down",
  name: "up",
  age: "up",
};

const age = z.coerce.number().int().min(0).max(patientRules.maxAge);
const yesOrNo = z.enum(["yes", "no"]);
/** The filters of the list, with the parameter names of its address. */
export const patientFilter = z.object({
  search: text(60).optional(),
  sex: z.enum(sexes).optional(),
  ageFrom: age.optional(),
  ageTo: age.optional(),
  /** Calendar days in the institution's time zone. */
  createdFrom: day.optional(),
  createdTo: day.optional(),
  visitFrom: day.optional(),
  visitTo: day.optional(),
  ct: yesOrNo.optional(),
  report: yesOrNo.optional(),
  sort: z.enum(patientSorts).default("recentVisitAt"),
  way: z.enum(["up", "down"]).optional(),
});
export type PatientFilter = z.output<typeof patientFilter>;

export const patientCalls = {
  list: call({
    method: "GET",
    path: "/v1/patient/list",
    access: clinicRoles,
    summary: "The clinic's patients; search over name, pinyin initials, number, phone and entry number.",
    audit: "patient.list",
    input: patientFilter.extend({
      cursor: text(300).optional(),
      pageSize: z.coerce.number().int().min(1).max(patientRules.maxPageSize).default(20),
    }),
    output: z.object({ list: z.array(patientRow), total: z.int(), next: z.string().nullable() }),
  }),
  export: call({
    method: "POST",
    path: "/v1/patient/export",
    access: clinicRoles,
    summary:
      "The patients that the list shows, with every field, as a spreadsheet (xlsx) in the asker's language; answers its short-lived address.",
    audit: "patient.export",
    input: patientFilter,
    output: z.object({ url: z.string(), rows: z.int(), cut: z.boolean() }),
  }),
  bin: call({
    method: "GET",
    path: "/v1/patient/bin",
    access: clinicRoles,
    summary: "Removed patients that can still be restored, the last removed first.",
    audit: "patient.list",
    input: z.object({ cursor: text(300).optional() }),
    output: z.object({ list: z.array(binnedPatient), next: z.string().nullable() }),
  }),
  names: call({
    method: "GET",
    path: "/v1/patient/names",
    access: clinicRoles,
    summary: "What some patients are called, by their ids with commas between; whoever is not here is left out.",
    audit: "patient.list",
    input: z.object({ ids: commaSeparatedIds(patientRules.maxNames) }),
    output: z.array(z.object({ id, name: z.string() })),
  }),
  detail: call({
    method: "GET",
    path: "/v1/patient/detail",
    access: clinicRoles,
    summary: "One patient's record.",
    audit: "patient.read",
    input: z.object({ id }),
    output: patient,
  }),
  news: call({
    method: "GET",
    path: "/v1/patient/news",
    access: clinicRoles,
    summary:
      "The patients whom the asker has opened and for whom something has arrived since: images, designs to review, messages of a laboratory. Those opened last come first.",
    audit: "patient.list",
    input: z.object({}),
    output: z.object({
      list: z.array(
        z.object({
          id,
          name: z.string(),
          number: z.string(),
          /** The time at which the asker opened the patient last. */
          since: instant,
          images: z.int(),
          designs: z.int(),
          messages: z.int(),
        }),
      ),
    }),
  }),
  create: call({
    method: "POST",
    path: "/v1/patient/create",
    access: clinicRoles,
    summary:
      "Makes a patient. Candidates for the same person are refused once with patientDuplicate unless `evenIfDuplicate`.",
    isIdempotent: true,
    audit: "patient.create",
    input: patientForm
      .extend({ evenIfDuplicate: z.boolean().optional() })
      .refine(hasBirthDateOrAge, birthMissing)
      .refine(isNotInFuture, birthInFuture)
      .refine(isWithinMaxAge, birthTooOld),
    output: patient,
  }),
  update: call({
    method: "POST",
    path: "/v1/patient/update",
    access: clinicRoles,
    summary:
      "Changes a patient's record, from the version that was seen. A name, birth date or identity number that now names somebody else's record too is asked about as in create.",
    isIdempotent: true,
    audit: "patient.update",
    input: patientForm
      .extend({ id, version, evenIfDuplicate: z.boolean().optional() })
      .refine(hasBirthDateOrAge, birthMissing)
      .refine(isNotInFuture, birthInFuture)
      .refine(isWithinMaxAge, birthTooOld),
    output: patient,
  }),
  remove: call({
    method: "POST",
    path: "/v1/patient/remove",
    access: clinicRoles,
    summary: "Moves a patient to the bin for 30 days.",
    isIdempotent: true,
    audit: "patient.remove",
    input: z.object({ id }),
    output: nullOutput,
  }),
  restore: call({
    method: "POST",
    path: "/v1/patient/restore",
    access: clinicRoles,
    summary: "Takes a patient out of the bin.",
    isIdempotent: true,
    audit: "patient.restore",
    input: z.object({ id }),
    output: patient,
  }),
} as const;

/** Names as another institution sees them when the owner hides them: 王小明 → 王**, John Smith → J*** S****. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => [...part].map((letter, place) => (place === 0 ? letter : "*")).join(""))
    .join(" ");
