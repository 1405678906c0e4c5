import { moment } from "@arcada/contract/kernel/fields";
import { patientCalls, type Patient } from "@arcada/contract/patient/patient.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { exportPatients } from "./patient.export.ts";
import { openOrders, patientsAsked, patientsPage } from "./patient.list.ts";
import { binnedOf, columnsOf, houseOf, patientOf, todayOf, type RecordColumns, type Stored } from "./patient.ts";
import {
  binPatient,
  binnedPatients,
  findPatient,
  holdPatients,
  insertPatient,
  nextNumber,
  patientNames,
  restorePatient,
  samePerson,
  updatePatient,
} from "./patient.store.ts";

export const patientRoutes = routes(patientCalls, {
  list: {
    question: (query, context) => patientsAsked(houseOf(context), query),
    answer: (rows, query, context) => patientsPage(rows, query, todayOf(context)),
  },
  export: async (filter, context) => {
    const made = await exportPatients(context, filter);
    context.detail = { rows: made.rows };
    return made;
  },
  bin: async ({ cursor }, context) => {
    const { db, asker } = context;
    const { rows, isMore } = await binnedPatients(db, asker.iid, cursor === undefined ? null : readPlace(cursor));
    return { list: rows.map((row) => binnedOf(row, todayOf(context))), next: isMore ? placeOf(rows.at(-1)!) : null };
  },
  names: ({ ids }, { db, asker }) => patientNames(db, asker.iid, ids),
  detail: ({ id }, context) => patientNow(context, id),
  create: async ({ evenIfDuplicate, ...form }, context) => {
    const { db, asker } = context;
    const columns = columnsOf(form, null, todayOf(context));
    const number = await nextNumber(db, asker.iid);
    if (!evenIfDuplicate) await askIfKnown(context, columns, null);
    context.subject = await insertPatient(db, asker.iid, asker.uid, number, columns);
    return told(context, context.subject);
  },
  update: async ({ id, version, evenIfDuplicate, ...form }, context) => {
    const { db, asker } = context;
    const before = await recordOf(context, id);
    const columns = columnsOf(form, before, todayOf(context));
    if (!evenIfDuplicate && identifying.some((column) => columns[column] !== before[column])) {
      await holdPatients(db, asker.iid);
      await askIfKnown(context, columns, id);
    }
    const done = await updatePatient(db, asker.iid, id, version, before.number, columns);
    return done ? told(context, id) : refuse("patientChanged", await patientNow(context, id));
  },
  remove: async ({ id }, context) => {
    const { db, asker } = context;
    if (!(await binPatient(db, asker.iid, id))) return refuse("notFound");
    if (await openOrders(db, asker.iid, id)) return refuse("patientHasOrders");
    await notifyClients(db, { institutions: [asker.iid] }, "patient", id);
    return null;
  },
  restore: async ({ id }, context) => {
    if (!(await restorePatient(context.db, context.asker.iid, id))) return refuse("notFound");
    return told(context, id);
  },
});

/** The columns that samePerson compares. */
const identifying = ["name", "birth_date", "id_number"] as const;

async function askIfKnown({ db, asker }: MemberContext, columns: Stored, besides: string | null): Promise<void> {
  const candidates = await samePerson(db, asker.iid, columns, besides);
  if (candidates.length > 0) refuse("patientDuplicate", { candidates });
}

const recordOf = async ({ db, asker }: MemberContext, id: string): Promise<RecordColumns> =>
  (await findPatient(db, asker.iid, id)) ?? refuse("notFound");

const patientNow = async (context: MemberContext, id: string): Promise<Patient> =>
  patientOf(await recordOf(context, id), todayOf(context));

async function told(context: MemberContext, id: string): Promise<Patient> {
  await notifyClients(context.db, { institutions: [context.asker.iid] }, "patient", id);
  return patientNow(context, id);
}

const placeOf = ({ key, id }: { key: string; id: string }): string => Buffer.from(`${key} ${id}`).toString("base64url");
const placeShape = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?)\+00 ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
function readPlace(cursor: string): { key: string; id: string } {
  const [, key, id] = placeShape.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  return id !== undefined && moment.safeParse(`${key!.replace(" ", "T")}Z`).success
    ? { key: `${key}+00`, id }
    : refuse("badInput", { cursor: "cursorUnknown" });
}
