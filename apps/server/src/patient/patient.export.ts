import { sql } from "kysely";
import { utcZone } from "@arcada/contract/kernel/time-zone";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import type { Patient, PatientFilter } from "@arcada/contract/patient/patient.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { storeSpreadsheet } from "../platform/spreadsheet/table-export.ts";
import type { Cell } from "../platform/spreadsheet/spreadsheet.ts";
import { translate, translatorOf } from "../platform/text/texts.ts";
import type { NameUnder, Language } from "../platform/text/texts.ts";
import { hasRelatedRows, buildConditions, buildSorting } from "./patient.filters.ts";
import type { PatientScope } from "./patient.filters.ts";
import { toPatientScope, toPatient, type RecordColumns } from "./patient.ts";

interface ExportCount {
  rows: number;
  cut: boolean;
}

/**
 * Exports every field of the list under this filter as a spreadsheet, which is written while it is read and is kept for
 * a while.
 */
export async function exportPatients(context: MemberContext, filter: PatientFilter) {
  const { db, principal, language } = context;
  const count: ExportCount = { rows: 0, cut: false };
  const columns = buildColumns(language, principal.timeZone);
  const name = translate(language, "patient", "title");
  const rows = generateCells(columns, fetchPatients(db, toPatientScope(context), filter, count));
  const { exportName, exportMinutes } = patientRules;
  const kept = { kind: "patients", name: `${exportName}.xlsx`, minutes: exportMinutes } as const;
  return { ...(await storeSpreadsheet({ db, principal, language }, { name, columns, rows }, kept)), ...count };
}

const rowsPerFetch = 250;

// Without the search columns: decoding their many words would cost more than all the rest.
const read: Record<Exclude<keyof RecordColumns, "creator" | "studies" | "orders" | "recent_visit_at">, true> = {
  id: true,
  number: true,
  name: true,
  sex: true,
  birth_date: true,
  age_given: true,
  age_given_on: true,
  phone: true,
  fixed_line: true,
  email: true,
  mail_address: true,
  id_number: true,
  passport: true,
  driving_licence: true,
  insurance_number: true,
  certificate_number: true,
  entry_number: true,
  inspection_number: true,
  inspected_at: true,
  allergies: true,
  past_history: true,
  diabetes: true,
  hypertension: true,
  family_genetics: true,
  habits: true,
  remark: true,
  created_at: true,
  last_visit_at: true,
  version: true,
};
const readColumns = sql.join(Object.keys(read).map((column) => sql.ref(`page.${column}`)));

// A database cursor runs the search once: page by page, a wide search would be repeated for each page.
async function* fetchPatients(
  db: Db,
  institution: PatientScope,
  filter: PatientFilter,
  count: ExportCount,
): AsyncGenerator<Patient[]> {
  const { column, way } = buildSorting(filter);
  const { words, fields, relatedRows: things } = buildConditions(institution, filter);
  const { iid, today } = institution;
  const conditions = [
    sql`p.institution_id = ${iid}`,
    ...words,
    ...fields,
    ...things.map((thing) => hasRelatedRows(thing, sql`p.id`)),
  ];
  await sql`declare exported_patients no scroll cursor for
    select ${readColumns}, coalesce(nullif(users.nick_name, ''), users.user_name) as creator,
      (select count(*)::int from study_living s where s.institution_id = ${iid} and s.patient_id = page.id) as studies,
      (select count(*)::int from orders o where o.institution_id = ${iid} and o.patient_id = page.id) as orders
    from (select * from patient_living p where ${sql.join(conditions, sql` and `)}
      order by ${column} ${way}, id ${way} limit ${patientRules.exportRows + 1}) page
    left join users on users.id = page.created_by`.execute(db);
  for (;;) {
    const { rows } = await sql<RecordColumns>`fetch ${sql.lit(rowsPerFetch)} from exported_patients`.execute(db);
    const fetched = rows.length;
    // Taken out, as in platform/spreadsheet/spreadsheet.ts.
    const list = rows.splice(0).slice(0, patientRules.exportRows - count.rows);
    count.rows += list.length;
    count.cut = list.length < fetched;
    if (list.length > 0) yield list.map((row) => toPatient(row, today));
    if (fetched < rowsPerFetch || count.cut) break;
  }
  await sql`close exported_patients`.execute(db);
}

interface Column {
  title: string;
  width: number;
  cell: (patient: Patient) => Cell;
}

async function* generateCells(columns: readonly Column[], pages: AsyncIterable<Patient[]>): AsyncGenerator<Cell[][]> {
  for await (const patients of pages)
    yield patients.splice(0).map((patient) => columns.map(({ cell }) => cell(patient)));
}

type PatientField = NameUnder<"patient.field">;

function buildColumns(language: Language, zone: string): Column[] {
  const t = translatorOf(language, "patient");
  const column = (field: PatientField, width: number, cell: Column["cell"]): Column => ({
    title: t(`field.${field}`),
    width,
    cell,
  });
  const plain = (field: PatientField & keyof Patient, width = 16): Column =>
    column(field, width, (patient) => patient[field] as string | number | null);
  const answer = (field: "diabetes" | "hypertension"): Column =>
    column(field, 10, ({ [field]: flag }) => (flag === null ? null : t(`answer.${flag ? "yes" : "no"}`)));
  const sexes = Object.fromEntries(
    (["male", "female", "other"] as const).map((sex) => [sex, translate(language, "common", `sex.${sex}`)]),
  );
  return [
    plain("number", 12),
    plain("name", 20),
    column("sex", 8, ({ sex }) => sexes[sex]!),
    column("birthDate", 12, ({ birthDate }) => birthDate && { day: birthDate }),
    plain("age", 8),
    plain("phone"),
    plain("fixedLine"),
    plain("email", 24),
    plain("mailAddress", 30),
    plain("entryNumber"),
    plain("idNumber", 20),
    plain("passport"),
    plain("drivingLicence"),
    plain("insuranceNumber"),
    plain("certificateNumber"),
    plain("inspectionNumber"),
    column("inspectedAt", 17, ({ inspectedAt }) => inspectedAt && { instant: `${inspectedAt}Z`, zone: utcZone }),
    plain("allergies", 24),
    plain("pastHistory", 24),
    answer("diabetes"),
    answer("hypertension"),
    plain("familyGenetics", 24),
    column("habits", 20, ({ habits }) => habits.map((habit) => t(`habit.${habit}`)).join(t("listComma"))),
    plain("remark", 30),
    column("recentVisitAt", 17, ({ recentVisitAt }) => recentVisitAt && { instant: recentVisitAt, zone }),
    column("createdAt", 17, ({ createdAt }) => ({ instant: createdAt, zone })),
    plain("createdBy", 16),
    plain("studies", 8),
    plain("orders", 8),
  ];
}
