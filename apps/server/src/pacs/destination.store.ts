import { sql } from "kysely";
import type { PacsDestination, PacsProblem } from "@arcada/contract/pacs/pacs.calls";
import { pacsRules } from "@arcada/contract/pacs/pacs.rules";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";

const selectDestinations = (db: Db, iid: string) =>
  db
    .selectFrom("pacs_destination")
    .select(["id", "name", "title", "host", "port", "tls", "problem"])
    .select(["reached_at as reachedAt", "failed_at as failedAt"])
    .where("institution_id", "=", iid);

export const listDestinations = (db: Db, iid: string): Promise<PacsDestination[]> =>
  selectDestinations(db, iid).orderBy("name").orderBy("id").execute();

export const requireDestination = async (db: Db, iid: string, id: string): Promise<PacsDestination> =>
  (await selectDestinations(db, iid).where("id", "=", id).executeTakeFirst()) ?? refuse("notFound");

/** The application that a C-MOVE names as its destination; titles are unique within a clinic. */
export const findDestinationByTitle = (db: Db, iid: string, title: string): Promise<PacsDestination | undefined> =>
  selectDestinations(db, iid).where("title", "=", title).executeTakeFirst();

export type DestinationInput = Pick<PacsDestination, "name" | "title" | "host" | "port" | "tls">;

export async function insertDestination(
  db: Db,
  owner: { iid: string; uid: string },
  input: DestinationInput,
): Promise<PacsDestination> {
  await lockDestinations(db, owner.iid);
  const known = await listDestinations(db, owner.iid);
  if (known.length >= pacsRules.maxDestinations) refuse("pacsTooMany", { most: pacsRules.maxDestinations });
  requireOwnTitle(known, input.title);
  const id = newId();
  const { iid: institution_id, uid: created_by } = owner;
  await db
    .insertInto("pacs_destination")
    .values({ institution_id, id, ...input, created_by })
    .execute();
  return requireDestination(db, owner.iid, id);
}

/** A changed address starts afresh: earlier failures do not count. */
export async function updateDestination(
  db: Db,
  iid: string,
  id: string,
  input: DestinationInput,
): Promise<PacsDestination> {
  await lockDestinations(db, iid);
  const known = await listDestinations(db, iid);
  requireOwnTitle(
    known.filter((one) => one.id !== id),
    input.title,
  );
  await db
    .updateTable("pacs_destination")
    .set({ ...input, failed_at: null, problem: null })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
  return requireDestination(db, iid, id);
}

/** One change at a time in a clinic, so that two cannot take one title, or the last free place. */
const lockDestinations = (db: Db, iid: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`pacs destinations ${iid}`}, 0))`.execute(db);

/** A C-MOVE names its destination by the title alone. */
function requireOwnTitle(others: readonly PacsDestination[], title: string): void {
  if (others.some((one) => one.title === title)) refuse("pacsTitleTaken", { title: "pacsTitleTaken" });
}

export async function deleteDestination(db: Db, iid: string, id: string): Promise<void> {
  const [deleted] = await db
    .deleteFrom("pacs_destination")
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
  if (deleted?.numDeletedRows === 0n) refuse("notFound");
}

/** Records whether the application took the last association. */
export async function recordConnection(db: Db, iid: string, id: string, problem: PacsProblem | null): Promise<void> {
  const now = sql<string>`now()`;
  await db
    .updateTable("pacs_destination")
    .set(problem === null ? { reached_at: now, failed_at: null, problem } : { failed_at: now, problem })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
}
