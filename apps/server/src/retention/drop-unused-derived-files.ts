import { sql } from "kysely";
import { studyRules } from "@arcada/contract/study/study.rules";
import { audit } from "../platform/audit/audit.ts";
import { markUnneeded } from "../platform/storage/blob-references.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { dropUnusedStreamingCopies } from "../order/order-file-copies.writes.ts";
import { dropDerivedRows } from "../study/retention.writes.ts";
import { clearUnneededFiles } from "./clear-unneeded-files.ts";
import type { Row } from "../tables/row.ts";

type StudyKey = Row<"study", "institution_id" | "id">;

/** Removes the files for viewers of studies that nobody has viewed for long; their thumbnails and originals stay. */
export async function dropUnusedDerivedFiles(
  database: Database,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  let done = 0;
  for (;;) {
    const due = await database.asSystem(listUnused);
    for (const key of due) {
      signal.throwIfAborted();
      if (await database.asSystem((db) => dropDerivedFiles(db, key))) done += 1;
    }
    if (due.length < rowsPerBatch) await database.asSystem(dropUnusedStreamingCopies);
    await clearUnneededFiles(database, signal);
    if (due.length < rowsPerBatch) return done;
  }
}

const rowsPerBatch = 500;
const isUnused = sql<boolean>`s.state = 'ready' and s.deleted_at is null
  and s.used_at < now() - make_interval(months => ${studyRules.convertedMonths}::int)
  and exists (select from converted_file c where c.institution_id = s.institution_id and c.study_id = s.id)`;

const listUnused = async (db: Db): Promise<StudyKey[]> =>
  (await sql<StudyKey>`select s.institution_id, s.id from study s where ${isUnused} limit ${rowsPerBatch}`.execute(db))
    .rows;

/** If the study is opened at the same moment, the opening wins: then the study is in use again. */
async function dropDerivedFiles(db: Db, { institution_id: iid, id }: StudyKey): Promise<boolean> {
  const found =
    await sql`select from study s where institution_id = ${iid} and id = ${id} and ${isUnused} for update`.execute(db);
  if (found.rows.length === 0) return false;
  const contents = await dropDerivedRows(db, iid, id);
  await markUnneeded(
    db,
    iid,
    contents.map((sha256) => ({ area: "converted", sha256 })),
  );
  await audit(db, { institution_id: iid, user_id: null, action: "study.unprepare", subject: id });
  await notifyClients(db, { institutions: [iid] }, "study", id);
  return true;
}
