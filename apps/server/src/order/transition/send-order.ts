import { sql } from "kysely";
import { labRoles, roles } from "@arcada/contract/kernel/roles";
import { maskName } from "@arcada/contract/patient/patient.calls";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import type { EventData } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { writeSearchWords } from "../list/write-search-words.ts";
import { lockStudiesForShare, readStudies, studyFiles } from "../files/attach-uploads.ts";
import { systemInput, emptyActionInput, applyTransition } from "./apply-transition.ts";
import { addFiles, addPrescriptionVersion, removeFiles } from "../core/order.store.ts";
import type { NewFile, Order } from "../core/order.store.ts";
import { findMissingFields } from "../core/order.view.ts";
import type { studyReady } from "../../study/study.events.ts";

/**
 * Sends a draft: into the outbox, and from there to the lab at once if nothing is pending. Returns undefined if another
 * change came first.
 */
export async function sendOrder(db: Db, order: Order, uid: string, now: Date): Promise<Order | undefined> {
  await lockStudiesForShare(db, order.institution_id, order.rx.studies);
  const missing = findMissingFields(order, await refreshFiles(db, order));
  if (missing.length > 0) refuse("orderIncomplete", { missing });
  if (!(await lockRelation(db, order))) refuse("orderNoRelation");
  const sent = await applyTransition(db, order, "submit", { side: "sender", given: { ...emptyActionInput, now, uid } });
  return sent && ((await handOver(db, sent, now)) ?? sent);
}

/** Subscriber: a study became ready, and orders may have waited for it. Works in the publisher's transaction. */
export async function handOverWhenReady(db: Db, domainEvent: EventData<typeof studyReady>): Promise<void> {
  const waiting = await db
    .selectFrom("orders")
    .selectAll()
    .where("institution_id", "=", domainEvent.institution)
    .where("state", "=", "awaiting_sending")
    .where("holder", "=", "sender")
    .where(sql<boolean>`rx->'studies' ? ${domainEvent.studyId}`)
    .orderBy("id")
    // Two studies of one order that become ready at once: the second finds what the first has done.
    .forUpdate()
    .execute();
  for (const order of waiting) await handOver(db, order, new Date());
}

/**
 * Hands over an order in the outbox if every check succeeds; undefined while it waits, or if it was changed meanwhile.
 */
export async function handOver(db: Db, order: Order, now: Date): Promise<Order | undefined> {
  const studies = await readStudies(db, order.institution_id, order.rx.studies);
  if (studies.some((study) => study.state === "converting")) return undefined;
  const attached = await refreshFiles(db, order);
  const problem =
    studies.length < new Set(order.rx.studies).size
      ? "orderFileForeign"
      : await findTransferProblem(db, order, attached);
  if (problem)
    return order.step === "send_failed"
      ? undefined
      : applyTransition(db, order, "transferFailed", systemInput(now, problem));
  const also = await patientIdentityForLab(db, order);
  const handedOver = await applyTransition(db, order, "handOver", { ...systemInput(now), also });
  if (!handedOver) return undefined;
  await addPrescriptionVersion(db, handedOver, null);
  await bypassTenantScope(db, () => writeSearchWords(db, handedOver.id));
  return handedOver;
}

/** Returns the name of the problem that prevents the hand-over; for a file, followed by the file's name. */
async function findTransferProblem(db: Db, order: Order, attached: readonly NewFile[]): Promise<string | null> {
  if (!(await lockRelation(db, order))) return "orderNoRelation";
  // A study was checked at its import, and its volumes consist of thousands of files.
  for (const file of attached.filter((each) => each.study_id === null))
    if ((await files().bytes("originals", file.owner_id, file.sha256)) !== file.bytes)
      return `uploadIncomplete: ${file.name}`;
  return null;
}

/** The files as they are now: a study may have been converted, moved or thrown away since the draft was saved. */
async function refreshFiles(db: Db, order: Order): Promise<NewFile[]> {
  const held = await db
    .selectFrom("order_file")
    .selectAll()
    .where("institution_id", "=", order.institution_id)
    .where("order_id", "=", order.id)
    .execute();
  // The files of a child order were its parent's, and are not changed.
  if (order.parent_id !== null) return held;
  const studies = await readStudies(db, order.institution_id, order.rx.studies);
  const own = studies.filter((study) => study.patient_id === order.patient_id);
  const fresh = await studyFiles(db, own, order.rx, order.creator_id);
  await removeFiles(
    db,
    order,
    held.filter((file) => file.study_id !== null).map((file) => file.id),
  );
  await addFiles(db, order, fresh);
  return [...held.filter((file) => file.study_id === null), ...fresh];
}

/** Checks that a relationship exists, and locks it until this transaction ends; or that the lab is the sender's own. */
async function lockRelation(db: Db, order: Order): Promise<boolean> {
  const { institution_id: sender, receiver_id: receiver } = order;
  const related = await sql`select 1 from relation where state = 'established'
    and ((institution_id = ${sender} and target_id = ${receiver}) or (institution_id = ${receiver} and target_id = ${sender})) for share`.execute(
    db,
  );
  if (related.rows.length > 0) return true;
  const own = await sql`select 1 from membership where institution_id = ${receiver} and user_id = ${order.creator_id}
    and state = 'normal' and authority_id = any(${labRoles.map((role) => roles[role].authorityId)}::int[])`.execute(db);
  return own.rows.length > 0;
}

/** The patient as the lab will know the person for ever. */
async function patientIdentityForLab(
  db: Db,
  order: Order,
): Promise<Pick<Order, "patient_name" | "patient_number" | "name_masked">> {
  // For a child order this was decided when its parent was passed on.
  if (order.patient_id === null) {
    const { patient_name, patient_number, name_masked } = order;
    return { patient_name, patient_number, name_masked };
  }
  const found = await db
    .selectFrom("patient")
    .innerJoin("institution", "institution.id", "patient.institution_id")
    .select(["patient.name", "patient.number", "institution.hide_patient_names"])
    .where("patient.institution_id", "=", order.institution_id)
    .where("patient.id", "=", order.patient_id)
    .executeTakeFirstOrThrow();
  const masked = order.rx.maskName || found.hide_patient_names;
  return {
    patient_name: masked ? maskName(found.name) : found.name,
    patient_number: found.number,
    name_masked: masked,
  };
}
