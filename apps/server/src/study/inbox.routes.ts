import { moment } from "@arcada/contract/kernel/fields";
import { inboxCalls, type InboxRow } from "@arcada/contract/study/inbox.calls";
import { studyRules } from "@arcada/contract/study/study.rules";
import { audit } from "../platform/audit/audit.ts";
import { notifyClients } from "../platform/events/events.ts";
import { sendIngest } from "../domain/ingest-queue.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import type { Db } from "../platform/database/database.ts";
import { candidatesOf, peopleLike } from "../domain/patient-matching.ts";
import * as store from "./inbox.store.ts";
import type { InboxPlace, InboxRecord } from "./inbox.store.ts";
import { needGiven, needPatient, needUploads, ownStudyOf, signer } from "./study.guards.ts";
import * as jobStore from "./study.store.ts";
import { candidateOf, namedOf, personOf } from "./person-named.ts";
import { studyRowOf, type Sign } from "./study.ts";

/** Calls on studies without a patient, studies that move to another patient, and removed ones. */
export const inboxRoutes = routes(inboxCalls, {
  inbox: async ({ cursor, pageSize }, { db, asker }) => {
    const after = cursor === undefined ? null : readCursor(cursor);
    const rows = await store.inboxPage(db, asker.iid, after, pageSize);
    const page = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? page.at(-1) : undefined;
    const sign = signer();
    return {
      list: await Promise.all(page.map((row) => inboxRowOf(db, row, sign))),
      total: await store.inboxCount(db, asker.iid),
      next: last ? `${last.created_at}.${last.id}` : null,
    };
  },
  send: async ({ uploads }, context) => {
    const { db, asker } = context;
    await needUploads(context, uploads);
    const wish = { patientId: null, kind: undefined, uploads, acceptMismatch: true, origin: "device" as const };
    if (await jobStore.areElsewhere(db, asker.iid, wish)) return refuse("unzipInProgress");
    const { job, fresh } = await jobStore.insertJob(db, asker.iid, asker.uid, wish);
    if (fresh) await sendIngest(db, { iid: asker.iid, job: job.id });
    context.subject = job.id;
    context.detail = { files: uploads.length, by: "device" };
    return { job: job.id };
  },
  inboxCount: async (_, { db, asker }) => ({ count: await store.inboxCount(db, asker.iid) }),
  move: async ({ id, reason, ...wish }, context) => {
    const study = await ownStudyOf(context, id);
    await needPatient(context, wish.patientId);
    await needGiven(context, study, wish);
    context.detail = { from: wish.from, patient: wish.patientId, reason };
    // The former patient's audit log records it too.
    await audit(context.db, {
      institution_id: context.asker.iid,
      user_id: context.asker.uid,
      action: "study.moveAway",
      subject: wish.from,
      detail: { patient: wish.from, study: id, reason },
    });
    await notifyClients(context.db, { institutions: [context.asker.iid] }, "study", id);
    return studyRowOf(await ownStudyOf(context, id), signer());
  },
  bin: async ({ patientId }, context) => {
    if (patientId) {
      await needPatient(context, patientId);
      context.subject = patientId;
    }
    const rows = await store.binOf(context.db, context.asker.iid, patientId ?? null);
    const sign = signer();
    return rows.map((row) => ({
      ...studyRowOf(row, sign),
      removedAt: row.deleted_at!,
      goesAt: goesAt(row.deleted_at!),
    }));
  },
  restore: async ({ id }, context) => {
    const study = (await store.removedStudy(context.db, context.asker.iid, id)) ?? refuse("notFound");
    if (!(await store.restoreStudy(context.db, study))) return refuse("studyTwice");
    await notifyClients(context.db, { institutions: [context.asker.iid] }, "study", id);
    return studyRowOf(await ownStudyOf(context, id), signer());
  },
});

const goesAt = (removedAt: string): string =>
  new Date(Date.parse(removedAt) + studyRules.binDays * 86_400_000).toISOString();

function readCursor(cursor: string): InboxPlace {
  const [, createdAt, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? [];
  if (createdAt === undefined || id === undefined || !moment.safeParse(createdAt).success)
    return refuse("badInput", { cursor: "invalid" });
  return { createdAt, id };
}

async function inboxRowOf(db: Db, row: InboxRecord, sign: Sign): Promise<InboxRow> {
  const base = { ...studyRowOf(row, sign), origin: row.origin };
  const files = namedOf(row);
  if (!files) return { ...base, person: null, candidates: [] };
  const candidates = candidatesOf(files, await peopleLike(db, files));
  return { ...base, person: personOf(row), candidates: candidates.map(candidateOf) };
}
