import { sql } from "kysely";
import type { PacsProblem, PacsTask } from "@arcada/contract/pacs/pacs.calls";
import { pacsRules } from "@arcada/contract/pacs/pacs.rules";
import type { Database, Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { CommitmentReport } from "@arcada/contract/pacs/commitment-report";

const selectTasks = (db: Db, iid: string) =>
  db
    .selectFrom("pacs_task as t")
    .innerJoin("pacs_destination as d", (join) =>
      join.onRef("d.institution_id", "=", "t.institution_id").onRef("d.id", "=", "t.destination_id"),
    )
    .leftJoin("study as s", (join) =>
      join.onRef("s.institution_id", "=", "t.institution_id").onRef("s.id", "=", "t.study_id"),
    )
    .leftJoin("patient as p", (join) =>
      join.onRef("p.institution_id", "=", "s.institution_id").onRef("p.id", "=", "s.patient_id"),
    )
    .select(["t.id", "t.destination_id as destinationId", "d.name as destination", "t.study_id as studyId"])
    .select(["s.patient_id as patientId", "p.name as patientName", "s.description"])
    .select(["t.state", "t.tries", "t.total", "t.warnings", "t.problem", "t.detail", "t.created_at as createdAt"])
    .select(sql<number>`cardinality(t.delivered)`.as("done"))
    .select((of) => of.case().when("t.state", "=", "waiting").then(of.ref("t.next_at")).end().as("nextAt"))
    .select("t.finished_at as finishedAt")
    .where("t.institution_id", "=", iid);

type TaskRow = Awaited<ReturnType<ReturnType<typeof selectTasks>["execute"]>>[number];
const toTask = ({ description, ...row }: TaskRow): PacsTask => ({ ...row, description: description ?? "" });

export async function listTasks(
  db: Db,
  iid: string,
  { studyId, cursor }: { studyId?: string | undefined; cursor?: string | undefined },
): Promise<{ list: PacsTask[]; next: string | null }> {
  const rows = await selectTasks(db, iid)
    .$if(studyId !== undefined, (query) => query.where("t.study_id", "=", studyId!))
    .$if(cursor !== undefined, (query) => query.where("t.id", "<", cursor!))
    .orderBy("t.id", "desc")
    .limit(pacsRules.logPage + 1)
    .execute();
  const list = rows.slice(0, pacsRules.logPage).map(toTask);
  return { list, next: rows.length > list.length ? list.at(-1)!.id : null };
}

export async function requireTask(db: Db, iid: string, id: string): Promise<PacsTask> {
  const row = await selectTasks(db, iid).where("t.id", "=", id).executeTakeFirst();
  return row ? toTask(row) : refuse("notFound");
}

/** Adds a study to the queue. A study that already waits for the application is not added twice. */
export async function insertStudyTask(
  db: Db,
  owner: { iid: string; uid: string },
  { studyId, destinationId, total }: { studyId: string; destinationId: string; total: number },
): Promise<string> {
  const key = { institution_id: owner.iid, study_id: studyId, destination_id: destinationId };
  const inserted = await db
    .insertInto("pacs_task")
    .values({ ...key, id: newId(), total, created_by: owner.uid })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted) return inserted.id;
  const { id } = await selectOpenTask(db, owner.iid, { studyId, destinationId }).executeTakeFirstOrThrow();
  return id;
}

/** The task that is not over yet of this study to this application: at most one. */
export const selectOpenTask = (db: Db, iid: string, of: { studyId: string; destinationId: string }) =>
  db
    .selectFrom("pacs_task")
    .select("id")
    .where("institution_id", "=", iid)
    .where("study_id", "=", of.studyId)
    .where("destination_id", "=", of.destinationId)
    .where("state", "in", ["waiting", "sending"]);

export async function insertReportTask(
  db: Db,
  iid: string,
  destinationId: string,
  report: CommitmentReport,
): Promise<string> {
  const id = newId();
  await db
    .insertInto("pacs_task")
    .values({
      institution_id: iid,
      id,
      destination_id: destinationId,
      report: JSON.stringify(report),
      total: report.kept.length + report.failed.length,
    })
    .execute();
  return id;
}

export interface ClaimedTask {
  iid: string;
  id: string;
  tries: number;
  destinationId: string;
  studyId: string | null;
  report: CommitmentReport | null;
  delivered: string[];
}

/**
 * Begins an attempt; null if nothing is to be done any more, or not yet: the job of an earlier delay is left over after a
 * retry by hand. A job whose process died, `isRepeated`, continues what it began.
 */
export const claimTask = (
  database: Database,
  iid: string,
  id: string,
  isRepeated: boolean,
): Promise<ClaimedTask | null> =>
  database.asSystem(async (db) => {
    const row = await db
      .updateTable("pacs_task")
      .set((of) => ({ state: "sending", tries: of("tries", "+", 1) }))
      .where("institution_id", "=", iid)
      .where("id", "=", id)
      .where((of) =>
        of.or([
          of.and([of("state", "=", "waiting"), of("next_at", "<=", of.fn<string>("now"))]),
          ...(isRepeated ? [of("state", "=", "sending")] : []),
        ]),
      )
      .returning(["tries", "destination_id as destinationId", "study_id as studyId", "report", "delivered"])
      .executeTakeFirst();
    return row ? { iid, id, ...row } : null;
  });

/** Records the progress of an attempt. False: it was cancelled. */
export const recordProgress = (
  database: Database,
  { iid, id }: Pick<ClaimedTask, "iid" | "id">,
  progress: { total: number; delivered: readonly string[]; warnings: number },
): Promise<boolean> =>
  database.asSystem(async (db) => {
    const [updated] = await db
      .updateTable("pacs_task")
      .set({ ...progress, delivered: [...progress.delivered] })
      .where("institution_id", "=", iid)
      .where("id", "=", id)
      .where("state", "=", "sending")
      .execute();
    return updated?.numUpdatedRows === 1n;
  });

export interface AttemptResult {
  state: "sent" | "failed" | "waiting";
  problem: PacsProblem | null;
  detail: string | null;
  /** Seconds until the next attempt. */
  delay: number;
}

export const finishAttempt = async (db: Db, { iid, id }: Pick<ClaimedTask, "iid" | "id">, result: AttemptResult) => {
  const { state, problem, detail, delay } = result;
  await db
    .updateTable("pacs_task")
    .set({
      state,
      problem,
      detail: detail?.slice(0, 500) ?? null,
      next_at: sql<string>`now() + make_interval(secs => ${delay})`,
      finished_at: state === "waiting" ? null : sql<string>`now()`,
    })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("state", "=", "sending")
    .execute();
};

/** Begins the attempts anew. One that is in progress is not changed. */
export const restartTask = (db: Db, iid: string, id: string) =>
  db
    .updateTable("pacs_task")
    .set({ state: "waiting", tries: 0, next_at: sql<string>`now()`, problem: null, detail: null, finished_at: null })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("state", "in", ["waiting", "failed", "cancelled"])
    .execute();

export const cancelTask = (db: Db, iid: string, id: string) =>
  db
    .updateTable("pacs_task")
    .set({ state: "cancelled", finished_at: sql<string>`now()` })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("state", "in", ["waiting", "sending"])
    .execute();

export const deleteOldTasks = (database: Database): Promise<unknown> =>
  database.asSystem((db) =>
    db
      .deleteFrom("pacs_task")
      .where("created_at", "<", sql<string>`now() - make_interval(days => ${pacsRules.logDays})`)
      .execute(),
  );
