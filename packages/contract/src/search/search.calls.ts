import { z } from "zod";
import { clinic } from "../clinic/clinic.calls.ts";
import { device } from "../device/device.calls.ts";
import { call } from "../kernel/call.ts";
import { text } from "../kernel/fields.ts";
import { caseRoles, serviceRoles } from "../kernel/roles.ts";
import { member } from "../member/member.calls.ts";
import { orderRow } from "../order/order.calls.ts";
import { patientRow } from "../patient/patient.calls.ts";
import { workorderRow } from "../workorder/workorder.schema.ts";

/** `hits`: records of a kind that an answer contains at most. `opened`: records that were opened lately. */
export const searchRules = { maxText: 60, hits: 5, opened: 8 } as const;

/** The kinds of records that the search finds, in the order of the answer. */
export const searchKinds = ["patient", "order", "device", "person", "clinic", "workorder"] as const;
export type SearchKind = (typeof searchKinds)[number];

/** A found record, with the fields of its list that tell it from others of the same name. */
export const searchHit = z.discriminatedUnion("kind", [
  patientRow
    .pick({ id: true, number: true, name: true, sex: true, age: true, birthDate: true })
    .extend({ kind: z.literal("patient") }),
  orderRow
    .pick({
      id: true,
      number: true,
      patientName: true,
      caseType: true,
      work: true,
      state: true,
      step: true,
      mine: true,
      sender: true,
      receiver: true,
    })
    .extend({ kind: z.literal("order") }),
  device
    .pick({ id: true, product: true, model: true, serialNumber: true, name: true, state: true })
    .extend({ kind: z.literal("device") }),
  member.pick({ id: true, name: true, authorityId: true, email: true }).extend({ kind: z.literal("person") }),
  clinic
    .pick({ id: true, number: true, name: true, provinceName: true, cityName: true })
    .extend({ kind: z.literal("clinic") }),
  workorderRow.pick({ id: true, number: true, type: true, state: true, clinic: true }).extend({
    kind: z.literal("workorder"),
  }),
]);
export type SearchHit = z.output<typeof searchHit>;

export const searchCalls = {
  find: call({
    method: "GET",
    path: "/v1/search/find",
    access: [...caseRoles, ...serviceRoles],
    summary:
      "The records that a text finds in the lists of the caller's role, the lately opened first; without a text the records that the caller opened lately.",
    input: z.object({ text: text(searchRules.maxText).default("") }),
    output: z.object({
      /** Kinds without a hit are left out. `isMore`: the list of the kind finds more than these. */
      groups: z.array(z.object({ kind: z.enum(searchKinds), hits: z.array(searchHit), isMore: z.boolean() })),
      /** Empty where a text was given. */
      opened: z.array(searchHit),
    }),
  }),
} as const;
