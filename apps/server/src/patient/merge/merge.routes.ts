import { sql } from "kysely";
import { patientMergeCalls } from "@arcada/contract/patient/patient-merge.calls";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { findDuplicates } from "./duplicates.store.ts";
import { revertColumns } from "./merged-columns.ts";
import * as store from "./merge.store.ts";
import {
  countMovedRows,
  mergeRecords,
  notifyBoth,
  requirePair,
  requireRecord,
  toCurrentPatient,
} from "./merge-records.ts";
import { currentDay } from "../patient-column-mapping.ts";

export const patientMergeRoutes = routes(patientMergeCalls, {
  duplicates: async ({ id }, context) =>
    findDuplicates(context.db, context.principal.iid, await requireRecord(context, id), currentDay(context)),

  beside: async ({ keepId, otherId }, context) => {
    const [kept, other] = await requirePair(context, keepId, otherId);
    const things = await store.countRelatedRows(context.db, context.principal.iid, keepId, otherId);
    return { kept: toCurrentPatient(context, kept), other: toCurrentPatient(context, other), ...things };
  },

  merge: async (input, context) => {
    const { kept, detail } = await mergeRecords(context, input);
    context.subject = input.keepId;
    context.detail = detail;
    return kept;
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
