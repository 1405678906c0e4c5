import { patientRecordCalls } from "@arcada/contract/patient/record.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { archiveUrl } from "../platform/http/archive-routes.ts";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { clearStore } from "../platform/storage/blob-references.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { demandStepUp } from "../platform/security/step-up.ts";
import { archiveSize } from "./archive.store.ts";
import { erasePatient } from "./erase.ts";
import { erasureOf } from "./erase.store.ts";
import { findPatient } from "./patient.store.ts";
import { timelineOf } from "./patient.timeline.ts";

export const patientRecordRoutes = routes(patientRecordCalls, {
  timeline: async ({ id, ...query }, context) => {
    await needPatient(context, id);
    return timelineOf(context.db, context.asker.iid, id, query);
  },
  archive: async ({ id: patientId }, context) => {
    const { db, asker, now, language } = context;
    await needPatient(context, patientId);
    const id = newId();
    await db
      .insertInto("patient_download")
      .values({ institution_id: asker.iid, id, patient_id: patientId, user_id: asker.uid, language })
      .execute();
    const size = await archiveSize(db, { iid: asker.iid, zone: asker.timeZone }, patientId);
    context.detail = size;
    return { url: archiveUrl("patient", asker.iid, id, now), ...size };
  },
  erasure: async ({ id }, { db, asker }) => (await erasureOf(db, asker, id, false)) ?? refuse("notFound"),
  erase: {
    apart: async ({ password, code, ...wish }, context) => {
      await demandStepUp(context, {
        ...(password !== undefined && { password }),
        ...(code !== undefined && { code }),
      });
      const stores = await context.inTransaction((inside) => erase(inside, wish));
      context.afterCommit.push(async () => void clearSoon(context, stores));
      return null;
    },
  },
});

async function needPatient({ db, asker }: MemberContext, id: string): Promise<void> {
  if (!(await findPatient(db, asker.iid, id))) refuse("notFound");
}

type Wish = Pick<Parsed<typeof patientRecordCalls.erase>, "id" | "number" | "reason">;
async function erase({ db, asker, address, requestId }: MemberContext, wish: Wish): Promise<string[]> {
  const { id, number } = wish;
  const reason = wish.reason?.trim() || null;
  const found = (await erasureOf(db, asker, id, true)) ?? refuse("notFound");
  if (number.toUpperCase() !== found.number) refuse("badInput", { number: "patientNumberWrong" });
  if (found.openOrders > 0) refuse("patientHasOrders");
  if (found.isBusy) refuse("studyBusy");
  if (found.isHeld && reason === null) refuse("patientRetained");
  const by = { uid: asker.uid, address, requestId, reason };
  return bypassTenantScope(db, () => erasePatient(db, { iid: asker.iid, id, by }));
}

/**
 * The response does not wait for the deletion of files; files that remain when the process ends are deleted at night.
 */
async function clearSoon(
  { database, request }: ManualTransactionContext<MemberContext>,
  stores: readonly string[],
): Promise<void> {
  try {
    for (const store of stores) await clearStore((work) => database.asSystem(work), store);
  } catch (error) {
    request.log.error({ err: error }, "files of an erased patient");
  }
}
