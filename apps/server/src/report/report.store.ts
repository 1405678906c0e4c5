import { sql } from "kysely";
import type { Report } from "@arcada/contract/report/report.calls";
import type { ReportSource, ReportState } from "@arcada/contract/report/report.cycle";
import type { ReportBasis, ReportContent, ReportForm } from "@arcada/contract/report/report.shape";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids.ts";
import type { ReportTable } from "../tables/report.ts";

export type ReportRecord = { [K in keyof ReportTable]: K extends "version" ? number : ReportTable[K] } & {
  created_at: string;
  saved_at: string;
  patient_name: string;
  writer: string;
  signer: string | null;
  ender: string | null;
};

const named = (alias: string) => sql`coalesce(nullif(${sql.ref(alias)}.nick_name, ''), ${sql.ref(alias)}.user_name)`;
/** Reports of patients who are not in the bin. */
const records = sql`select r.*, p.name as patient_name, ${named("w")} as writer, ${named("s")} as signer, ${named("e")} as ender
  from report r join patient p on p.institution_id = r.institution_id and p.id = r.patient_id and p.deleted_at is null
    left join users w on w.id = r.saved_by left join users s on s.id = r.signed_by left join users e on e.id = r.ended_by`;

export async function reportById(db: Db, iid: string, id: string): Promise<ReportRecord | undefined> {
  const { rows } = await sql<ReportRecord>`${records} where r.institution_id = ${iid} and r.id = ${id}`.execute(db);
  return rows[0];
}

/** The same, locked until this transaction ends. */
export async function holdReport(db: Db, iid: string, id: string): Promise<ReportRecord | undefined> {
  await sql`select from report where institution_id = ${iid} and id = ${id} for update`.execute(db);
  return reportById(db, iid, id);
}

export interface ListAsked {
  patientId?: string | undefined;
  state?: ReportState | undefined;
  page: number;
  pageSize: number;
}
export async function reportsOf(db: Db, iid: string, { patientId, state, page, pageSize }: ListAsked) {
  const { rows } = await sql<
    ReportRecord & { total: number }
  >`select *, (count(*) over ())::int as total from (${records}
      where r.institution_id = ${iid}
        ${patientId ? sql`and r.patient_id = ${patientId}` : sql``} ${state ? sql`and r.state = ${state}` : sql``}) found
    order by created_at desc, id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  return { rows, total: rows[0]?.total ?? 0 };
}

interface NewReport {
  iid: string;
  uid: string;
  patientId: string;
  source: ReportSource;
  form: ReportForm;
  basis: ReportBasis;
  previousId: string | null;
}
/** Assigns the next check number; undefined: a correction of the same report is in progress. */
export async function insertReport(db: Db, report: NewReport): Promise<string | undefined> {
  const counter = await sql<{
    last: number;
  }>`insert into report_counter (institution_id, last) values (${report.iid}, 1)
    on conflict (institution_id) do update set last = report_counter.last + 1 returning last`.execute(db);
  const made = await sql<{ id: string }>`insert into report
      (institution_id, id, patient_id, number, source, state, form, basis, created_by, saved_by, previous_id)
    values (${report.iid}, ${newId()}, ${report.patientId}, ${numberOf(counter.rows[0]!.last)}, ${report.source}, 'draft',
      ${JSON.stringify(report.form)}::jsonb, ${JSON.stringify(report.basis)}::jsonb, ${report.uid}, ${report.uid}, ${report.previousId})
    on conflict (institution_id, previous_id) where previous_id is not null and state <> 'withdrawn' do nothing
    returning id`.execute(db);
  return made.rows[0]?.id;
}
const numberOf = (count: number): string => `R${String(count).padStart(7, "0")}`;

interface Seen {
  iid: string;
  id: string;
  version: number;
}
/** Returns false if another change came first. */
export async function saveDraft(
  db: Db,
  { iid, id, version }: Seen,
  change: { form: ReportForm; basis: ReportBasis; uid: string },
): Promise<boolean> {
  const done =
    await sql`update report set form = ${JSON.stringify(change.form)}::jsonb, basis = ${JSON.stringify(change.basis)}::jsonb,
      saved_by = ${change.uid}, saved_at = now(), version = version + 1
    where institution_id = ${iid} and id = ${id} and version = ${version} and state = 'draft'`.execute(db);
  return done.numAffectedRows === 1n;
}

export async function moveReport(
  db: Db,
  { iid, id, version }: Seen,
  move: { from: readonly ReportState[]; to: ReportState; ended?: { uid: string; reason: string } },
): Promise<boolean> {
  const ended = move.ended
    ? sql`, ended_by = ${move.ended.uid}, ended_at = now(), reason = ${move.ended.reason}`
    : sql``;
  const done = await sql`update report set state = ${move.to}, version = version + 1 ${ended}
    where institution_id = ${iid} and id = ${id} and version = ${version} and state = any(${[...move.from]}::text[])`.execute(
    db,
  );
  return done.numAffectedRows === 1n;
}

/** Marks the corrected report as amended; a report that was withdrawn in the meantime stays withdrawn. */
export const replaceReport = (db: Db, iid: string, id: string) =>
  sql`update report set state = 'amended', version = version + 1
    where institution_id = ${iid} and id = ${id} and state = 'signed'`.execute(db);

export async function removeDraft(db: Db, { iid, id, version }: Seen): Promise<boolean> {
  const done = await sql`delete from report where institution_id = ${iid} and id = ${id} and version = ${version}
    and state in ('draft', 'in_review')`.execute(db);
  return done.numAffectedRows === 1n;
}

export async function signReport(
  db: Db,
  { iid, id, version }: Seen,
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
export async function kinOf(db: Db, iid: string, id: string, previousId: string | null) {
  const { rows } = await sql<NonNullable<Report["next"]> & { is_next: boolean }>`
    select id, number, state, previous_id is not distinct from ${id} as is_next from report
    where institution_id = ${iid} and (id = ${previousId} or (previous_id = ${id} and state <> 'withdrawn'))`.execute(
    db,
  );
  const of = (isNext: boolean) => {
    const found = rows.find(({ is_next }) => is_next === isNext);
    return found ? { id: found.id, number: found.number, state: found.state } : null;
  };
  return { previous: of(false), next: of(true) };
}

export const papersOf = (db: Db, iid: string, id: string) =>
  db
    .selectFrom("report_paper")
    .select(["language", "sha256", "bytes"])
    .where("institution_id", "=", iid)
    .where("report_id", "=", id)
    .orderBy("language")
    .execute();

export const insertPaper = (
  db: Db,
  paper: { institution_id: string; report_id: string; language: string; sha256: string; bytes: number },
) => db.insertInto("report_paper").values(paper).execute();

/** The number that this person signed with last, here. */
export async function licenceOf(db: Db, iid: string, uid: string): Promise<string | null> {
  const { rows } = await sql<{ licence: string }>`select licence from report
    where institution_id = ${iid} and signed_by = ${uid} order by signed_at desc limit 1`.execute(db);
  return rows[0]?.licence ?? null;
}
