import { sql } from "kysely";
import { mayRole, serviceRoles } from "@arcada/contract/kernel/roles";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { notifyClients } from "../platform/events/events.ts";
import { documentUrl } from "../platform/http/document-routes.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { choicesFor, createOrder } from "./workorder.create.ts";
import { addFile, removeFile } from "./workorder.files.ts";
import { listOrders } from "./workorder.list.ts";
import { isPrintable, noHouse } from "./workorder.paper.ts";
import { takeStep } from "./workorder.steps.ts";
import { addEvent, moveOrder, orderOf, people } from "./workorder.store.ts";
import { mayFinish, mayNote } from "./workorder.ts";
import { openOrder, readerOf, viewOrder } from "./workorder.view.ts";

export const workorderRoutes = routes(workorderCalls, {
  list: (wish, context) => listOrders(context, wish),
  detail: ({ id }, context) => openOrder(context, id),
  choices: async ({ search, clinic }, { db, asker }) => {
    const isService = mayRole(serviceRoles, asker.role);
    const { iid } = readerOf(asker);
    return { ...(await choicesFor(db, iid, search, clinic)), people: isService ? await people(db) : [] };
  },
  create: async (wish, context) => {
    const id = await createOrder(context, wish);
    context.subject = id;
    return viewOrder(context, id);
  },
  step: async (wish, context) => {
    await takeStep(context, wish);
    context.detail = { action: wish.action };
    return viewOrder(context, wish.id);
  },
  assign: async ({ orders, personId }, context) => {
    for (const { id, version } of orders) await takeStep(context, { id, version, action: "assign", personId });
    context.detail = { orders: orders.map(({ id }) => id) };
    return { given: orders.length };
  },
  note: async ({ id, text, isInternal }, context) => {
    const { db, asker } = context;
    const row = (await orderOf(db, readerOf(asker), id, "held")) ?? refuse("notFound");
    if (!mayNote(row, asker)) refuse("workorderActionNotAllowed");
    await addEvent(db, row, { uid: asker.uid, action: null, to: null, text, isInternal });
    await notifyClients(db, { institutions: isInternal ? [] : [row.institution_id], service: true }, "workorder", id);
    return viewOrder(context, id);
  },
  saveFinish: async ({ id, version, serialNumber, description, parts }, context) => {
    const { db, asker } = context;
    const row = (await orderOf(db, readerOf(asker), id, "held")) ?? refuse("notFound");
    if (row.version !== version) refuse("workorderChanged");
    if (!mayFinish(row, asker)) refuse("workorderActionNotAllowed");
    if (!(await moveOrder(db, row, { finish_serial: serialNumber, finish_description: description })))
      refuse("workorderChanged");
    await sql`update work_order set finish_parts = ${JSON.stringify(parts)}::jsonb where id = ${id}`.execute(db);
    await notifyClients(db, { service: true }, "workorder", id);
    return viewOrder(context, id);
  },
  addFile: async (wish, context) => addFile(context, wish),
  removeFile: async ({ id, fileId }, context) => {
    await removeFile(context, id, fileId);
    return null;
  },
  paper: async ({ id, lang }, context) => {
    const { asker, now, language } = context;
    const order = await viewOrder(context, id);
    if (!isPrintable(order)) refuse("workorderActionNotAllowed");
    const asked = { iid: asker.iid ?? noHouse, uid: asker.uid, id, language: lang ?? language, scheme: asker.role };
    return { url: documentUrl("workorder", asked, now) };
  },
});
