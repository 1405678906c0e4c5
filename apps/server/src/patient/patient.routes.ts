import { patientCalls, type Patient } from "@arcada/contract/patient/patient.calls";
import type { MemberContext } from "../kernel/asker.ts";
import { tellTabs } from "../kernel/events.ts";
import { refuse } from "../kernel/refuse.ts";
import { routes } from "../kernel/serve.ts";
import { listPatients, openOrders } from "./patient.list.ts";
import { columnsOf, dayOf, patientOf, type RecordColumns } from "./patient.ts";
import {
  binPatient,
  findPatient,
  insertPatient,
  restorePatient,
  samePerson,
  timelineOf,
  updatePatient,
} from "./patient.store.ts";

export const patientRoutes = routes(patientCalls, {
  list: (input, { db, asker, now }) => listPatients(db, asker.iid, input, dayOf(now)),
  detail: ({ id }, context) => patientNow(context, id),
  create: async ({ evenIfDuplicate, ...form }, context) => {
    const { db, asker, now } = context;
    const columns = columnsOf(form, null, dayOf(now));
    const candidates = evenIfDuplicate ? [] : await samePerson(db, asker.iid, columns);
    if (candidates.length > 0) return refuse("patientDuplicate", { candidates });
    context.subject = await insertPatient(db, asker.iid, asker.uid, columns);
    return told(context, context.subject);
  },
  update: async ({ id, version, ...form }, context) => {
    const { db, asker, now } = context;
    const before = await recordOf(context, id);
    const done = await updatePatient(db, asker.iid, id, version, before.number, columnsOf(form, before, dayOf(now)));
    return done ? told(context, id) : refuse("patientChanged", await patientNow(context, id));
  },
  remove: async ({ id }, context) => {
    const { db, asker } = context;
    if (!(await binPatient(db, asker.iid, id))) return refuse("notFound");
    if (await openOrders(db, asker.iid, id)) return refuse("patientHasOrders");
    await tellTabs(db, { institutions: [asker.iid] }, "patient", id);
    return null;
  },
  restore: async ({ id }, context) => {
    if (!(await restorePatient(context.db, context.asker.iid, id))) return refuse("notFound");
    return told(context, id);
  },
  timeline: async ({ id }, context) => {
    await recordOf(context, id);
    return timelineOf(context.db, context.asker.iid, id);
  },
});

const recordOf = async ({ db, asker }: MemberContext, id: string): Promise<RecordColumns> =>
  (await findPatient(db, asker.iid, id)) ?? refuse("notFound");

const patientNow = async (context: MemberContext, id: string): Promise<Patient> =>
  patientOf(await recordOf(context, id), dayOf(context.now));

async function told(context: MemberContext, id: string): Promise<Patient> {
  await tellTabs(context.db, { institutions: [context.asker.iid] }, "patient", id);
  return patientNow(context, id);
}
