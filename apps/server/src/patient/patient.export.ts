import { sql } from "kysely";
import { utcZone } from "@arcada/contract/kernel/time-zone";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import { sexes, type OralHabit } from "@arcada/contract/patient/patient-field-definition";
import { columnsOf, fieldsInOrder, patientFields } from "@arcada/contract/patient/patient-fields";
import type { PatientField } from "@arcada/contract/patient/patient-field-definition";
import type { PatientFieldName } from "@arcada/contract/patient/patient-fields";
import type { Patient, PatientFilter } from "@arcada/contract/patient/patient.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { storeSpreadsheet } from "../data-export/stored-spreadsheet.writes.ts";
import type { Cell } from "../platform/spreadsheet/spreadsheet.ts";
import { translate, translatorOf } from "../platform/text/texts.ts";
import type { NameUnder, Language, TranslateIn } from "../platform/text/texts.ts";
import { hasRelatedRows, buildConditions, buildSorting } from "./patient.filters.ts";
import type { PatientScope } from "./patient.filters.ts";
import { toPatientScope, toPatient, type RecordColumns } from "./patient-column-mapping.ts";

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
const ownColumns = ["id", "number", "created_at", "last_visit_at", "version"] as const;
const readColumns = sql.join(
  [...ownColumns, ...fieldsInOrder.flatMap(columnsOf)].map((column) => sql.ref(`page.${column}`)),
);

// A database cursor runs the search once: page by page, a wide search would be repeated for each page.
async function* fetchPatients(
  db: Db,
  institution: PatientScope,
  filter: PatientFilter,
  count: ExportCount,
): AsyncGenerator<Patient[]> {
  const { column, way } = buildSorting(filter);
  const { words, fields, relatedRows } = buildConditions(institution, filter);
  const { iid, today } = institution;
  const conditions = [
    sql`p.institution_id = ${iid}`,
    ...words,
    ...fields,
    ...relatedRows.map((thing) => hasRelatedRows(thing, sql`p.id`)),
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

function buildColumns(language: Language, zone: string): Column[] {
  const t = translatorOf(language, "patient");
  const column = (field: NameUnder<"patient.field">, width: number, cell: Column["cell"]): Column => ({
    title: t(`field.${field}`),
    width,
    cell,
  });
  return [
    column("number", 12, ({ number }) => number),
    ...fieldsInOrder.map((field) => column(field, patientFields[field].width, cellWriter(language, field))),
    column("recentVisitAt", 17, ({ recentVisitAt }) => recentVisitAt && { instant: recentVisitAt, zone }),
    column("createdAt", 17, ({ createdAt }) => ({ instant: createdAt, zone })),
    column("createdBy", 16, ({ createdBy }) => createdBy),
    column("studies", 8, ({ studies }) => studies),
    column("orders", 8, ({ orders }) => orders),
  ];
}

type Text = TranslateIn<"patient">;
function cellWriter(language: Language, field: PatientFieldName): Column["cell"] {
  if (field === "sex") {
    const names = Object.fromEntries(sexes.map((sex) => [sex, translate(language, "common", `sex.${sex}`)]));
    return ({ sex }) => names[sex]!;
  }
  if (field === "birthDate") return ({ birthDate }) => birthDate && { day: birthDate };
  const t = translatorOf(language, "patient");
  const write = cellsByControl[patientFields[field].control];
  return ({ [field]: value }) => (value === null ? null : write(value, t));
}

type Value = NonNullable<Patient[PatientFieldName]>;
const plainCell = (value: Value): Cell => value as string | number;
const cellsByControl: Record<PatientField["control"], (value: Value, t: Text) => Cell> = {
  basic: plainCell,
  line: plainCell,
  paragraph: plainCell,
  notes: plainCell,
  answer: (flag, t) => t(`answer.${flag === true ? "yes" : "no"}`),
  // The local time is written as it is.
  dateTime: (time) => ({ instant: `${String(time)}Z`, zone: utcZone }),
  habits: (habits, t) =>
    [habits]
      .flat()
      .map((habit) => t(`habit.${habit as OralHabit}`))
      .join(t("listComma")),
};
