import { timestampInput } from "@arcada/contract/kernel/fields";
import { inboxCalls, type InboxRow } from "@arcada/contract/study/inbox.calls";
import { sendIngestJob } from "../../domain/ingest-queue.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import type { Db } from "../../platform/database/database.ts";
import { rankCandidates, findSimilarPatients } from "../../domain/patient-matching.ts";
import { countInbox, listInbox } from "./inbox.store.ts";
import type { InboxCursor, InboxRecord } from "./inbox.store.ts";
import { requireUploads } from "../study.guards.ts";
import { createFileSigner } from "../file-signer.ts";
import * as jobStore from "../upload-job/upload-job.store.ts";
import { toCandidate, personInFiles, toInboxPerson } from "./person-in-files.ts";
import { toStudyRow, type SignFile } from "../study.view.ts";

/** Calls on studies without a patient. */
export const inboxRoutes = routes(inboxCalls, {
  inbox: async ({ cursor, pageSize }, { db, principal }) => {
    const after = cursor === undefined ? null : readCursor(cursor);
    const rows = await listInbox(db, principal.iid, after, pageSize);
    const page = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? page.at(-1) : undefined;
    const sign = createFileSigner();
    return {
      list: await Promise.all(page.map((row) => toInboxRow(db, row, sign))),
      total: await countInbox(db, principal.iid),
      next: last ? `${last.created_at}.${last.id}` : null,
    };
  },
  send: async ({ uploads, person: senderPerson }, context) => {
    const { db, principal } = context;
    await requireUploads(context, uploads);
    const input = {
      patientId: null,
      kind: undefined,
      uploads,
      acceptMismatch: true,
      origin: "device" as const,
      senderPerson,
    };
    if (await jobStore.areInOtherJob(db, principal.iid, input)) return refuse("unzipInProgress");
    const { job, fresh } = await jobStore.insertJob(db, principal.iid, principal.uid, input);
    if (fresh) await sendIngestJob(db, { iid: principal.iid, job: job.id });
    context.subject = job.id;
    context.detail = { files: uploads.length, by: "device" };
    return { job: job.id };
  },
  inboxCount: async (_, { db, principal }) => ({ count: await countInbox(db, principal.iid) }),
});

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
