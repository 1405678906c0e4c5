import { timestampInput } from "@arcada/contract/kernel/fields";
import { inboxCalls, type InboxRow } from "@arcada/contract/study/inbox.calls";
import { studyRules } from "@arcada/contract/study/study.rules";
import { audit } from "../../platform/audit/audit.ts";
import { notifyClients } from "../../platform/events/events.ts";
import { sendIngestJob } from "../../domain/ingest-queue.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve.ts";
import type { Db } from "../../platform/database/database.ts";
import { rankCandidates, findSimilarPatients } from "../../domain/patient-matching.ts";
import * as store from "./inbox.store.ts";
import type { InboxCursor, InboxRecord } from "./inbox.store.ts";
import {
  moveStudyOrRefuse,
  requirePatient,
  requireUploads,
  requireOwnStudy,
  createFileSigner,
} from "../study.guards.ts";
import * as jobStore from "../study.store.ts";
import { toCandidate, personInFiles, toInboxPerson } from "./person-in-files.ts";
import { toStudyRow, type SignFile } from "../study.ts";

/** Calls on studies without a patient, studies that move to another patient, and removed ones. */
export const inboxRoutes = routes(inboxCalls, {
  inbox: async ({ cursor, pageSize }, { db, principal }) => {
    const after = cursor === undefined ? null : readCursor(cursor);
    const rows = await store.listInbox(db, principal.iid, after, pageSize);
    const page = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? page.at(-1) : undefined;
    const sign = createFileSigner();
    return {
      list: await Promise.all(page.map((row) => toInboxRow(db, row, sign))),
      total: await store.countInbox(db, principal.iid),
      next: last ? `${last.created_at}.${last.id}` : null,
    };
  },
  send: async ({ uploads }, context) => {
    const { db, principal } = context;
    await requireUploads(context, uploads);
    const input = { patientId: null, kind: undefined, uploads, acceptMismatch: true, origin: "device" as const };
    if (await jobStore.areInOtherJob(db, principal.iid, input)) return refuse("unzipInProgress");
    const { job, fresh } = await jobStore.insertJob(db, principal.iid, principal.uid, input);
    if (fresh) await sendIngestJob(db, { iid: principal.iid, job: job.id });
    context.subject = job.id;
    context.detail = { files: uploads.length, by: "device" };
    return { job: job.id };
  },
  inboxCount: async (_, { db, principal }) => ({ count: await store.countInbox(db, principal.iid) }),
  move: async ({ id, reason, ...input }, context) => {
    const study = await requireOwnStudy(context, id);
    await requirePatient(context, input.patientId);
    await moveStudyOrRefuse(context, study, input);
    context.detail = { from: input.from, patient: input.patientId, reason };
    // The former patient's audit log records it too.
    await audit(context.db, {
      institution_id: context.principal.iid,
      user_id: context.principal.uid,
      action: "study.moveAway",
      subject: input.from,
      detail: { patient: input.from, study: id, reason },
    });
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return toStudyRow(await requireOwnStudy(context, id), createFileSigner());
  },
  bin: async ({ patientId }, context) => {
    if (patientId) {
      await requirePatient(context, patientId);
      context.subject = patientId;
    }
    const rows = await store.listRemovedStudies(context.db, context.principal.iid, patientId ?? null);
    const sign = createFileSigner();
    return rows.map((row) => ({
      ...toStudyRow(row, sign),
      removedAt: row.deleted_at!,
      goesAt: deletedAt(row.deleted_at!),
    }));
  },
  restore: async ({ id }, context) => {
    const study = (await store.findRemovedStudy(context.db, context.principal.iid, id)) ?? refuse("notFound");
    if (!(await store.restoreStudy(context.db, study))) return refuse("studyTwice");
    await notifyClients(context.db, { institutions: [context.principal.iid] }, "study", id);
    return toStudyRow(await requireOwnStudy(context, id), createFileSigner());
  },
});

const deletedAt = (removedAt: string): string =>
  new Date(Date.parse(removedAt) + studyRules.binDays * 86_400_000).toISOString();

function readCursor(cursor: string): InboxCursor {
  const [, createdAt, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? [];
  if (createdAt === undefined || id === undefined || !timestampInput.safeParse(createdAt).success)
    return refuse("badInput", { cursor: "invalid" });
  return { createdAt, id };
}

async function toInboxRow(db: Db, row: InboxRecord, sign: SignFile): Promise<InboxRow> {
  const base = { ...toStudyRow(row, sign), origin: row.origin };
  const files = personInFiles(row);
  if (!files) return { ...base, person: null, candidates: [] };
  const candidates = rankCandidates(files, await findSimilarPatients(db, files));
  return { ...base, person: toInboxPerson(row), candidates: candidates.map(toCandidate) };
}
