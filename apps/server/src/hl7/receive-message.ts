import { createHash } from "node:crypto";
import { ExchangeError } from "@arcada/exchange/exchange-error";
import { parseHl7, type Hl7Message } from "@arcada/exchange/hl7/hl7-message";
import { peekHl7Header, readHl7Header, type Hl7Header } from "@arcada/exchange/hl7/read-header";
import { writeAcknowledgement, type Acknowledgement } from "@arcada/exchange/hl7/write-acknowledgement";
import type { Hl7Connection } from "@arcada/contract/hl7/hl7.calls";
import { readInstitutionZone } from "../domain/institution-time-zone.ts";
import type { RecordContext } from "../patient/change-record.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { retryOnConflict } from "../platform/database/retry.ts";
import { refusalNameOf } from "../platform/http/error-handler.ts";
import { Refused } from "../platform/http/refuse.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { hl7Messages } from "../platform/telemetry/counters-and-histograms.ts";
import { logEvent } from "../platform/telemetry/log.ts";
import { describeError } from "../platform/telemetry/redact-error.ts";
import { applyIntent } from "./apply-intent.ts";
import { findSender, recordReceived } from "./connection.store.ts";
import { recordOutcome, registerReceived, toOutcome, type MessageOutcome } from "./message.store.ts";
import { readIntent } from "./read-intent.ts";

/**
 * Takes a message for a clinic and returns its acknowledgement. Everything that the message changes is committed with
 * the acknowledgement: a message that comes again, because nobody heard it, gets the same one and changes nothing.
 */
export async function receiveMessage(database: Database, iid: string, bytes: Uint8Array): Promise<string> {
  const header = readHeader(bytes);
  if (!header) return acknowledgeUnreadable();
  const run = (work: (db: Db, connection: Hl7Connection) => Promise<string>): Promise<string> =>
    retryOnConflict(() =>
      database.as({ system: false, iid, uid: null }, async (db) => {
        const connection = await findSender(db, iid, header);
        return connection ? work(db, connection) : refuseSender(header);
      }),
    );
  try {
    return await run((db, connection) => takeMessage(db, { iid, connection, header, bytes }));
  } catch (error) {
    // A message that fails each time must not hold up those behind it. One that would not fail a second time must not
    // be answered: many senders drop what they get an error for.
    if (isTransient(error)) throw error;
    logEvent("error", "hl7", describeError(error));
    const text = error instanceof Refused ? `refused: ${error.refusal}` : "the message could not be processed";
    const ack: Acknowledgement = { code: "AE", error: { code: "applicationError", text } };
    return run((db, connection) => refuseMessage(db, { iid, connection, header, bytes }, ack, text));
  }
}

/** PostgreSQL: connections, resources, locks not available, cancelled and shut down statements, errors of the system. */
const transientClasses = /^(08|53|55P03|57|58)/;

/** True if the database, or the disk, failed and not the message. */
function isTransient(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    ["unavailable", "storageFull"].includes(refusalNameOf(error)) ||
    (typeof code === "string" && transientClasses.test(code))
  );
}

/** Answers bytes between a start and an end block that are no message: its sender must not repeat them for ever. */
export function acknowledgeUnreadable(): string {
  count("refused");
  const text = "the message does not begin with MSH and its delimiters";
  return acknowledge(noHeader, { code: "AR", error: { code: "segmentSequence", text } });
}

interface Received {
  iid: string;
  connection: Hl7Connection;
  header: Hl7Header;
  bytes: Uint8Array;
}

async function takeMessage(db: Db, received: Received): Promise<string> {
  const { iid, connection, header, bytes } = received;
  const id = newId();
  const known = await registerReceived(db, iid, id, toRow(received));
  if (known) return known.reply ?? acknowledge(header, { code: "AA" });
  await recordReceived(db, iid, connection.id);
  const message = readMessage(bytes);
  if ("failure" in message) {
    const { reason, text } = message.failure;
    const ack: Acknowledgement = { code: "AR", error: { code: "dataType", text } };
    return finish(db, received, id, { state: "refused", reason, detail: text }, ack);
  }
  const read = readIntent(message, readHl7Header(message), connection);
  if (!("intent" in read)) {
    const { state, reason, ack } = read;
    return finish(db, received, id, { state, reason, detail: ack.error?.text ?? null }, ack);
  }
  const applied = await applyIntent(await toContext(db, iid, connection), connection, read.intent, null);
  const detail = read.notes.length > 0 ? [...new Set(read.notes)].join("; ") : null;
  return finish(db, received, id, { ...toOutcome(applied, read.intent), detail }, { code: "AA" });
}

async function refuseMessage(db: Db, received: Received, ack: Acknowledgement, detail: string): Promise<string> {
  const id = newId();
  const known = await registerReceived(db, received.iid, id, toRow(received));
  if (known) return known.reply ?? acknowledge(received.header, ack);
  return finish(db, received, id, { state: "refused", reason: null, detail }, ack);
}

async function finish(
  db: Db,
  { iid, header }: Received,
  id: string,
  outcome: MessageOutcome,
  ack: Acknowledgement,
): Promise<string> {
  const reply = acknowledge(header, ack);
  await recordOutcome(db, iid, id, { ...outcome, reply });
  count(outcome.state);
  return reply;
}

/** The connection acts as a user of its own, whom the audit log names. */
async function toContext(db: Db, iid: string, { id, name }: Hl7Connection): Promise<RecordContext> {
  const timeZone = await readInstitutionZone(db, iid);
  return {
    db,
    now: new Date(),
    principal: { sessionId: id, tokenHash: "", uid: id, name, iid, role: "clinicAdmin", kind: "key", timeZone },
  };
}

function readMessage(
  bytes: Uint8Array,
): Hl7Message | { failure: { reason: "notHl7" | "unknownEncoding"; text: string } } {
  try {
    return parseHl7(bytes);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const reason = error.problem === "unknownEncoding" ? "unknownEncoding" : "notHl7";
    const text =
      reason === "unknownEncoding"
        ? "MSH-18 is a character set that is not known, or the text is in another one"
        : "the message has no shape of HL7";
    return { failure: { reason, text } };
  }
}

function readHeader(bytes: Uint8Array): Hl7Header | null {
  try {
    return peekHl7Header(bytes);
  } catch (error) {
    if (error instanceof ExchangeError) return null;
    throw error;
  }
}

const noHeader: Hl7Header = {
  application: "",
  facility: "",
  receiver: "",
  receiverFacility: "",
  type: "",
  event: "",
  controlId: "",
  version: "2.5",
  processing: "P",
};

function refuseSender(header: Hl7Header): string {
  count("refused");
  logEvent("warn", "hl7", "a message of a sender that the clinic has not set up was refused");
  const text = "MSH-3 and MSH-4 name a sender that is not set up";
  return acknowledge(header, { code: "AR", error: { code: "unknownKey", text } });
}

const acknowledge = (header: Hl7Header, ack: Acknowledgement): string =>
  writeAcknowledgement(header, ack, newId().replaceAll("-", "").slice(0, 20), new Date());

const count = (outcome: string): void => hl7Messages.inc({ direction: "in", outcome });

const toRow = ({ connection, header, bytes }: Received) => ({
  connection: connection.id,
  controlId: header.controlId,
  digest: digestMessage(bytes),
  type: `${header.type}^${header.event}`.replaceAll(/[^\w^]/g, "").slice(0, 20),
});

/** Hashes a message without its time (MSH-7), which some senders renew when they repeat one. */
function digestMessage(bytes: Uint8Array): string {
  const end = bytes.findIndex((byte) => byte === 0x0d || byte === 0x0a);
  const head = Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString("latin1");
  const fields = head.split(head[3] ?? "|");
  fields[6] = "";
  return createHash("sha256")
    .update(fields.join("|"))
    .update(end < 0 ? "" : bytes.subarray(end))
    .digest("hex");
}
