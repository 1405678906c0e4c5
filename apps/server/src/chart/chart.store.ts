import { sql } from "kysely";
import type { Chart, ChartVersion } from "@arcada/contract/chart/chart.calls";
import { findChangedTeeth } from "@arcada/contract/chart/chart.changes";
import { chartRules } from "@arcada/contract/chart/chart.rules";
import { chartContent } from "@arcada/contract/chart/chart.schema";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import type { Db } from "../platform/database/database.ts";
import { listNamedUsers, findSuggestedOnlyIn } from "./edit-chart-content.ts";
import type { Column, Row } from "../tables/row.ts";

/** The patient whose chart it is. */
export interface PatientKey {
  iid: string;
  patientId: string;
}
export interface StoredChart {
  version: number;
  content: ChartContent;
  by: string;
  at: string;
}

export async function patientExists(db: Db, { iid, patientId }: PatientKey): Promise<boolean> {
  const { rows } =
    await sql`select from patient where institution_id = ${iid} and id = ${patientId} and deleted_at is null`.execute(
      db,
    );
  return rows.length === 1;
}

/** True if all of these images belong to this patient. */
export async function isEvidenceOfPatient(
  db: Db,
  { iid, patientId }: PatientKey,
  shown: readonly { studyId: string; instanceId: string }[],
): Promise<boolean> {
  const wanted = new Set(shown.map(({ instanceId }) => instanceId));
  if (wanted.size === 0) return true;
  const { rows } = await sql<
    Row<"instance", "id"> & { study: Column<"instance", "study_id"> }
  >`select i.id, i.study_id as study from instance i
    join study s on s.institution_id = i.institution_id and s.id = i.study_id
    where i.institution_id = ${iid} and i.id = any(${[...wanted]}::uuid[]) and s.patient_id = ${patientId}`.execute(db);
  const studies = new Map(rows.map(({ id, study }) => [id, study]));
  return shown.every(({ studyId, instanceId }) => studies.get(instanceId) === studyId);
}

/** Lets one transaction at a time write a patient's chart. The lock is held until the transaction ends. */
export const lockChart = async (db: Db, { iid, patientId }: PatientKey): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`chart ${iid} ${patientId}`}, 0))`.execute(db);
};

/** Returns the newest version, or the given one; undefined if there is none. */
export async function findChart(
  db: Db,
  { iid, patientId }: PatientKey,
  version?: number,
): Promise<StoredChart | undefined> {
  const { rows } = await sql<
    Row<"tooth_chart", "version" | "content" | "at"> & { by: Column<"tooth_chart", "by_user"> }
  >`
    select version, content, by_user as by, at from tooth_chart
    where institution_id = ${iid} and patient_id = ${patientId} ${version ? sql`and version = ${version}` : sql``}
    order by version desc limit 1`.execute(db);
  return rows[0] && { ...rows[0], content: chartContent.parse(rows[0].content) };
}

/** Returns the chart as a call answers it. */
export async function loadChart(db: Db, patientKey: PatientKey, wanted?: number): Promise<Chart | undefined> {
  const newest = await findChart(db, patientKey);
  const kept = wanted && wanted !== newest?.version ? await findChart(db, patientKey, wanted) : newest;
  if (wanted && kept?.version !== wanted) return undefined;
  if (!newest || !kept) return { version: 0, latest: 0, content: { teeth: [] }, by: null, at: null, people: [] };
  const people = await listPeople(db, [...new Set([kept.by, ...listNamedUsers(kept.content)])]);
  return {
    version: kept.version,
    latest: newest.version,
    content: kept.content,
    by: people.find(({ id }) => id === kept.by) ?? null,
    at: kept.at,
    people,
  };
}

const listPeople = (db: Db, ids: string[]): Promise<Chart["people"]> =>
  db
    .selectFrom("users")
    .select(["id", sql<string>`coalesce(nullif(nick_name, ''), user_name)`.as("name")])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();

export async function listVersions(db: Db, { iid, patientId }: PatientKey): Promise<ChartVersion[]> {
  const rows = await db
    .selectFrom("tooth_chart as c")
    .innerJoin("users as u", "u.id", "c.by_user")
    .select(["c.version", "c.at", "c.changed", "c.restored_from as restoredFrom", "u.id as uid"])
    .select(sql<string>`coalesce(nullif(u.nick_name, ''), u.user_name)`.as("name"))
    .where("c.institution_id", "=", iid)
    .where("c.patient_id", "=", patientId)
    .orderBy("c.version", "desc")
    .limit(chartRules.maxVersions)
    .execute();
  return rows.map(({ uid, name, ...row }) => ({ ...row, by: { id: uid, name } }));
}

interface ChartVersionInput {
  before: StoredChart | undefined;
  content: ChartContent;
  uid: string;
  at: string;
  restoredFrom?: number | undefined;
}
/** Adds a version if a tooth has changed, and updates the decisions on suggestions by what became of their findings. */
export async function addVersion(
  db: Db,
  patientKey: PatientKey,
  { before, content, uid, at, restoredFrom }: ChartVersionInput,
): Promise<number> {
  const old = before?.content ?? { teeth: [] };
  const { iid, patientId } = patientKey;
  const changed = findChangedTeeth(old, content);
  if (changed.length === 0) return before?.version ?? 0;
  const version = (before?.version ?? 0) + 1;
  await sql`insert into tooth_chart (institution_id, patient_id, version, content, changed, restored_from, by_user, at)
    values (${iid}, ${patientId}, ${version}, ${JSON.stringify(content)}::jsonb,
      ${changed}::int[], ${restoredFrom ?? null}, ${uid}, ${at})`.execute(db);
  await updateDecisions(db, patientKey, uid, { to: "reject", findings: findSuggestedOnlyIn(old, content) });
  await updateDecisions(db, patientKey, uid, { to: "accept", findings: findSuggestedOnlyIn(content, old) });
  return version;
}

/** A finding that is removed from the chart is not suggested again; one that comes back was not rejected. */
async function updateDecisions(
  db: Db,
  { iid, patientId }: PatientKey,
  uid: string,
  { to, findings }: { to: "accept" | "reject"; findings: string[] },
): Promise<void> {
  if (findings.length === 0) return;
  await sql`update chart_decision set decision = ${to}, by_user = ${uid}, at = now()
    where institution_id = ${iid} and patient_id = ${patientId} and finding_id = any(${findings}::uuid[])
      and (decision = 'reject') = ${to === "accept"}`.execute(db);
}
