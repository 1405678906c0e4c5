import { buffer } from "node:stream/consumers";
import { sql } from "kysely";
import type { Hl7Connection } from "@arcada/contract/hl7/hl7.calls";
import { hl7Rules, type Hl7Problem } from "@arcada/contract/hl7/hl7.rules";
import { readAcknowledgement } from "@arcada/exchange/hl7/read-acknowledgement";
import { writeHl7Result } from "@arcada/exchange/hl7/write-result";
import { publicAddress } from "../platform/mail/email-queue.ts";
import { audit } from "../platform/audit/audit.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { on, type EventData, type Subscriber } from "../platform/events/events.ts";
import { defineQueue, type Jobs } from "../platform/jobs/jobs.ts";
import { exchangeMessage, MllpFailed, probeMllp, type MllpAddress } from "../platform/mllp/mllp-client.ts";
import { readTlsFiles } from "../platform/runtime/read-tls-files.ts";
import type { Config } from "../platform/runtime/config.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { files, jobs } from "../platform/runtime/services.ts";
import { resolveReachable } from "../platform/security/outbound-address-guard.ts";
import { hl7Messages } from "../platform/telemetry/counters-and-histograms.ts";
import { reportSigned } from "../report/report.events.ts";
import { findConnection, recordReached } from "./connection.store.ts";
import { findOpenOrder, markReported } from "./order.store.ts";
import { claimMessage, finishAttempt, type ClaimedMessage } from "./outgoing.store.ts";

const sendQueue = defineQueue<{ iid: string; message: string }>("hl7.send");

/** Messages of one system leave one after another. */
const team = { teamSize: 8, ofOneGroup: 1 } as const;

export const registerSending = (queue: Jobs, config: Config, database: Database): Promise<void> =>
  queue.work(
    sendQueue,
    ({ iid, message }, signal, { attempt }) =>
      attemptMessage({ config, database, signal }, { iid, id: message, isRepeated: attempt > 1 }),
    {
      ...team,
      // Every attempt ended with its process: people see it in the log, and may begin anew.
      onDeadLetter: ({ iid, message }, { error }) =>
        database.asSystem((db) =>
          finishAttempt(db, { iid, id: message }, { state: "failed", problem: "network", detail: error, delay: 0 }),
        ),
    },
  );

export const enqueueMessage = (db: Db, iid: string, message: string, connection: string, afterSeconds = 0) =>
  jobs().send(db, sendQueue, { iid, message }, { group: connection, ...(afterSeconds > 0 && { afterSeconds }) });

/** A signed report goes to the systems that want reports, in the transaction of the signature. */
export const reportSubscriber: Subscriber = on(reportSigned, queueReport);

async function queueReport(db: Db, { institution: iid, reportId, patientId }: EventData<typeof reportSigned>) {
  const targets = await db
    .selectFrom("hl7_connection as c")
    .innerJoin("patient as p", "p.institution_id", "c.institution_id")
    .select("c.id")
    .where("c.institution_id", "=", iid)
    .where("c.results", "<>", "off")
    .where("c.host", "<>", "")
    .where("p.id", "=", patientId)
    // Without a number there the other system cannot know the patient.
    .where(sql`coalesce(p.entry_number, '')`, "<>", "")
    .orderBy("c.id")
    .execute();
  for (const { id: connection_id } of targets) {
    const id = newId();
    const key = { institution_id: iid, id, connection_id, report_id: reportId, patient_id: patientId };
    await db
      .insertInto("hl7_message")
      .values({ ...key, direction: "out", control_id: toControlId(id), type: "ORU^R01", state: "queued" })
      .execute();
    await enqueueMessage(db, iid, id, connection_id);
  }
}

/** MSH-10 has room for twenty characters; the same message keeps its id when it is sent again. */
const toControlId = (id: string): string => id.replaceAll("-", "").slice(-20);

interface SendContext {
  config: Config;
  database: Database;
  signal: AbortSignal;
}

/** A message that the other system did not take. `message` is for the operator, in English. */
class SendFailed extends Error {
  override name = "SendFailed";
  readonly problem: Hl7Problem;
  constructor(problem: Hl7Problem, detail: string) {
    super(detail);
    this.problem = problem;
  }
}

/** @param isRepeated whether an earlier attempt may have ended with its process */
export async function attemptMessage(
  context: SendContext,
  { iid, id, isRepeated }: { iid: string; id: string; isRepeated: boolean },
): Promise<void> {
  const { database, signal } = context;
  const claimed = await claimMessage(database, iid, id, isRepeated);
  if (!claimed) return;
  const result = await sendReport(context, claimed).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return toSendFailure(error);
  });
  const failure = result instanceof SendFailed ? result : null;
  await database.asSystem(async (db) => {
    // Together with the state: a copy that follows a killed process must name the same order.
    if (!(result instanceof SendFailed)) await recordSent(db, claimed, result);
    // A message that was rejected as wrong, or is gone, does not get better by waiting.
    const isFinal = failure !== null && ["gone", "rejected"].includes(failure.problem);
    const delay = failure && !isFinal ? hl7Rules.delays[claimed.tries - 1] : undefined;
    const state = failure === null ? "sent" : delay === undefined ? "failed" : "queued";
    const [problem, detail] = failure ? [failure.problem, failure.message] : [null, null];
    await finishAttempt(db, claimed, { state, problem, detail, delay: delay ?? 0 });
    if (problem !== "gone") await recordReached(db, iid, claimed.connectionId, problem);
    if (state === "queued") await enqueueMessage(db, iid, id, claimed.connectionId, delay);
  });
  hl7Messages.inc({ direction: "out", outcome: failure === null ? "sent" : failure.problem });
}

type LoadedReport = Awaited<ReturnType<typeof loadReport>>;

/** Returns the content that the other system took. */
async function sendReport(context: SendContext, message: ClaimedMessage): Promise<LoadedReport> {
  const { database, config, signal } = context;
  const { iid } = message;
  const loaded = await database.as({ system: false, iid, uid: null }, (db) => loadReport(db, message));
  const { connection, order } = loaded;
  const document =
    connection.results === "pdf" ? { pdf: await readPdf(iid, loaded) } : { url: toReportAddress(config, message) };
  const text = writeHl7Result({
    controlId: message.controlId,
    now: new Date(),
    sender: { application: connection.receiver || "ARCADA", facility: connection.receiverFacility },
    receiver: { application: connection.application, facility: connection.facility },
    patient: loaded.patient,
    order,
    report: loaded.report,
    document,
    texts: loaded.texts,
  });
  const address = await resolveAddress(config, connection);
  const answer = await exchangeMessage(address, Buffer.from(text), { answerMs: hl7Rules.answerSeconds * 1000, signal });
  requireAcceptance(answer, message.controlId);
  return loaded;
}

async function recordSent(
  db: Db,
  { iid, patientId, reportId }: ClaimedMessage,
  { order, connection }: LoadedReport,
): Promise<void> {
  if (order) await markReported(db, iid, order.id);
  const detail = { by: "hl7", to: connection.name, patient: patientId };
  await audit(db, { institution_id: iid, user_id: null, action: "hl7.sent", subject: reportId, detail });
}

async function loadReport(db: Db, { iid, connectionId, reportId, patientId }: ClaimedMessage) {
  const connection = await findConnection(db, iid, connectionId);
  if (!connection || connection.host === "") throw new SendFailed("gone", "the system was removed, or has no address");
  const row = await db
    .selectFrom("report as r")
    .innerJoin("patient as p", (join) =>
      join.onRef("p.institution_id", "=", "r.institution_id").onRef("p.id", "=", "r.patient_id"),
    )
    .select(["r.number", "r.state", "r.content", "r.signed_at", "r.previous_id", "p.name", "p.sex"])
    .select(["p.birth_date as birthDate", "p.entry_number", "p.number as ownNumber"])
    .where("r.institution_id", "=", iid)
    .where("r.id", "=", reportId)
    .where("p.deleted_at", "is", null)
    .executeTakeFirst();
  if (!row?.content || row.state === "withdrawn") throw new SendFailed("gone", "the report is not there any more");
  const papers = await db
    .selectFrom("report_paper")
    .select(["language", "sha256"])
    .where("institution_id", "=", iid)
    .where("report_id", "=", reportId)
    .orderBy("language")
    .execute();
  const { country } = await db
    .selectFrom("institution")
    .select("country")
    .where("id", "=", iid)
    .executeTakeFirstOrThrow();
  const { content } = row;
  return {
    connection,
    papers,
    language: country === "CN" ? "zh" : "en",
    order: (await findOpenOrder(db, iid, connectionId, patientId)) ?? null,
    patient: {
      number: row.entry_number ?? "",
      authority: connection.authority,
      ownNumber: row.ownNumber,
      name: row.name,
      birthDate: row.birthDate,
      sex: row.sex,
    },
    report: {
      number: row.number,
      title: "Dental imaging report",
      signedAt: new Date(row.signed_at ?? 0),
      signer: content.signature?.name ?? "",
      isAmended: row.previous_id !== null,
    },
    texts: [
      { code: "EXAMINATION", name: "Examination", value: content.form.examination ?? "" },
      { code: "DIAGNOSIS", name: "Diagnosis", value: content.form.diagnosis ?? "" },
    ].filter(({ value }) => value !== ""),
  };
}

/** The document of the clinic's language, as it was signed. */
async function readPdf(
  iid: string,
  { papers, language }: { papers: { language: string; sha256: string }[]; language: string },
): Promise<Uint8Array> {
  const paper = papers.find((one) => one.language === language) ?? papers[0];
  if (!paper) throw new SendFailed("gone", "the report has no document");
  return buffer(await files().read("converted", iid, paper.sha256));
}

const toReportAddress = (config: Config, { reportId }: ClaimedMessage): string =>
  `${publicAddress(config)}/reportDetail/page?id=${reportId}`;

/** AA or CA takes the message, and everything else names its reason. */
function requireAcceptance(answer: Uint8Array, controlId: string): void {
  const ack = readAcknowledgement(answer);
  if (!ack || ack.controlId !== controlId)
    throw new SendFailed("answer", "the answer is no acknowledgement of this message (MSA-2)");
  if (ack.code === "AA" || ack.code === "CA") return;
  const isFinal = ack.code === "AR" || ack.code === "CR";
  throw new SendFailed(isFinal ? "rejected" : "error", `${ack.code.slice(0, 2)}: ${ack.reason || "no reason given"}`);
}

function toSendFailure(error: unknown): SendFailed {
  if (error instanceof SendFailed) return error;
  if (error instanceof MllpFailed) return new SendFailed(error.problem, error.message);
  return new SendFailed("network", error instanceof Error ? error.message : "unknown");
}

const resolveMs = 10_000;

/**
 * Resolves the address of a system. It is checked each time: a system must not lead into networks that the operator has
 * not allowed.
 */
async function resolveAddress(config: Config, { host, port, tls }: Hl7Connection): Promise<MllpAddress> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the name is not resolved in time")), resolveMs);
  try {
    const found = await Promise.race([resolveReachable(host, config.HL7_NETWORKS), late.promise]);
    if (!found) throw new SendFailed("forbidden", `${host} is in a network that HL7_NETWORKS does not name`);
    return {
      addresses: found.map(({ address }) => address),
      host,
      port,
      tls: tls ? (readTlsFiles("HL7", config) ?? {}) : null,
    };
  } catch (error) {
    if (error instanceof SendFailed) throw error;
    throw new SendFailed("address", error instanceof Error ? error.message : "unknown name");
  } finally {
    clearTimeout(timer);
  }
}

/** Connects to the address of a system, without a message. */
export async function probeConnection(
  config: Config,
  connection: Hl7Connection,
): Promise<{ problem: Hl7Problem; message: string } | null> {
  try {
    await probeMllp(await resolveAddress(config, connection));
    return null;
  } catch (error) {
    return toSendFailure(error);
  }
}
