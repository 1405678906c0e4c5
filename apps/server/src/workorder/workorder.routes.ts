import { sql } from "kysely";
import { hasAccess, serviceRoles } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { notifyClients } from "../platform/events/events.ts";
import { documentUrl } from "../platform/http/pdf-routes.ts";
import type { SearchSource } from "../platform/runtime/search-source.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { listChoices, createOrder } from "./workorder.create.ts";
import { addFile, removeFile } from "./workorder.files.ts";
import { listOrders, listPlanned } from "./workorder.list.ts";
import { isFinishedWork, noInstitution } from "./workorder.document.ts";
import { applyWorkorderStep } from "./apply-workorder-step.ts";
import { addEvent, updateOrder, findOrder, listStaff } from "./workorder.store.ts";
import { planAppointment } from "./appointment.ts";
import { writeAppointmentCalendar } from "./appointment-calendar.ts";
import { mayFinish, mayNote } from "./workorder.allowed-steps.ts";
import { openOrderAsRead, toOrderReader, loadOrder } from "./workorder.view.ts";

/** The search finds work orders by what the list finds them by. */
export const workorderSearch: SearchSource = {
  kind: "workorder",
  list: workorderCalls.list,
  find: async (context, { text, most }) => {
    const { list } = await listOrders(context, workorderCalls.list.input.parse({ search: text, pageSize: most }));
    return list.map((row) => ({ kind: "workorder", ...row }));
  },
};

export const workorderRoutes = routes(workorderCalls, {
  list: (input, context) => listOrders(context, input),
  export: async (filter, { principal, language, now }) => {
    const reader = { iid: principal.iid ?? noInstitution, uid: principal.uid, scheme: principal.role };
    const request = { ...reader, id: "list", language, filter: JSON.stringify(filter) };
    return { url: documentUrl("workorders", request, now) };
  },
  planned: ({ before }, context) => listPlanned(context, before),
  plan: async (input, context) => {
    await planAppointment(context, input);
    return loadOrder(context, input.id);
  },
  calendar: async ({ id }, context) => {
    const { db, principal, language, now, config } = context;
    const order = await loadOrder(context, id);
    const { plannedAt } = order;
    if (plannedAt === null) return refuse("workorderActionNotAllowed");
    const row = (await findOrder(db, toOrderReader(principal), id)) ?? refuse("notFound");
    const page = hasAccess(serviceRoles, principal.role) ? screens.workorderDetail : screens.workOrder;
    const url = config.PUBLIC_URL ? `${config.PUBLIC_URL}${page.path}?id=${id}` : null;
    // The first appointment is no change of one.
    const sequence = Math.max(0, row.plan_changes - 1);
    const text = writeAppointmentCalendar({ ...order, plannedAt }, { sequence, language, url, now });
    return { name: `${order.number}.ics`, text };
  },
  detail: ({ id }, context) => openOrderAsRead(context, id),
  choices: async ({ search, clinic }, { db, principal }) => {
    const isService = hasAccess(serviceRoles, principal.role);
    const { iid } = toOrderReader(principal);
    return { ...(await listChoices(db, iid, search, clinic)), people: isService ? await listStaff(db) : [] };
  },
  create: async (input, context) => {
    const id = await createOrder(context, input);
    context.subject = id;
    return loadOrder(context, id);
  },
  step: async (input, context) => {
    await applyWorkorderStep(context, input);
    context.detail = { action: input.action };
    return loadOrder(context, input.id);
  },
  assign: async ({ orders, personId }, context) => {
    for (const { id, version } of orders)
      await applyWorkorderStep(context, { id, version, action: "assign", personId });
    context.detail = { orders: orders.map(({ id }) => id) };
    return { given: orders.length };
  },
  note: async ({ id, text, isInternal }, context) => {
    const { db, principal } = context;
    const row = (await findOrder(db, toOrderReader(principal), id, "held")) ?? refuse("notFound");
    if (!mayNote(row, principal)) refuse("workorderActionNotAllowed");
    await addEvent(db, row, { uid: principal.uid, action: null, to: null, text, isInternal });
    await notifyClients(db, { institutions: isInternal ? [] : [row.institution_id], service: true }, "workorder", id);
    return loadOrder(context, id);
  },
  saveFinish: async ({ id, version, serialNumber, description, parts }, context) => {
    const { db, principal } = context;
    const row = (await findOrder(db, toOrderReader(principal), id, "held")) ?? refuse("notFound");
    if (row.version !== version) refuse("workorderChanged");
    if (!mayFinish(row, principal)) refuse("workorderActionNotAllowed");
    if (!(await updateOrder(db, row, { finish_serial: serialNumber, finish_description: description })))
      refuse("workorderChanged");
    await sql`update work_order set finish_parts = ${JSON.stringify(parts)}::jsonb where id = ${id}`.execute(db);
    await notifyClients(db, { service: true }, "workorder", id);
    return loadOrder(context, id);
  },
  addFile: async (input, context) => addFile(context, input),
  removeFile: async ({ id, fileId }, context) => {
    await removeFile(context, id, fileId);
    return null;
  },
  paper: async ({ id, lang }, context) => {
    const { principal, now, language } = context;
    const order = await loadOrder(context, id);
    if (!isFinishedWork(order)) refuse("workorderActionNotAllowed");
    const request = {
      iid: principal.iid ?? noInstitution,
      uid: principal.uid,
      id,
      language: lang ?? language,
      scheme: principal.role,
    };
    return { url: documentUrl("workorder", request, now) };
  },
});
