import { timestampInput } from "@arcada/contract/kernel/fields";
import { patientCalls, type Patient } from "@arcada/contract/patient/patient.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { listPatientNews, recordReading } from "./patient-news.ts";
import { exportPatients } from "./patient.export.ts";
import { hasOpenOrders, buildListQueries, toPatientsPage } from "./patient.list.ts";
import {
  toBinnedPatient,
  toPatientColumns,
  toPatientScope,
  toPatient,
  currentDay,
  type RecordColumns,
  type PatientColumns,
} from "./patient-column-mapping.ts";
import {
  movePatientToBin,
  listBinnedPatients,
  findPatient,
  lockPatientCounter,
  insertPatient,
  nextPatientNumber,
  listPatientNames,
  restorePatient,
  findSamePerson,
  updatePatient,
} from "./patient.store.ts";

export const patientRoutes = routes(patientCalls, {
  list: {
    queries: (query, context) => buildListQueries(toPatientScope(context), query),
    toOutput: (rows, query, context) => toPatientsPage(rows, query, currentDay(context)),
  },
  export: async (filter, context) => {
    const made = await exportPatients(context, filter);
    context.detail = { rows: made.rows };
    return made;
  },
  bin: async ({ cursor }, context) => {
    const { db, principal } = context;
    const { rows, isMore } = await listBinnedPatients(
      db,
      principal.iid,
      cursor === undefined ? null : decodeCursor(cursor),
    );
    return {
      list: rows.map((row) => toBinnedPatient(row, currentDay(context))),
      next: isMore ? encodeCursor(rows.at(-1)!) : null,
    };
  },
  names: ({ ids }, { db, principal }) => listPatientNames(db, principal.iid, ids),
  detail: async ({ id }, context) => {
    const patient = await loadPatient(context, id);
    await recordReading(context, id);
    return patient;
  },
  news: async (_, context) => ({ list: await listPatientNews(context) }),
  create: async ({ evenIfDuplicate, ...form }, context) => {
    const { db, principal } = context;
    const columns = toPatientColumns(form, null, currentDay(context));
    const number = await nextPatientNumber(db, principal.iid);
    if (!evenIfDuplicate) await requireNoDuplicate(context, columns, null);
    context.subject = await insertPatient(db, principal.iid, principal.uid, number, columns);
    return notifyAndLoad(context, context.subject);
  },
  update: async ({ id, version, evenIfDuplicate, ...form }, context) => {
    const { db, principal } = context;
    const before = await requireRecord(context, id);
    const columns = toPatientColumns(form, before, currentDay(context));
    if (!evenIfDuplicate && identifyingColumns.some((column) => columns[column] !== before[column])) {
      await lockPatientCounter(db, principal.iid);
      await requireNoDuplicate(context, columns, id);
    }
    const done = await updatePatient(db, principal.iid, id, version, before.number, columns);
    return done ? notifyAndLoad(context, id) : refuse("patientChanged", await loadPatient(context, id));
  },
  remove: async ({ id }, context) => {
    const { db, principal } = context;
    if (!(await movePatientToBin(db, principal.iid, id))) return refuse("notFound");
    if (await hasOpenOrders(db, principal.iid, id)) return refuse("patientHasOrders");
    await notifyClients(db, { institutions: [principal.iid] }, "patient", id);
    return null;
  },
  restore: async ({ id }, context) => {
    if (!(await restorePatient(context.db, context.principal.iid, id))) return refuse("notFound");
    return notifyAndLoad(context, id);
  },
});

/** The columns that samePerson compares. */
const identifyingColumns = ["name", "birth_date", "id_number"] as const;

export async function requireNoDuplicate(
  { db, principal }: MemberContext,
  columns: PatientColumns,
  except: string | null,
): Promise<void> {
  const candidates = await findSamePerson(db, principal.iid, columns, except);
  if (candidates.length > 0) refuse("patientDuplicate", { candidates });
}

const requireRecord = async ({ db, principal }: MemberContext, id: string): Promise<RecordColumns> =>
  (await findPatient(db, principal.iid, id)) ?? refuse("notFound");

export const loadPatient = async (context: MemberContext, id: string): Promise<Patient> =>
  toPatient(await requireRecord(context, id), currentDay(context));

export async function notifyAndLoad(context: MemberContext, id: string): Promise<Patient> {
  await notifyClients(context.db, { institutions: [context.principal.iid] }, "patient", id);
  return loadPatient(context, id);
}

const encodeCursor = ({ key, id }: { key: string; id: string }): string =>
  Buffer.from(`${key} ${id}`).toString("base64url");
const cursorPattern =
  /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?)\+00 ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
function decodeCursor(cursor: string): { key: string; id: string } {
  const [, key, id] = cursorPattern.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  return id !== undefined && timestampInput.safeParse(`${key!.replace(" ", "T")}Z`).success
    ? { key: `${key}+00`, id }
    : refuse("badInput", { cursor: "cursorUnknown" });
}
