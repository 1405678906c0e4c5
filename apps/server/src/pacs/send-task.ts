import { pacsRules } from "@arcada/contract/pacs/pacs.rules";
import { listStoredInstances, type StoredInstance } from "../dicomweb/indexed-instances.store.ts";
import { proposeContexts, sendObject } from "../dimse/send-objects.ts";
import { audit } from "../platform/audit/audit.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { Refused } from "../platform/http/refuse.ts";
import { defineQueue, type Jobs } from "../platform/jobs/jobs.ts";
import type { Config } from "../platform/runtime/config.ts";
import { jobs } from "../platform/runtime/services.ts";
import { connectToDestination, DestinationFailed, toDestinationFailure } from "./connect-to-destination.ts";
import { recordConnection, requireDestination } from "./destination.store.ts";
import { toOutgoingObject } from "./read-stored-object.ts";
import { reportCommitment } from "./storage-commitment.ts";
import { claimTask, finishAttempt, recordProgress, type ClaimedTask } from "./task.store.ts";

const sendQueue = defineQueue<{ iid: string; task: string }>("pacs.send");

/** Attempts at once in this process; an application that hangs occupies only its own one. */
const team = { teamSize: 8, ofOneGroup: 1 } as const;

export const registerSending = (queue: Jobs, config: Config, database: Database): Promise<void> =>
  queue.work(
    sendQueue,
    ({ iid, task }, signal, { attempt }) => attemptTask({ config, database, signal }, { iid, id: task, attempt }),
    {
      ...team,
      // Every attempt ended with its process: people see it in the log, and may begin anew.
      onDeadLetter: ({ iid, task }, { error }) =>
        database.asSystem((db) =>
          finishAttempt(db, { iid, id: task }, { state: "failed", problem: "network", detail: error, delay: 0 }),
        ),
    },
  );

export const enqueueTask = (db: Db, iid: string, task: string, destination: string, afterSeconds = 0) =>
  jobs().send(db, sendQueue, { iid, task }, { group: destination, ...(afterSeconds > 0 && { afterSeconds }) });

interface SendContext {
  config: Config;
  database: Database;
  signal: AbortSignal;
}

async function attemptTask(
  context: SendContext,
  { iid, id, attempt }: { iid: string; id: string; attempt: number },
): Promise<void> {
  const { database } = context;
  const task = await claimTask(database, iid, id, attempt > 1);
  if (!task) return;
  const failure = await (task.report ? reportTo(context, task) : sendStudy(context, task)).then(
    () => null,
    (error: unknown) => {
      if (context.signal.aborted) throw error;
      return toDestinationFailure(error);
    },
  );
  await database.asSystem(async (db) => {
    // Objects that are gone, or that cannot be sent, do not come back by waiting.
    const delay = failure && failure.problem !== "gone" ? pacsRules.delays[task.tries - 1] : undefined;
    const state = failure === null ? "sent" : delay === undefined ? "failed" : "waiting";
    const [problem, detail] = failure ? [failure.problem, failure.message] : [null, null];
    await finishAttempt(db, task, { state, problem, detail, delay: delay ?? 0 });
    if (problem !== "objects" && problem !== "gone") await recordConnection(db, iid, task.destinationId, problem);
    if (state === "waiting") await enqueueTask(db, iid, id, task.destinationId, delay);
  });
}

const openTask = ({ database }: SendContext, { iid, destinationId }: ClaimedTask) =>
  database
    .as({ system: false, iid, uid: null }, (db) => requireDestination(db, iid, destinationId))
    .catch((error: unknown) => {
      if (error instanceof Refused) throw new DestinationFailed("gone", "the destination was removed");
      throw error;
    });

async function reportTo(context: SendContext, task: ClaimedTask): Promise<void> {
  await reportCommitment(context.config, await openTask(context, task), task.report!);
}

/** The objects that are written to the row of the task at once. */
const progressEvery = 10;

async function sendStudy(context: SendContext, task: ClaimedTask): Promise<void> {
  const { config, database, signal } = context;
  const destination = await openTask(context, task);
  const stored = await listStudyObjects(database, task);
  if (stored.length === 0) throw new DestinationFailed("gone", "the study has no DICOM objects any more");
  const delivered = new Set(task.delivered);
  const outgoing = stored.filter(({ uid }) => !delivered.has(uid)).map((one) => toOutgoingObject(task.iid, one));
  const progress = { total: stored.length, warnings: 0 };
  const save = async (): Promise<void> => {
    if (!(await recordProgress(database, task, { ...progress, delivered: [...delivered] })))
      throw new DestinationFailed("gone", "cancelled");
  };
  await save();
  if (outgoing.length === 0) return;
  const association = await connectToDestination(config, destination, proposeContexts(outgoing));
  const problems: string[] = [];
  try {
    for (const object of outgoing) {
      signal.throwIfAborted();
      const result = await sendObject(association.channel, object);
      if (result.outcome === "failed") problems.push(`${object.sopInstance}: ${result.problem}`);
      else delivered.add(object.sopInstance);
      if (result.outcome === "warning") progress.warnings += 1;
      if (delivered.size % progressEvery === 0) await save();
    }
    await association.release();
  } catch (error) {
    association.abort();
    await save();
    throw error;
  }
  await save();
  await auditSent(database, task, destination.title, delivered.size);
  if (problems.length > 0)
    throw new DestinationFailed("objects", `${problems.length} of ${stored.length} objects: ${problems[0]}`);
}

async function listStudyObjects(database: Database, { iid, studyId }: ClaimedTask): Promise<StoredInstance[]> {
  return database.as({ system: false, iid, uid: null }, async (db) => {
    const row = await db
      .selectFrom("study")
      .select("uid")
      .where("institution_id", "=", iid)
      .where("id", "=", studyId)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    const rows = row?.uid ? await listStoredInstances(db, { study: row.uid }) : [];
    // Another study may have the same UID; what was chosen is this one.
    return rows.filter((one) => one.studyId === studyId);
  });
}

const auditSent = (database: Database, { iid, studyId }: ClaimedTask, title: string, count: number): Promise<void> =>
  database.as({ system: false, iid, uid: null }, (db) =>
    audit(db, {
      institution_id: iid,
      user_id: null,
      action: "pacs.sent",
      subject: studyId,
      detail: { by: "dimse", title, count },
    }),
  );
