import { sql } from "kysely";
import type { Hl7Connection } from "@arcada/contract/hl7/hl7.calls";
import { hl7Rules, type Hl7Problem } from "@arcada/contract/hl7/hl7.rules";
import { insertTechnicalUser } from "../account/account.writes.ts";
import { bypassTenantScope, type Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";

const selectConnections = (db: Db, iid: string) =>
  db
    .selectFrom("hl7_connection as c")
    .select(["c.id", "c.name", "c.application", "c.facility", "c.receiver", "c.receiver_facility as receiverFacility"])
    .select(["c.authority", "c.creates_patients as createsPatients", "c.results", "c.host", "c.port", "c.tls"])
    .select(["c.received_at as receivedAt", "c.reached_at as reachedAt", "c.failed_at as failedAt", "c.problem"])
    .select((of) =>
      of.fn
        .coalesce(
          of
            .selectFrom("hl7_message as m")
            .select(sql<number>`count(*)::int`.as("count"))
            .whereRef("m.institution_id", "=", "c.institution_id")
            .whereRef("m.connection_id", "=", "c.id")
            .where("m.state", "=", "waiting"),
          sql<number>`0`,
        )
        .as("waiting"),
    )
    .where("c.institution_id", "=", iid);

export const listConnections = (db: Db, iid: string): Promise<Hl7Connection[]> =>
  selectConnections(db, iid).orderBy("c.name").orderBy("c.id").execute();

export const findConnection = (db: Db, iid: string, id: string): Promise<Hl7Connection | undefined> =>
  selectConnections(db, iid).where("c.id", "=", id).executeTakeFirst();

export const requireConnection = async (db: Db, iid: string, id: string): Promise<Hl7Connection> =>
  (await findConnection(db, iid, id)) ?? refuse("notFound");

/** Returns the system that a message names as its sender; one without a facility stands for all of its application. */
export async function findSender(
  db: Db,
  iid: string,
  { application, facility }: { application: string; facility: string },
): Promise<Hl7Connection | undefined> {
  const found = await selectConnections(db, iid)
    .where(sql`lower(c.application)`, "=", application.toLowerCase())
    .where(sql`lower(c.facility)`, "in", [facility.toLowerCase(), ""])
    .execute();
  return found.toSorted((one, other) => other.facility.length - one.facility.length)[0];
}

export type ConnectionInput = Omit<
  Hl7Connection,
  "id" | "receivedAt" | "reachedAt" | "failedAt" | "problem" | "waiting"
>;

const toColumns = ({ createsPatients, receiverFacility, ...rest }: ConnectionInput) => ({
  ...rest,
  creates_patients: createsPatients,
  receiver_facility: receiverFacility,
});

export async function insertConnection(
  db: Db,
  { iid, uid }: { iid: string; uid: string },
  input: ConnectionInput,
): Promise<Hl7Connection> {
  await lockConnections(db, iid);
  const known = await listConnections(db, iid);
  if (known.length >= hl7Rules.maxConnections) refuse("hl7TooMany", { most: hl7Rules.maxConnections });
  requireOwnSender(known, input);
  const id = newId();
  await bypassTenantScope(db, () => insertTechnicalUser(db, id, input.name));
  await db
    .insertInto("hl7_connection")
    .values({ institution_id: iid, id, ...toColumns(input), created_by: uid })
    .execute();
  return requireConnection(db, iid, id);
}

/** A changed address starts afresh: earlier failures do not count. */
export async function updateConnection(
  db: Db,
  iid: string,
  id: string,
  input: ConnectionInput,
): Promise<Hl7Connection> {
  await lockConnections(db, iid);
  const known = await listConnections(db, iid);
  requireOwnSender(
    known.filter((one) => one.id !== id),
    input,
  );
  await db
    .updateTable("hl7_connection")
    .set({ ...toColumns(input), failed_at: null, problem: null })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
  return requireConnection(db, iid, id);
}

/** One change at a time in a clinic, so that two cannot take one sender, or the last free place. */
const lockConnections = (db: Db, iid: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`hl7 connections ${iid}`}, 0))`.execute(db);

function requireOwnSender(others: readonly Hl7Connection[], { application, facility }: ConnectionInput): void {
  const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  if (others.some((one) => isSame(one.application, application) && isSame(one.facility, facility)))
    refuse("hl7SenderTaken", { application: "hl7SenderTaken" });
}

export async function deleteConnection(db: Db, iid: string, id: string): Promise<void> {
  const [deleted] = await db
    .deleteFrom("hl7_connection")
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
  if (deleted?.numDeletedRows === 0n) refuse("notFound");
}

/** Records whether the system took the last message. */
export async function recordReached(db: Db, iid: string, id: string, problem: Hl7Problem | null): Promise<void> {
  const now = sql<string>`now()`;
  await db
    .updateTable("hl7_connection")
    .set(problem === null ? { reached_at: now, failed_at: null, problem } : { failed_at: now, problem })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
}

export const recordReceived = (db: Db, iid: string, id: string) =>
  db
    .updateTable("hl7_connection")
    .set({ received_at: sql<string>`now()` })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
