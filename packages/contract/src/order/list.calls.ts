import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, limited, nothing, recordOf, required, someIds } from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";
import { listRules, orderColumns, orderFilter, orderSorting } from "./list.filter.ts";

const columns = z.array(z.enum(orderColumns)).min(1).max(orderColumns.length);
/** The query parameters of the list's address. */
const settings = recordOf(limited(40), limited(200), 30);

export const orderLook = z.object({
  id,
  name: z.string(),
  filter: settings,
  columns: columns.nullable(),
  standard: z.boolean(),
});
export type OrderLook = z.output<typeof orderLook>;
const someone = z.object({ id, name: z.string() });

export const listCalls = {
  numbers: call({
    method: "GET",
    path: "/v1/order/numbers",
    access: caseRoles,
    says: "The numbers of some orders, by their ids with commas between; what the asker may not open is left out.",
    input: z.object({ ids: someIds(listRules.numbersMost) }),
    output: z.array(z.object({ id, number: z.string() })),
  }),
  choices: call({
    method: "GET",
    path: "/v1/order/choices",
    access: caseRoles,
    says: "The organisations and the people by whom the list of orders can be narrowed.",
    input: z.object({}),
    output: z.object({ organisations: z.array(someone), people: z.array(someone) }),
  }),
  export: call({
    method: "POST",
    path: "/v1/order/export",
    access: caseRoles,
    says: "The chosen orders as a spreadsheet (xlsx) in the asker's language; answers its short-lived address.",
    audit: "order.export",
    input: z.object({ ...orderFilter, ...orderSorting }),
    output: z.object({ url: z.string(), rows: z.int(), cut: z.boolean() }),
  }),
  looks: call({
    method: "GET",
    path: "/v1/order/looks",
    access: caseRoles,
    says: "The asker's own saved views of the list, and the columns that they chose last.",
    input: z.object({}),
    output: z.object({ looks: z.array(orderLook), columns: columns.nullable() }),
  }),
  saveLook: call({
    method: "POST",
    path: "/v1/order/saveLook",
    access: caseRoles,
    says: "Keeps a view of the list under a name; the same name is written over. One of them may be the standard view.",
    command: true,
    input: z.object({ name: required(60), filter: settings, columns: columns.nullable(), standard: z.boolean() }),
    output: orderLook,
  }),
  dropLook: call({
    method: "POST",
    path: "/v1/order/dropLook",
    access: caseRoles,
    says: "Forgets a saved view.",
    command: true,
    input: z.object({ id }),
    output: nothing,
  }),
  setColumns: call({
    method: "POST",
    path: "/v1/order/setColumns",
    access: caseRoles,
    says: "Which columns the asker sees in the list, and in which order; null: the usual ones.",
    input: z.object({ columns: columns.nullable() }),
    output: nothing,
  }),
} as const;
