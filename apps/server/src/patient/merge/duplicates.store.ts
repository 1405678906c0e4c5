import { sql } from "kysely";
import { duplicateReasons, mergeRules } from "@arcada/contract/patient/patient-merge.calls";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import type { Db } from "../../platform/database/database.ts";
import { phoneticKey } from "../../platform/text/search-terms.ts";
import { listedColumns, toPatientRow, type RecordColumns, type RowColumns } from "../patient-column-mapping.ts";

type Likeness = (typeof duplicateReasons)[number];
type DuplicateRow = RowColumns & Pick<RecordColumns, "id_number" | "passport">;

/** Returns other records of the institution that may be of the same person, the likeliest first. */
export async function findDuplicates(
  db: Db,
  iid: string,
  record: RecordColumns,
  today: string,
): Promise<(PatientRow & { reason: Likeness })[]> {
  // Each condition uses its own index: combined by "or", the query would scan all patients.
  const { rows } = await sql<DuplicateRow>`
    with like_it as (
      (select id from patient_living where institution_id = ${iid} and id_number = ${record.id_number} limit ${maxRows})
      union (select id from patient_living where institution_id = ${iid} and lower(name) = lower(${record.name}) limit ${maxRows})
      union (select id from patient_living where institution_id = ${iid} and birth_date = ${record.birth_date}::date limit ${maxRows})
    )
    select p.id, p.number, ${listed}, p.created_at, p.last_visit_at, p.id_number, p.passport,
      (select count(*)::int from study_living s where s.institution_id = ${iid} and s.patient_id = p.id) as studies,
      (select count(*)::int from orders o where o.institution_id = ${iid} and o.patient_id = p.id) as orders
    from like_it join patient_living p using (id) where p.institution_id = ${iid} and p.id <> ${record.id}`.execute(db);
  return rows
    .flatMap((row) => {
      const reason = classifyLikeness(record, row);
      return reason ? [{ ...toPatientRow(row, today), reason }] : [];
    })
    .toSorted(
      (a, b) =>
        duplicateReasons.indexOf(a.reason) - duplicateReasons.indexOf(b.reason) ||
        (b.recentVisitAt ?? "").localeCompare(a.recentVisitAt ?? ""),
    )
    .slice(0, mergeRules.maxCandidates);
}

const listed = sql.join(listedColumns.map((column) => sql.ref(`p.${column}`)));
const maxRows = 500;

function classifyLikeness(one: RecordColumns, other: DuplicateRow): Likeness | null {
  const isSameValue = (column: "id_number" | "passport" | "birth_date" | "phone"): boolean =>
    one[column] !== null && one[column] === other[column];
  const hasSameName = one.name.toLowerCase() === other.name.toLowerCase();
  if (isSameValue("id_number")) return "idNumber";
  if (isSameValue("passport")) return "passport";
  if (hasSameName && isSameValue("birth_date")) return "nameAndBirth";
  if (hasSameName && isSameValue("phone")) return "nameAndPhone";
  if (isSameValue("birth_date") && one.sex === other.sex && phoneticKey(one.name) === phoneticKey(other.name))
    return "soundAndBirth";
  // Two different birth dates distinguish people of the same name; without them nobody can tell.
  const isUnknown = one.birth_date === null || other.birth_date === null;
  return hasSameName && one.sex === other.sex && isUnknown ? "name" : null;
}
