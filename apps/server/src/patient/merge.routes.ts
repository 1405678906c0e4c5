import { sql } from "kysely";
import { patientMergeCalls } from "@arcada/contract/patient/merge.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { likeRecords } from "./merge.likeness.ts";
import { changesOf, mergedColumns, takenBack } from "./merge.ts";
import * as store from "./merge.store.ts";
import { patientOf, todayOf, type RecordColumns } from "./patient.ts";
import { findPatient } from "./patient.store.ts";

export const patientMergeRoutes = routes(patientMergeCalls, {
  duplicates: async ({ id }, context) =>
    likeRecords(context.db, context.asker.iid, await recordOf(context, id), todayOf(context)),

  beside: async ({ keepId, otherId }, context) => {
    const [kept, other] = await pairOf(context, keepId, otherId);
    const things = await store.countThings(context.db, context.asker.iid, keepId, otherId);
    return { kept: shown(context, kept), other: shown(context, other), ...things };
  },

  merge: async ({ keepId, otherId, keepVersion, otherVersion, choices }, context) => {
    const { db, asker } = context;
    const { iid } = asker;
    await store.holdRecords(db, iid, [keepId, otherId]);
    const [kept, other] = await pairOf(context, keepId, otherId);
    if (kept.version !== keepVersion) return refuse("patientChanged", shown(context, kept));
    if (other.version !== otherVersion) return refuse("patientChanged", shown(context, other));
    if (await store.isReceiving(db, iid, [keepId, otherId])) return refuse("patientMergeBusy");
    if (await store.haveSameStudy(db, iid, keepId, otherId)) return refuse("patientMergeTwice");
    const recent = [kept.recent_visit_at, other.recent_visit_at].toSorted().at(-1)!;
    const last = [kept.last_visit_at ?? "", other.last_visit_at ?? ""].toSorted().at(-1) || null;
    const changed = changesOf<object>(kept, {
      ...mergedColumns(kept, other, choices),
      recent_visit_at: recent,
      last_visit_at: last,
    });
    const moved = await store.moveRows(db, iid, otherId, keepId);
    await store.writeRecord(db, iid, kept, changed.after);
    await store.setMergedInto(db, iid, otherId, keepId);
    const id = newId();
    const row = { institution_id: iid, id, kept_id: keepId, merged_id: otherId, merged_by: asker.uid };
    const told = {
      before: JSON.stringify(changed.before),
      after: JSON.stringify(changed.after),
      moved: JSON.stringify(moved),
    };
    await db
      .insertInto("patient_merge")
      .values({ ...row, ...told })
      .execute();
    context.subject = keepId;
    context.detail = { merge: id, merged: otherId, moved: counted(moved) };
    await tellBoth(context, keepId, otherId);
    return shown(context, await recordOf(context, keepId));
  },

  merges: async ({ id }, context) => {
    await recordOf(context, id);
    return store.mergesOf(context.db, context.asker.iid, id);
  },

  unmerge: async ({ id }, context) => {
    const { db, asker } = context;
    const { iid } = asker;
    const merge = (await store.holdMerge(db, iid, id)) ?? refuse("notFound");
    const kept = await recordOf(context, merge.kept_id);
    if (merge.is_over) return refuse("patientUnmergeOver");
    if (merge.has_later) return refuse("patientUnmergeLater");
    if (await store.isReceiving(db, iid, [kept.id])) return refuse("patientMergeBusy");
    await store.takeApart(db, iid, merge);
    await store.writeRecord(db, iid, kept, takenBack(kept, merge));
    await db
      .updateTable("patient_merge")
      .set({ undone_by: asker.uid, undone_at: sql<string>`now()` })
      .where("institution_id", "=", iid)
      .where("id", "=", id)
      .execute();
    context.subject = kept.id;
    context.detail = { merge: id, merged: merge.merged_id, moved: counted(merge.moved) };
    await tellBoth(context, kept.id, merge.merged_id);
    return shown(context, await recordOf(context, merge.merged_id));
  },
});

const recordOf = async ({ db, asker }: MemberContext, id: string): Promise<RecordColumns> =>
  (await findPatient(db, asker.iid, id)) ?? refuse("notFound");

async function pairOf(
  context: MemberContext,
  keepId: string,
  otherId: string,
): Promise<[RecordColumns, RecordColumns]> {
  const kept = await recordOf(context, keepId);
  return keepId === otherId ? refuse("badInput", { otherId: "invalid" }) : [kept, await recordOf(context, otherId)];
}

const shown = (context: MemberContext, row: RecordColumns): Patient => patientOf(row, todayOf(context));

const counted = (moved: store.Moved): Record<string, number> =>
  Object.fromEntries(Object.entries(moved).map(([table, keys]) => [table, keys.length]));

/** Topics of views that name a patient: after a merge they show another one. */
const concerned = ["order", "share", "report", "chart"] as const;
async function tellBoth({ db, asker }: MemberContext, ...ids: [string, string]): Promise<void> {
  const to = { institutions: [asker.iid] };
  for (const id of ids) await notifyClients(db, to, "patient", id);
  for (const topic of concerned) await notifyClients(db, to, topic, ids[0]);
}
