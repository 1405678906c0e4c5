import type { Parsed } from "@arcada/contract/kernel/call";
import type { patientMergeCalls } from "@arcada/contract/patient/patient-merge.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { notifyClients } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import type { RecordContext } from "../change-record.ts";
import { currentDay, toPatient, type RecordColumns } from "../patient-column-mapping.ts";
import { findPatient } from "../patient.store.ts";
import { diffColumns, mergedColumns } from "./merged-columns.ts";
import * as store from "./merge.store.ts";

/** Merges two records of one person, from the versions that were seen. Returns the detail of its line in the audit log. */
export async function mergeRecords(
  context: RecordContext,
  { keepId, otherId, keepVersion, otherVersion, choices }: Parsed<typeof patientMergeCalls.merge>,
): Promise<{ kept: Patient; detail: Record<string, unknown> }> {
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
  await notifyBoth(context, keepId, otherId);
  const detail = { merge: id, merged: otherId, moved: countMovedRows(moved) };
  return { kept: toCurrentPatient(context, await requireRecord(context, keepId)), detail };
}

export const requireRecord = async ({ db, principal }: RecordContext, id: string): Promise<RecordColumns> =>
  (await findPatient(db, principal.iid, id)) ?? refuse("notFound");

export async function requirePair(
  context: RecordContext,
  keepId: string,
  otherId: string,
): Promise<[RecordColumns, RecordColumns]> {
  const kept = await requireRecord(context, keepId);
  return keepId === otherId
    ? refuse("badInput", { otherId: "invalid" })
    : [kept, await requireRecord(context, otherId)];
}

export const toCurrentPatient = (context: RecordContext, row: RecordColumns): Patient =>
  toPatient(row, currentDay(context));

export const countMovedRows = (moved: store.MovedRows): Record<string, number> =>
  Object.fromEntries(Object.entries(moved).map(([table, keys]) => [table, keys.length]));

/** Topics of views that name a patient: after a merge they show another one. */
const affectedTopics = ["order", "share", "report", "chart"] as const;
export async function notifyBoth({ db, principal }: RecordContext, ...ids: [string, string]): Promise<void> {
  const to = { institutions: [principal.iid] };
  for (const id of ids) await notifyClients(db, to, "patient", id);
  for (const topic of affectedTopics) await notifyClients(db, to, topic, ids[0]);
}
