import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, limited, nullOutput, boundedRecord, required, commaSeparatedIds } from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";
import { orderRow } from "./order.calls.ts";
import { listRules, orderColumns, orderFilter, orderSorting } from "./order-list.filter.ts";

const columnList = z.array(z.enum(orderColumns)).min(1).max(orderColumns.length);
/** The query parameters of the list's address. */
const filterParameters = boundedRecord(limited(40), limited(200), 30);

export const savedOrderView = z.object({
  id,
  name: z.string(),
  filter: filterParameters,
  columns: columnList.nullable(),
  standard: z.boolean(),
});
export type SavedOrderView = z.output<typeof savedOrderView>;
const personSummary = z.object({ id, name: z.string() });

export const listCalls = {
  names: call({
    method: "GET",
    path: "/v1/order/names",
    access: caseRoles,
    audit: "order.list",
    summary: "What some orders are called, by their ids with commas between; what the asker may not open is left out.",
    input: z.object({ ids: commaSeparatedIds(listRules.maxNames) }),
    output: z.array(orderRow.pick({ id: true, number: true, caseType: true, patientName: true, work: true })),
  }),
  choices: call({
    method: "GET",
    path: "/v1/order/choices",
    access: caseRoles,
    summary: "The organisations and the people by whom the list of orders can be narrowed.",
    input: z.object({}),
    output: z.object({ organisations: z.array(personSummary), people: z.array(personSummary) }),
  }),
  export: call({
    method: "POST",
    path: "/v1/order/export",
    access: caseRoles,
    summary: "The chosen orders as a spreadsheet (xlsx) in the asker's language; answers its short-lived address.",
    audit: "order.export",
    input: z.object({ ...orderFilter, ...orderSorting }),
    output: z.object({ url: z.string(), rows: z.int(), cut: z.boolean() }),
  }),
  looks: call({
    method: "GET",
    path: "/v1/order/looks",
    access: caseRoles,
    summary: "The asker's own saved views of the list, and the columns that they chose last.",
    input: z.object({}),
    output: z.object({ looks: z.array(savedOrderView), columns: columnList.nullable() }),
  }),
  saveLook: call({
    method: "POST",
    path: "/v1/order/saveLook",
    access: caseRoles,
    summary:
      "Keeps a view of the list under a name; the same name is written over. One of them may be the standard view.",
    isIdempotent: true,
    input: z.object({
      name: required(60),
      filter: filterParameters,
      columns: columnList.nullable(),
      standard: z.boolean(),
    }),
    output: savedOrderView,
  }),
  dropLook: call({
    method: "POST",
    path: "/v1/order/dropLook",
    access: caseRoles,
    summary: "Forgets a saved view.",
    isIdempotent: true,
    input: z.object({ id }),
    output: nullOutput,
  }),
  setColumns: call({
    method: "POST",
    path: "/v1/order/setColumns",
    access: caseRoles,
    summary: "Which columns the asker sees in the list, and in which order; null: the usual ones.",
    input: z.object({ columns: columnList.nullable() }),
    output: nullOutput,
  }),
} as const;
