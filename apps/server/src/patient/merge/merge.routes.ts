import { sql } from "kysely";
import { patientMergeCalls } from "@arcada/contract/patient/patient-merge.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { notifyClients } from "../../platform/events/events.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { findDuplicates } from "./duplicates.store.ts";
import { diffColumns, mergedColumns, revertColumns } from "./merged-columns.ts";
import * as store from "./merge.store.ts";
import { toPatient, currentDay, type RecordColumns } from "../patient-column-mapping.ts";
import { findPatient } from "../patient.store.ts";

export const patientMergeRoutes = routes(patientMergeCalls, {
  duplicates: async ({ id }, context) =>
    findDuplicates(context.db, context.principal.iid, await requireRecord(context, id), currentDay(context)),

  beside: async ({ keepId, otherId }, context) => {
    const [kept, other] = await requirePair(context, keepId, otherId);
    const things = await store.countRelatedRows(context.db, context.principal.iid, keepId, otherId);
    return { kept: toCurrentPatient(context, kept), other: toCurrentPatient(context, other), ...things };
  },

  merge: async ({ keepId, otherId, keepVersion, otherVersion, choices }, context) => {
    const { db, principal } = context;
    const { iid } = principal;
    await store.lockRecords(db, iid, [keepId, otherId]);
    const [kept, other] = await requirePair(context, keepId, otherId);
    if (kept.version !== keepVersion) return refuse("patientChanged", toCurrentPatient(context, kept));
    if (other.version !== otherVersion) return refuse("patientChanged", toCurrentPatient(context, other));
    if (await store.isReceiving(db, iid, [keepId, otherId])) return refuse("patientMergeBusy");
    if (await store.shareStudyUid(db, iid, keepId, otherId)) return refuse("patientMergeTwice");
    const recent = [kept.recent_visit_at, other.recent_visit_at].toSorted().at(-1)!;
    const last = [kept.last_visit_at ?? "", other.last_visit_at ?? ""].toSorted().at(-1) || null;
    const changed = diffColumns<object>(kept, {
      ...mergedColumns(kept, other, choices),
      recent_visit_at: recent,
      last_visit_at: last,
    });
    const moved = await store.moveRows(db, iid, otherId, keepId);
    await store.writeRecord(db, iid, kept, changed.after);
    await store.setMergedInto(db, iid, otherId, keepId);
    const id = newId();
    const row = { institution_id: iid, id, kept_id: keepId, merged_id: otherId, merged_by: principal.uid };
    const changes = {
      before: JSON.stringify(changed.before),
      after: JSON.stringify(changed.after),
      moved: JSON.stringify(moved),
    };
    await db
      .insertInto("patient_merge")
      .values({ ...row, ...changes })
      .execute();
    context.subject = keepId;
    context.detail = { merge: id, merged: otherId, moved: countMovedRows(moved) };
    await notifyBoth(context, keepId, otherId);
    return toCurrentPatient(context, await requireRecord(context, keepId));
  },

  merges: async ({ id }, context) => {
    await requireRecord(context, id);
    return store.listMerges(context.db, context.principal.iid, id);
  },

  unmerge: async ({ id }, context) => {
    const { db, principal } = context;
    const { iid } = principal;
    const merge = (await store.lockMerge(db, iid, id)) ?? refuse("notFound");
    const kept = await requireRecord(context, merge.kept_id);
    if (merge.is_over) return refuse("patientUnmergeOver");
    if (merge.has_later) return refuse("patientUnmergeLater");
    if (await store.isReceiving(db, iid, [kept.id])) return refuse("patientMergeBusy");
    await store.separateRecords(db, iid, merge);
    await store.writeRecord(db, iid, kept, revertColumns(kept, merge));
    await db
      .updateTable("patient_merge")
      .set({ undone_by: principal.uid, undone_at: sql<string>`now()` })
      .where("institution_id", "=", iid)
      .where("id", "=", id)
      .execute();
    context.subject = kept.id;
    context.detail = { merge: id, merged: merge.merged_id, moved: countMovedRows(merge.moved) };
    await notifyBoth(context, kept.id, merge.merged_id);
    return toCurrentPatient(context, await requireRecord(context, merge.merged_id));
  },
});

const requireRecord = async ({ db, principal }: MemberContext, id: string): Promise<RecordColumns> =>
  (await findPatient(db, principal.iid, id)) ?? refuse("notFound");

async function requirePair(
  context: MemberContext,
  keepId: string,
  otherId: string,
): Promise<[RecordColumns, RecordColumns]> {
  const kept = await requireRecord(context, keepId);
  return keepId === otherId
    ? refuse("badInput", { otherId: "invalid" })
    : [kept, await requireRecord(context, otherId)];
}

const toCurrentPatient = (context: MemberContext, row: RecordColumns): Patient => toPatient(row, currentDay(context));

const countMovedRows = (moved: store.MovedRows): Record<string, number> =>
  Object.fromEntries(Object.entries(moved).map(([table, keys]) => [table, keys.length]));

/** Topics of views that name a patient: after a merge they show another one. */
const affectedTopics = ["order", "share", "report", "chart"] as const;
async function notifyBoth({ db, principal }: MemberContext, ...ids: [string, string]): Promise<void> {
  const to = { institutions: [principal.iid] };
  for (const id of ids) await notifyClients(db, to, "patient", id);
  for (const topic of affectedTopics) await notifyClients(db, to, topic, ids[0]);
}
