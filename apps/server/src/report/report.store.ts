import { sql } from "kysely";
import type { ReportSource, ReportState } from "@arcada/contract/report/report.lifecycle";
import type { ReportBasis, ReportContent, ReportForm } from "@arcada/contract/report/report.schema";
import type { Db } from "../platform/database/database.ts";
import { countUpTo, maxCountedRows, selectValue } from "../platform/database/select-value.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { ReportTable } from "../tables/schema.generated.ts";
import type { Row } from "../tables/row.ts";

export type ReportRecord = { [K in keyof ReportTable]: K extends "version" ? number : ReportTable[K] } & {
  created_at: string;
  saved_at: string;
  patient_name: string;
  writer: string;
  signer: string | null;
  ender: string | null;
};

const displayName = (alias: string) =>
  sql`coalesce(nullif(${sql.ref(alias)}.nick_name, ''), ${sql.ref(alias)}.user_name)`;
/** Reports of patients who are not in the bin. */
const reportRecords = sql`select r.*, p.name as patient_name, ${displayName("w")} as writer, ${displayName("s")} as signer, ${displayName("e")} as ender
  from report r join patient p on p.institution_id = r.institution_id and p.id = r.patient_id and p.deleted_at is null
    left join users w on w.id = r.saved_by left join users s on s.id = r.signed_by left join users e on e.id = r.ended_by`;

export async function findReport(db: Db, iid: string, id: string): Promise<ReportRecord | undefined> {
  const { rows } = await sql<ReportRecord>`${reportRecords} where r.institution_id = ${iid} and r.id = ${id}`.execute(
    db,
  );
  return rows[0];
}

/** The same, locked until this transaction ends. */
export async function lockReport(db: Db, iid: string, id: string): Promise<ReportRecord | undefined> {
  await sql`select from report where institution_id = ${iid} and id = ${id} for update`.execute(db);
  return findReport(db, iid, id);
}

export interface ListQuery {
  patientId?: string | undefined;
  state?: ReportState | undefined;
  /** Drafts and reports in review; the latter come first, because somebody waits. */
  unsigned?: boolean;
  page: number;
  pageSize: number;
}
export async function listReports(
  db: Db,
  iid: string,
  { patientId, state, unsigned = false, page, pageSize }: ListQuery,
) {
  const which = sql`r.institution_id = ${iid}
    ${patientId ? sql`and r.patient_id = ${patientId}` : sql``} ${state ? sql`and r.state = ${state}` : sql``}
    ${unsigned ? sql`and r.state in ('draft', 'in_review')` : sql``}`;
  // Counted separately: a window function would join and sort all reports for one page.
  const { rows } = await sql<ReportRecord>`${reportRecords} where ${which}
    order by ${unsigned ? sql`r.state = 'in_review' desc,` : sql``} r.created_at desc, r.id desc
    limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  const total = await selectValue(
    db,
    countUpTo(
      maxCountedRows,
      sql`from report r
        join patient p on p.institution_id = r.institution_id and p.id = r.patient_id and p.deleted_at is null where ${which}`,
    ),
  );
  return { rows, total };
}

interface ReportInsert {
  iid: string;
  uid: string;
  patientId: string;
  source: ReportSource;
  form: ReportForm;
  basis: ReportBasis;
  previousId: string | null;
}
/** Assigns the next check number; undefined: a correction of the same report is in progress. */
export async function insertReport(db: Db, report: ReportInsert): Promise<string | undefined> {
  const counter = await sql<
    Row<"report_counter", "last">
  >`insert into report_counter (institution_id, last) values (${report.iid}, 1)
    on conflict (institution_id) do update set last = report_counter.last + 1 returning last`.execute(db);
  const made = await sql<Row<"report", "id">>`insert into report
      (institution_id, id, patient_id, number, source, state, form, basis, created_by, saved_by, previous_id)
    values (${report.iid}, ${newId()}, ${report.patientId}, ${formatReportNumber(counter.rows[0]!.last)}, ${report.source}, 'draft',
      ${JSON.stringify(report.form)}::jsonb, ${JSON.stringify(report.basis)}::jsonb, ${report.uid}, ${report.uid}, ${report.previousId})
    on conflict (institution_id, previous_id) where previous_id is not null and state <> 'withdrawn' do nothing
    returning id`.execute(db);
  return made.rows[0]?.id;
}
const formatReportNumber = (count: number): string => `R${String(count).padStart(7, "0")}`;

interface SeenVersion {
  iid: string;
  id: string;
  version: number;
}
/** Returns false if another change came first. */
export async function saveDraft(
  db: Db,
  { iid, id, version }: SeenVersion,
  change: { form: ReportForm; basis: ReportBasis; uid: string },
): Promise<boolean> {
  const done =
    await sql`update report set form = ${JSON.stringify(change.form)}::jsonb, basis = ${JSON.stringify(change.basis)}::jsonb,
      saved_by = ${change.uid}, saved_at = now(), version = version + 1
    where institution_id = ${iid} and id = ${id} and version = ${version} and state = 'draft'`.execute(db);
  return done.numAffectedRows === 1n;
}

export async function transitionReport(
  db: Db,
  { iid, id, version }: SeenVersion,
  transition: { from: readonly ReportState[]; to: ReportState; ended?: { uid: string; reason: string } },
): Promise<boolean> {
  const ended = transition.ended
    ? sql`, ended_by = ${transition.ended.uid}, ended_at = now(), reason = ${transition.ended.reason}`
    : sql``;
  const done = await sql`update report set state = ${transition.to}, version = version + 1 ${ended}
    where institution_id = ${iid} and id = ${id} and version = ${version} and state = any(${[...transition.from]}::text[])`.execute(
    db,
  );
  return done.numAffectedRows === 1n;
}

/** Marks the corrected report as amended; a report that was withdrawn in the meantime stays withdrawn. */
export const markAmended = (db: Db, iid: string, id: string) =>
  sql`update report set state = 'amended', version = version + 1
    where institution_id = ${iid} and id = ${id} and state = 'signed'`.execute(db);

export async function removeDraft(db: Db, { iid, id, version }: SeenVersion): Promise<boolean> {
  const done = await sql`delete from report where institution_id = ${iid} and id = ${id} and version = ${version}
    and state in ('draft', 'in_review')`.execute(db);
  return done.numAffectedRows === 1n;
}

export async function signReport(
  db: Db,
  { iid, id, version }: SeenVersion,
  signed: { uid: string; at: string; licence: string; content: ReportContent; sha256: string },
): Promise<boolean> {
  const { content } = signed;
  const done =
    await sql`update report set state = 'signed', version = version + 1, content = ${JSON.stringify(content)}::jsonb,
      sha256 = ${signed.sha256}, norms = ${content.ceph?.population ?? null}, score = ${content.score.score},
      signed_by = ${signed.uid}, signed_at = ${signed.at}, licence = ${signed.licence}
    where institution_id = ${iid} and id = ${id} and version = ${version} and state in ('draft', 'in_review')`.execute(
      db,
    );
  return done.numAffectedRows === 1n;
}

/** The report that a draft corrects, and the one that corrects it. */
export async function findRelatedReports(db: Db, iid: string, id: string, previousId: string | null) {
  const rows = await db
    .selectFrom("report")
    .select(["id", "number", "state", sql<boolean>`previous_id is not distinct from ${id}`.as("is_next")])
    .where("institution_id", "=", iid)
    .where(sql<boolean>`(id = ${previousId} or (previous_id = ${id} and state <> 'withdrawn'))`)
    .execute();
  const of = (isNext: boolean) => {
    const found = rows.find(({ is_next }) => is_next === isNext);
    return found ? { id: found.id, number: found.number, state: found.state } : null;
  };
  return { previous: of(false), next: of(true) };
}

export const listDocuments = (db: Db, iid: string, id: string) =>
  db
    .selectFrom("report_paper")
    .select(["language", "sha256", "bytes"])
    .where("institution_id", "=", iid)
    .where("report_id", "=", id)
    .orderBy("language")
    .execute();

export const insertDocument = (
  db: Db,
  paper: { institution_id: string; report_id: string; language: string; sha256: string; bytes: number },
) => db.insertInto("report_paper").values(paper).execute();

/** The licence number that a manager keeps for a member; null if there is none. */
export async function findLicence(db: Db, iid: string, uid: string): Promise<string | null> {
  const found = await db
    .selectFrom("membership")
    .select("licence")
    .where("institution_id", "=", iid)
    .where("user_id", "=", uid)
    .where("state", "=", "normal")
    .executeTakeFirst();
  return found?.licence ?? null;
}
