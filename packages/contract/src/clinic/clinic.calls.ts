import { z } from "zod";
import { call } from "../kernel/call.ts";
import { instant, listOf, paging, text } from "../kernel/fields.ts";
import { serviceRoles } from "../kernel/roles.ts";
import { institution } from "../institution/institution.calls.ts";

/** A clinic as those see it who look after its devices: no patient, no image, no order. */
export const clinic = institution
  .pick({ id: true, name: true, number: true, country: true, address: true, contactPerson: true, contactWay: true })
  .extend({ setUpAt: instant, members: z.int() });
export type Clinic = z.output<typeof clinic>;

export const clinicCalls = {
  list: call({
    method: "GET",
    path: "/v1/clinic/list",
    access: serviceRoles,
    says: "The clinics of the platform by name; `search` finds names, numbers, addresses and contacts.",
    input: z.object({ search: text(100).default(""), cursor: text(600).optional(), pageSize: paging.pageSize }),
    output: listOf(clinic),
  }),
} as const;
