import { patientRecordCalls } from "@arcada/contract/patient/patient-timeline-and-erasure.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { archiveUrl } from "../platform/http/zip-archive-routes.ts";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { deleteUnneeded } from "../platform/storage/blob-references.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { measureArchive } from "./archive/patient-archive.store.ts";
import { erasePatient } from "./erase/erase-patient.ts";
import { findErasure } from "./erase/erasure-preview.store.ts";
import { findPatient } from "./patient.store.ts";
import { loadTimeline } from "./patient.timeline.ts";

export const patientRecordRoutes = routes(patientRecordCalls, {
  timeline: async ({ id, ...query }, context) => {
    await requirePatient(context, id);
    return loadTimeline(context.db, context.principal.iid, id, query);
  },
  archive: async ({ id: patientId }, context) => {
    const { db, principal, now, language } = context;
    await requirePatient(context, patientId);
    const id = newId();
    await db
      .insertInto("patient_download")
      .values({ institution_id: principal.iid, id, patient_id: patientId, user_id: principal.uid, language })
      .execute();
    const size = await measureArchive(db, { iid: principal.iid, zone: principal.timeZone }, patientId);
    context.detail = size;
    return { url: archiveUrl("patient", principal.iid, id, now), ...size };
  },
  erasure: async ({ id }, { db, principal }) => (await findErasure(db, principal, id, false)) ?? refuse("notFound"),
  erase: {
    manualTransaction: async ({ password, code, ...input }, context) => {
      await demandStepUp(context, {
        ...(password !== undefined && { password }),
        ...(code !== undefined && { code }),
      });
      const stores = await context.inTransaction((inside) => eraseRecord(inside, input));
      context.afterCommit.push(async () => void clearStoresInBackground(context, stores));
      return null;
    },
  },
});

async function requirePatient({ db, principal }: MemberContext, id: string): Promise<void> {
  if (!(await findPatient(db, principal.iid, id))) refuse("notFound");
}

type EraseInput = Pick<Parsed<typeof patientRecordCalls.erase>, "id" | "number" | "reason">;
async function eraseRecord({ db, principal, address, requestId }: MemberContext, input: EraseInput): Promise<string[]> {
  const { id, number } = input;
  const reason = input.reason?.trim() || null;
  const found = (await findErasure(db, principal, id, true)) ?? refuse("notFound");
  if (number.toUpperCase() !== found.number) refuse("badInput", { number: "patientNumberWrong" });
  if (found.openOrders > 0) refuse("patientHasOrders");
  if (found.isBusy) refuse("studyBusy");
  if (found.isHeld && reason === null) refuse("patientRetained");
  const by = { uid: principal.uid, address, requestId, reason };
  return bypassTenantScope(db, () => erasePatient(db, { iid: principal.iid, id, by }));
}

/**
 * The response does not wait for the deletion of files; files that remain when the process ends are deleted at night.
 */
async function clearStoresInBackground(
  { database, request }: ManualTransactionContext<MemberContext>,
  stores: readonly string[],
): Promise<void> {
  try {
    for (const store of stores) await deleteUnneeded((work) => database.asSystem(work), store);
  } catch (error) {
    request.log.error({ err: error }, "files of an erased patient");
  }
}
