import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { sexes } from "@arcada/contract/patient/patient-field-definition";
import { serverLinks, systems } from "../../domain/fhir/fhir-datatypes.ts";
import { toFhirPatient } from "../../domain/fhir/patient-resource.ts";
import type { TableDefinition } from "../resource-definition.ts";
import {
  codeParameter,
  dateParameter,
  idParameter,
  nameParameter,
  textParameter,
  tokenParameter,
} from "../search/search-parameters.ts";
import type { SearchParameter } from "../search/search-parameters.ts";
import { writePatient } from "../writes/write-patient.ts";

const telephone = [
  { system: "phone", column: sql`r.phone` },
  { system: "phone", column: sql`r.fixed_line` },
];

const parameters: Readonly<Record<string, SearchParameter>> = {
  _id: idParameter(sql`r.id`),
  _lastUpdated: dateParameter("The time of the last change", sql`r.updated_at`),
  identifier: tokenParameter("The number in Arcada, in the clinic's other program, or of an identity card", [
    { system: systems.patientNumber, column: sql`r.number` },
    { system: systems.entryNumber, column: sql`r.entry_number` },
    { system: systems.identityNumber, column: sql`r.id_number` },
  ]),
  name: nameParameter("A part of the name, its pinyin or its initials", sql`r.name`, "r"),
  family: nameParameter("The same as name: the clinic keeps one text", sql`r.name`, "r"),
  given: nameParameter("The same as name", sql`r.name`, "r"),
  birthdate: dateParameter("The day of birth", sql`r.birth_date`, "day"),
  gender: codeParameter("male, female or other", "http://hl7.org/fhir/administrative-gender", (code) =>
    sexes.some((one) => one === code) ? sql`r.sex = ${code}` : null,
  ),
  phone: tokenParameter("A telephone number, as it was written", telephone),
  email: tokenParameter("An email address", [{ system: "email", column: sql`r.email` }]),
  telecom: tokenParameter("A telephone number or email address", [
    ...telephone,
    { system: "email", column: sql`r.email` },
  ]),
  address: textParameter("The beginning of the address", sql`r.mail_address`),
};

/** `patient.identifier` and the like, for resources whose patient is in a column. */
export const chainedPatientParameters = (column: RawBuilder<unknown>): Record<string, SearchParameter> =>
  Object.fromEntries(
    ["patient", "subject"].flatMap((reference) =>
      ["identifier", "name", "family", "given", "birthdate", "gender"].map((name) => {
        const parameter = parameters[name]!;
        const chained: SearchParameter = {
          ...parameter,
          description: `Of the patient: ${parameter.description}`,
          readsPatients: true,
          where: (value, reader, modifier) => sql`${column} in (select r.id from patient_living r
            where r.institution_id = ${reader.iid} and ${parameter.where(value, reader, modifier)})`,
        };
        return [`${reference}.${name}`, chained] as const;
      }),
    ),
  );

export const patientDefinition: TableDefinition = {
  kind: "table",
  type: "Patient",
  description: "A patient of the clinic",
  access: { roles: clinicRoles, scopes: ["patients.read"] },
  audit: { search: "patient.list", read: "patient.read" },
  from: sql`patient_living r`,
  visible: ({ iid }) => sql`r.institution_id = ${iid}`,
  ofPatient: (patientId) => sql`r.id = ${patientId}`,
  parameters,
  sorts: {
    _lastUpdated: { column: sql`r.updated_at`, type: "instant" },
    name: { column: sql`r.sort_name`, type: "text" },
    birthdate: { column: sql`coalesce(r.birth_date, '0001-01-01'::date)`, type: "day" },
  },
  usualSort: "-_lastUpdated",
  includes: {},
  isVersioned: true,
  load: async ({ db, iid }, ids) => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom("patient")
      .selectAll()
      .where("institution_id", "=", iid)
      .where("id", "in", [...ids])
      .execute();
    const institution = await db
      .selectFrom("institution")
      .select(["id", "name"])
      .where("id", "=", iid)
      .executeTakeFirst();
    return rows.map((row) => ({
      ...toFhirPatient(row, institution, serverLinks),
      meta: { versionId: String(row.version), lastUpdated: row.updated_at },
      active: true,
    }));
  },
  write: writePatient,
};
