import { sql } from "kysely";
import type { Hl7Intent } from "@arcada/contract/hl7/hl7-intent";
import type { Hl7Message, Hl7Waiting } from "@arcada/contract/hl7/hl7.calls";
import { hl7Rules, type Hl7Reason } from "@arcada/contract/hl7/hl7.rules";
import { toRecordName } from "@arcada/contract/patient/launch-address";
import { findSimilarPatients, rankCandidates } from "../domain/patient-matching.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { AppliedIntent } from "./apply-intent.ts";
import { toNamedPerson } from "./match-patient.ts";

const selectMessages = (db: Db, iid: string) =>
  db
    .selectFrom("hl7_message as m")
    .innerJoin("hl7_connection as c", (join) =>
      join.onRef("c.institution_id", "=", "m.institution_id").onRef("c.id", "=", "m.connection_id"),
    )
    .leftJoin("patient as p", (join) =>
      join.onRef("p.institution_id", "=", "m.institution_id").onRef("p.id", "=", "m.patient_id"),
    )
    .select(["m.id", "m.connection_id as connectionId", "c.name as connection", "m.direction", "m.type"])
    .select(["m.control_id as controlId", "m.state", "m.reason", "m.problem", "m.detail", "m.tries"])
    .select(["m.patient_id as patientId", "p.name as patientName", "m.created_at as createdAt"])
    .select((of) => of.case().when("m.state", "=", "queued").then(of.ref("m.next_at")).end().as("nextAt"))
    .select("m.finished_at as finishedAt")
    .where("m.institution_id", "=", iid);

export async function listMessages(
  db: Db,
  iid: string,
  { connectionId, cursor }: { connectionId?: string | undefined; cursor?: string | undefined },
): Promise<{ list: Hl7Message[]; next: string | null }> {
  const rows = await selectMessages(db, iid)
    .$if(connectionId !== undefined, (query) => query.where("m.connection_id", "=", connectionId!))
    .$if(cursor !== undefined, (query) => query.where("m.id", "<", cursor!))
    .orderBy("m.id", "desc")
    .limit(hl7Rules.logPage + 1)
    .execute();
  const list = rows.slice(0, hl7Rules.logPage);
  return { list, next: rows.length > list.length ? list.at(-1)!.id : null };
}

export const requireMessage = async (db: Db, iid: string, id: string): Promise<Hl7Message> =>
  (await selectMessages(db, iid).where("m.id", "=", id).executeTakeFirst()) ?? refuse("notFound");

/** Returns the messages about which a person must decide, with the records that they may mean. */
export async function listWaiting(db: Db, iid: string): Promise<{ list: Hl7Waiting[]; more: boolean }> {
  const rows = await selectMessages(db, iid)
    .select(["m.intent", "m.other_patient_id as otherPatientId"])
    .where("m.state", "=", "waiting")
    .orderBy("m.id")
    .limit(hl7Rules.logPage + 1)
    .execute();
  const list: Hl7Waiting[] = [];
  for (const { intent, otherPatientId, ...row } of rows.slice(0, hl7Rules.logPage)) {
    if (!intent) continue;
    const { number, name, birthDate, sex } = intent.person;
    const person = { number, name: toRecordName(name), birthDate: birthDate ?? null, sex: sex ?? null };
    const named = [row.patientId, otherPatientId].filter((id) => id !== null);
    const candidates = await listCandidates(db, iid, named, intent);
    list.push({ ...row, person, candidates });
  }
  return { list, more: rows.length > hl7Rules.logPage };
}

async function listCandidates(db: Db, iid: string, ids: string[], { person }: Hl7Intent) {
  const named = toNamedPerson(person);
  const found =
    ids.length > 0
      ? await db
          .selectFrom("patient")
          .select(["id", "number", "entry_number as entryNumber", "name", "birth_date as birthDate"])
          .where("institution_id", "=", iid)
          .where("id", "in", ids)
          .where("deleted_at", "is", null)
          .execute()
      : rankCandidates(named, await findSimilarPatients(db, named));
  return found
    .map(({ id, name, number, entryNumber, birthDate }) => ({ id, name, number: entryNumber || number, birthDate }))
    .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

export interface ReceivedMessage {
  connection: string;
  controlId: string;
  digest: string;
  type: string;
}

/**
 * Registers a received message. Null: it is new, and this transaction holds its place. Otherwise the answer that it got:
 * a second copy that arrives at the same time waits here until the first one is done.
 */
export async function registerReceived(db: Db, iid: string, id: string, received: ReceivedMessage) {
  const { connection, controlId, digest, type } = received;
  const key = { institution_id: iid, connection_id: connection, control_id: controlId, digest };
  const inserted = await db
    .insertInto("hl7_message")
    .values({ ...key, id, direction: "in", type, state: "done" })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (inserted) return null;
  return db
    .selectFrom("hl7_message")
    .select("reply")
    .where("institution_id", "=", iid)
    .where("connection_id", "=", connection)
    .where("control_id", "=", controlId)
    .where("digest", "=", digest)
    .where("direction", "=", "in")
    .executeTakeFirst();
}

export interface MessageOutcome {
  state: "done" | "waiting" | "ignored" | "refused" | "dismissed";
  reason: Hl7Reason | null;
  patientId?: string | null;
  otherPatientId?: string | null;
  /** Kept while a person has to decide. */
  intent?: Hl7Intent | null;
  detail?: string | null;
  reply?: string;
  decidedBy?: string;
}

export const recordOutcome = (db: Db, iid: string, id: string, outcome: MessageOutcome) =>
  db
    .updateTable("hl7_message")
    .set({
      state: outcome.state,
      reason: outcome.reason,
      patient_id: outcome.patientId ?? null,
      other_patient_id: outcome.otherPatientId ?? null,
      intent: outcome.intent ? JSON.stringify(outcome.intent) : null,
      ...(outcome.detail !== undefined && { detail: outcome.detail?.slice(0, 500) ?? null }),
      ...(outcome.reply !== undefined && { reply: outcome.reply }),
      ...(outcome.decidedBy !== undefined && { decided_by: outcome.decidedBy }),
      finished_at: outcome.state === "waiting" ? null : sql<string>`now()`,
    })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();

/** Returns a message that waits, locked until this transaction ends. */
export const lockWaiting = (db: Db, iid: string, id: string) =>
  db
    .selectFrom("hl7_message")
    .select(["connection_id as connectionId", "intent", "reason", "patient_id as patientId"])
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .forUpdate()
    .executeTakeFirst();

export const toOutcome = (applied: AppliedIntent, intent: Hl7Intent): MessageOutcome => ({
  ...applied,
  intent: applied.state === "waiting" ? intent : null,
});

/** Deletes the log after its time; what waits for a person, and what waits to be sent, later. */
export const deleteOldMessages = (database: Database): Promise<unknown> =>
  database.asSystem((db) =>
    db
      .deleteFrom("hl7_message")
      .where((of) =>
        of.or([
          of.and([
            of("created_at", "<", sql<string>`now() - make_interval(days => ${hl7Rules.logDays})`),
            of("state", "not in", ["waiting", "queued", "sending"]),
          ]),
          of("created_at", "<", sql<string>`now() - make_interval(days => ${hl7Rules.waitingDays})`),
        ]),
      )
      .execute(),
  );
