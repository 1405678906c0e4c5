import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { FeedbackAction, FeedbackState } from "@arcada/contract/feedback/feedback.lifecycle";
import type { FeedbackPage } from "@arcada/contract/feedback/feedback.rules";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { FeedbackFileTable, FeedbackWordTable, SoftwareFeedbackTable } from "../tables/schema.generated.ts";
import { selectValue } from "../platform/database/select-value.ts";

export type FeedbackRow = Selectable<SoftwareFeedbackTable> & {
  author: string | null;
  clinic: string | null;
  serial_number: string | null;
};

const feedbackRows = (db: Db) =>
  db
    .selectFrom("software_feedback as f")
    .leftJoin("users as u", "u.id", "f.created_by")
    .leftJoin("clinic as c", "c.id", "f.clinic_id")
    .leftJoin("device as d", "d.id", "f.device_id")
    .selectAll("f")
    .select(["u.nick_name as author", "c.name as clinic", "d.serial_number"]);

export const findFeedback = (db: Db, id: string): Promise<FeedbackRow | undefined> =>
  feedbackRows(db).where("f.id", "=", id).executeTakeFirst();

export interface FeedbackFilter {
  search?: string | undefined;
  page?: FeedbackPage | undefined;
  product?: string | undefined;
  model?: string | undefined;
  softwareVersion?: string | undefined;
  state?: FeedbackState | undefined;
  author?: string | undefined;
}
/** Newest first: identifiers sort by the time at which they were made. */
export const listFeedback = (
  db: Db,
  filter: FeedbackFilter,
  { before, most }: { before: string | undefined; most: number },
): Promise<FeedbackRow[]> =>
  feedbackRows(db)
    .where(matchesFilter(filter))
    .$if(before !== undefined, (query) => query.where("f.id", "<", before!))
    .orderBy("f.id", "desc")
    .limit(most)
    .execute();
export const countFeedback = (db: Db, filter: FeedbackFilter): Promise<number> =>
  selectValue(
    db,
    sql<number>`(select count(*)::int from software_feedback f
      left join clinic c on c.id = f.clinic_id left join device d on d.id = f.device_id where ${matchesFilter(filter)})`,
  );

function matchesFilter({
  search,
  page,
  product,
  model,
  softwareVersion,
  state,
  author,
}: FeedbackFilter): RawBuilder<boolean> {
  const exact: [string, string | undefined][] = [
    ["page", page],
    ["product", product],
    ["model", model],
    ["software_version", softwareVersion],
    ["state", state],
    ["created_by", author],
  ];
  const conditions = exact.flatMap(([column, value]) => (value ? [sql`f.${sql.ref(column)} = ${value}`] : []));
  const pattern = `%${(search ?? "").toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  if (search)
    conditions.push(sql`(lower(f.description) like ${pattern} or f.number::text = ${search.replace(/^#/, "")}
      or lower(d.serial_number) like ${pattern} or lower(c.name) like ${pattern})`);
  return conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : sql<boolean>`true`;
}

/** Returns the values of one column that occur in devices or feedback. */
const listValues = async (db: Db, column: "product" | "model" | "software_version"): Promise<string[]> =>
  (
    await sql<{ name: string }>`select ${sql.ref(column)} as name from device where ${sql.ref(column)} <> ''
      union select ${sql.ref(column)} from software_feedback where ${sql.ref(column)} <> '' order by 1 limit 500`.execute(
      db,
    )
  ).rows.map(({ name }) => name);
export const listChoices = async (db: Db) => ({
  products: await listValues(db, "product"),
  models: await listValues(db, "model"),
  versions: await listValues(db, "software_version"),
});

/** Returns a registered device and its clinic. */
export const findDevice = async (db: Db, id: string) =>
  db
    .selectFrom("device as d")
    .leftJoin("clinic as c", "c.id", "d.clinic_id")
    .select(["d.product", "d.model", "d.serial_number", "d.software_version", "d.clinic_id"])
    .select(["c.name as clinic", "c.address"])
    .where("d.id", "=", id)
    .executeTakeFirst();

/** Returns the detectors in the last feedback on a device: they seldom change. */
export const findLastDetectors = (db: Db, deviceId: string) =>
  db
    .selectFrom("software_feedback")
    .select(["ct_detector_type", "ct_detector_serial", "lateral_detector_type", "lateral_detector_serial"])
    .where("device_id", "=", deviceId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();

/** Changes the version that the user saw; returns false if another change came first. */
export async function updateFeedbackState(
  db: Db,
  { id, version }: { id: string; version: number },
  from: readonly FeedbackState[],
  to: { state: FeedbackState; fixedIn: string | null },
): Promise<boolean> {
  const moved = await db
    .updateTable("software_feedback")
    .set({
      state: to.state,
      fixed_in: to.fixedIn,
      version: version + 1,
      changed_at: sql<string>`now()`,
    })
    .where("id", "=", id)
    .where("version", "=", version)
    .where("state", "in", from)
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

export const addMessage = (
  db: Db,
  word: { feedback: string; uid: string; action: FeedbackAction; text: string; fixedIn: string | null },
) =>
  db
    .insertInto("feedback_word")
    .values({
      feedback_id: word.feedback,
      id: newId(),
      user_id: word.uid,
      action: word.action,
      text: word.text,
      fixed_in: word.fixedIn,
    })
    .execute();
export const listMessages = (
  db: Db,
  feedback: string,
): Promise<(Selectable<FeedbackWordTable> & { who: string | null })[]> =>
  db
    .selectFrom("feedback_word as w")
    .leftJoin("users as u", "u.id", "w.user_id")
    .selectAll("w")
    .select("u.nick_name as who")
    .where("w.feedback_id", "=", feedback)
    .orderBy("w.at")
    .orderBy("w.id")
    .execute();

/** Includes files whose bytes are still being sent. */
export const listFiles = (db: Db, feedback: string): Promise<Selectable<FeedbackFileTable>[]> =>
  db
    .selectFrom("feedback_file")
    .selectAll()
    .where("feedback_id", "=", feedback)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
