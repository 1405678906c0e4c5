import type { Hl7Intent, Hl7Person } from "@arcada/contract/hl7/hl7-intent";
import type { Hl7Connection } from "@arcada/contract/hl7/hl7.calls";
import type { Hl7Reason } from "@arcada/contract/hl7/hl7.rules";
import { toRecordName } from "@arcada/contract/patient/launch-address";
import { patientCalls, type Patient } from "@arcada/contract/patient/patient.calls";
import { changeRecord, createRecord, loadPatient, type RecordContext } from "../patient/change-record.ts";
import { mergeRecords } from "../patient/merge/merge-records.ts";
import { ensurePatientCounter, lockPatientCounter } from "../patient/patient.store.ts";
import { audit } from "../platform/audit/audit.ts";
import { Refused, refuse } from "../platform/http/refuse.ts";
import { findByNumber, matchPatient } from "./match-patient.ts";
import { applyOrders } from "./order.store.ts";

export interface AppliedIntent {
  state: "done" | "waiting" | "ignored";
  reason: Hl7Reason | null;
  patientId: string | null;
  otherPatientId: string | null;
}
/** The decision of a person about a message that waited. */
export type Decision = { kind: "apply" | "create" } | { kind: "choose"; patientId: string };

const nobody = { patientId: null, otherPatientId: null };
const waits = (reason: Hl7Reason, more: Partial<AppliedIntent> = {}): AppliedIntent => ({
  ...nobody,
  state: "waiting",
  reason,
  ...more,
});

/**
 * Does what a message asks for, by the rules that hold for people: the same checks for duplicates, versions and audit
 * lines. What could reach the wrong person waits for a decision.
 */
export async function applyIntent(
  context: RecordContext,
  connection: Hl7Connection,
  intent: Hl7Intent,
  decision: Decision | null,
): Promise<AppliedIntent> {
  const { db, principal } = context;
  // Every maker of a patient holds this lock: the search below sees what another message has just made.
  await ensurePatientCounter(db, principal.iid);
  await lockPatientCounter(db, principal.iid);
  if (intent.kind === "merge") return applyMerge(context, intent, decision);
  if (intent.kind === "deletion") return applyDeletion(context, intent.person);
  const applied = await applyPerson(context, connection, intent.person, decision);
  if (applied.state !== "done" || applied.patientId === null) return applied;
  if (intent.orders.length > 0) await applyOrders(context, connection.id, applied.patientId, intent.orders);
  return applied;
}

async function applyPerson(
  context: RecordContext,
  connection: Hl7Connection,
  person: Hl7Person,
  decision: Decision | null,
): Promise<AppliedIntent> {
  const { db, principal } = context;
  const match = await matchPatient(db, principal.iid, person, connection);
  if (decision?.kind === "choose") return changePatient(context, person, decision.patientId, true);
  if (match.kind === "record") return changePatient(context, person, match.id, false);
  if (match.kind === "new") return createPatient(context, person, false);
  if (decision?.kind === "create") return createPatient(context, person, true);
  if (decision?.kind === "apply" && match.patientId !== null)
    return changePatient(context, person, match.patientId, true);
  return waits(match.reason, { patientId: match.patientId });
}

async function createPatient(context: RecordContext, person: Hl7Person, isDecided: boolean): Promise<AppliedIntent> {
  const form = patientCalls.create.input.safeParse({
    ...toDetails(person),
    name: toRecordName(person.name),
    sex: person.sex ?? "other",
    birthDate: person.birthDate,
    evenIfDuplicate: isDecided,
  });
  if (!form.success) return waits("birthDateMissing");
  const made = await withoutDuplicate(() => createRecord(context, form.data));
  if (!made) return waits("maybeKnown");
  await auditChange(context, "patient.create", made.id);
  return { ...nobody, state: "done", reason: null, patientId: made.id };
}

async function changePatient(
  context: RecordContext,
  person: Hl7Person,
  id: string,
  isDecided: boolean,
): Promise<AppliedIntent> {
  const { db, principal } = context;
  await db
    .selectFrom("patient")
    .select("id")
    .where("institution_id", "=", principal.iid)
    .where("id", "=", id)
    .forUpdate()
    .execute();
  const record = await loadPatient(context, id);
  const changes = listChanges(person, record);
  if (Object.keys(changes).length === 0) return { ...nobody, state: "done", reason: null, patientId: id };
  const form = patientCalls.update.input.safeParse({
    id,
    version: record.version,
    name: record.name,
    sex: record.sex,
    birthDate: record.birthDate,
    age: record.birthDate === null ? record.age : null,
    evenIfDuplicate: isDecided,
    ...changes,
  });
  if (!form.success) return refuse("badInput", { patient: "invalid" });
  const changed = await withoutDuplicate(() => changeRecord(context, form.data));
  if (!changed) return waits("maybeKnown", { patientId: id });
  await auditChange(context, "patient.update", id);
  return { ...nobody, state: "done", reason: null, patientId: id };
}

const toDetails = ({ number, phone, mailAddress, email }: Hl7Person) => ({
  entryNumber: number,
  ...(phone !== undefined && { phone }),
  ...(mailAddress !== undefined && { mailAddress }),
  ...(email !== undefined && { email }),
});

/** The fields that the message changes. A name, birth date or sex is never emptied. */
function listChanges(person: Hl7Person, record: Patient): Record<string, unknown> {
  const wanted = {
    ...toDetails(person),
    ...(person.name !== "" && { name: toRecordName(person.name) }),
    ...(person.birthDate !== undefined && { birthDate: person.birthDate, age: null }),
    ...(person.sex !== undefined && { sex: person.sex }),
  };
  const isChange = ([field, value]: [string, unknown]): boolean =>
    field === "age" ? record.birthDate === null : (record as Record<string, unknown>)[field] !== value;
  return Object.fromEntries(Object.entries(wanted).filter(isChange));
}

/** Null: the change would make a second record of somebody, which a person has to look at. */
async function withoutDuplicate(work: () => Promise<Patient>): Promise<Patient | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused && error.refusal === "patientDuplicate") return null;
    throw error;
  }
}

async function applyMerge(
  context: RecordContext,
  { person, formerNumber }: Extract<Hl7Intent, { kind: "merge" }>,
  decision: Decision | null,
): Promise<AppliedIntent> {
  const { db, principal } = context;
  const [kept, ...moreKept] = await findByNumber(db, principal.iid, person.number);
  const [former, ...moreFormer] = await findByNumber(db, principal.iid, formerNumber);
  if (!former || formerNumber === person.number) return { ...nobody, state: "ignored", reason: "nothingToDo" };
  if (moreKept.length > 0 || moreFormer.length > 0) return waits("severalHaveNumber");
  if (!kept) {
    if (decision?.kind !== "apply") return waits("renumber", { patientId: former.id });
    return changePatient(context, { number: person.number, name: "" }, former.id, true);
  }
  if (decision?.kind !== "apply") return waits("merge", { patientId: kept.id, otherPatientId: former.id });
  const [keepVersion, otherVersion] = [
    (await loadPatient(context, kept.id)).version,
    (await loadPatient(context, former.id)).version,
  ];
  const input = { keepId: kept.id, otherId: former.id, keepVersion, otherVersion, choices: {} };
  const { detail } = await mergeRecords(context, input);
  await auditChange(context, "patient.merge", kept.id, detail);
  return { ...nobody, state: "done", reason: null, patientId: kept.id };
}

/** A record with images is not deleted because another system says so. */
async function applyDeletion({ db, principal }: RecordContext, person: Hl7Person): Promise<AppliedIntent> {
  const [holder] = await findByNumber(db, principal.iid, person.number);
  return holder
    ? waits("deletion", { patientId: holder.id })
    : { ...nobody, state: "ignored", reason: "unknownPatient" };
}

const auditChange = (
  { db, principal }: RecordContext,
  action: string,
  subject: string,
  detail: Record<string, unknown> = {},
): Promise<void> =>
  audit(db, {
    institution_id: principal.iid,
    user_id: principal.uid,
    action,
    subject,
    detail: { ...detail, by: "hl7" },
  });
