import { timestampInput } from "@arcada/contract/kernel/fields";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { listPatientNews, recordReading } from "./patient-news.ts";
import { changeRecord, createRecord, loadPatient, notifyAndLoad } from "./change-record.ts";
import { exportPatients } from "./patient.export.ts";
import { hasOpenOrders, buildListQueries, toPatientsPage } from "./patient.list.ts";
import { toBinnedPatient, toPatientScope, currentDay } from "./patient-column-mapping.ts";
import { movePatientToBin, listBinnedPatients, listPatientNames, restorePatient } from "./patient.store.ts";

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
  create: async (input, context) => {
    const created = await createRecord(context, input);
    context.subject = created.id;
    return created;
  },
  update: (input, context) => changeRecord(context, input),
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
