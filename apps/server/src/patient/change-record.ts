import type { Parsed } from "@arcada/contract/kernel/call";
import type { Patient, patientCalls } from "@arcada/contract/patient/patient.calls";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { currentDay, toPatient, toPatientColumns } from "./patient-column-mapping.ts";
import type { PatientColumns, RecordColumns } from "./patient-column-mapping.ts";
import {
  findPatient,
  findSamePerson,
  insertPatient,
  lockPatientCounter,
  nextPatientNumber,
  updatePatient,
} from "./patient.store.ts";

/** The part of a request that a change of a record needs; messages of other systems have no request. */
export type RecordContext = Pick<MemberContext, "db" | "principal" | "now">;

/** Makes a record. Refuses `patientDuplicate` for a person who may be here already, unless the input allows it. */
export async function createRecord(
  context: RecordContext,
  { evenIfDuplicate, ...form }: Parsed<typeof patientCalls.create>,
): Promise<Patient> {
  const { db, principal } = context;
  const columns = toPatientColumns(form, null, currentDay(context));
  const number = await nextPatientNumber(db, principal.iid);
  if (!evenIfDuplicate) await requireNoDuplicate(context, columns, null);
  return notifyAndLoad(context, await insertPatient(db, principal.iid, principal.uid, number, columns));
}

/** Changes a record, from the version that was seen. Refuses `patientChanged` if it is another one now. */
export async function changeRecord(
  context: RecordContext,
  { id, version, evenIfDuplicate, ...form }: Parsed<typeof patientCalls.update>,
): Promise<Patient> {
  const { db, principal } = context;
  const before = await requireRecord(context, id);
  const columns = toPatientColumns(form, before, currentDay(context));
  if (!evenIfDuplicate && identifyingColumns.some((column) => columns[column] !== before[column])) {
    await lockPatientCounter(db, principal.iid);
    await requireNoDuplicate(context, columns, id);
  }
  const done = await updatePatient(db, principal.iid, id, version, before.number, columns);
  return done ? notifyAndLoad(context, id) : refuse("patientChanged", await loadPatient(context, id));
}

/** The columns that samePerson compares. */
const identifyingColumns = ["name", "birth_date", "id_number"] as const;

export async function requireNoDuplicate(
  { db, principal }: RecordContext,
  columns: PatientColumns,
  except: string | null,
): Promise<void> {
  const candidates = await findSamePerson(db, principal.iid, columns, except);
  if (candidates.length > 0) refuse("patientDuplicate", { candidates });
}

const requireRecord = async ({ db, principal }: RecordContext, id: string): Promise<RecordColumns> =>
  (await findPatient(db, principal.iid, id)) ?? refuse("notFound");

export const loadPatient = async (context: RecordContext, id: string): Promise<Patient> =>
  toPatient(await requireRecord(context, id), currentDay(context));

export async function notifyAndLoad(context: RecordContext, id: string): Promise<Patient> {
  await notifyClients(context.db, { institutions: [context.principal.iid] }, "patient", id);
  return loadPatient(context, id);
}
