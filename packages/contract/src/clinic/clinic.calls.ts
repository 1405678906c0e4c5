import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant, listOf, nothing, paging, required, text, version } from "../kernel/fields.ts";
import { serviceRoles } from "../kernel/roles.ts";
import { clinicKinds } from "./clinic.rules.ts";

/** Roles that maintain the records of clinics. */
export const clinicKeepers = ["afterSalesAdmin"] as const;

/** A province or a city. `native`: its own name, if different; `words`: further search words. */
const division = z.object({ code: z.string(), name: z.string(), native: z.string(), words: z.string() });
export type Division = z.output<typeof division>;

const optional = (most: number) => text(most).nullable().default(null);
const coordinate = (most: number) => z.number().min(-most).max(most).nullable().default(null);
/** Codes of divisions where the country's are known, else as typed. */
const placed = { country: required(2), province: optional(60), city: optional(60) };
const fields = {
  ...placed,
  name: required(120),
  address: optional(200),
  leader: optional(60),
  phoneArea: optional(8),
  phone: optional(30),
  alternateName: optional(60),
  alternatePhone: optional(30),
  setUpAt: day.optional(),
  longitude: coordinate(180),
  latitude: coordinate(90),
};
const together = <T extends { longitude: number | null; latitude: number | null }>(value: T) =>
  (value.longitude === null) === (value.latitude === null);
const bothOrNone = { path: ["latitude"], message: "placeHalf" };

/** A clinic as after-sales sees it: no patient, no image, no order. */
export const clinic = z.object({
  id,
  name: z.string(),
  number: z.string(),
  country: z.string(),
  province: z.string().nullable(),
  city: z.string().nullable(),
  /** In the reader's language. */
  provinceName: z.string().nullable(),
  cityName: z.string().nullable(),
  /** False: the clinic of another person's work, of which only the name and the place are visible. */
  isOpen: z.boolean(),
  address: z.string().nullable(),
  leader: z.string().nullable(),
  phoneArea: z.string().nullable(),
  phone: z.string().nullable(),
  setUpAt: day,
  /** The clinic's institution here, if it has one. */
  institutionId: id.nullable(),
  members: z.int(),
  devices: z.int(),
  openWork: z.int(),
});
export type Clinic = z.output<typeof clinic>;

const clinicDevice = z.object({
  id,
  product: z.string(),
  model: z.string(),
  serialNumber: z.string(),
  name: z.string().nullable(),
  state: z.enum(["unbound", "bound", "locked"]),
  softwareVersion: z.string().nullable(),
});
export const clinicDetail = clinic.extend({
  alternateName: z.string().nullable(),
  alternatePhone: z.string().nullable(),
  longitude: z.number().nullable(),
  latitude: z.number().nullable(),
  version,
  /** As the clinic itself states in its settings. */
  own: z
    .object({
      address: z.string().nullable(),
      contactPerson: z.string().nullable(),
      contactWay: z.string().nullable(),
    })
    .nullable(),
  deviceList: z.array(clinicDevice),
  /** Those that are not finished, the oldest first; to a member their own. */
  workList: z.array(
    z.object({
      id,
      number: z.string(),
      type: z.string(),
      state: z.string(),
      assignee: z.string().nullable(),
      createdAt: instant,
    }),
  ),
  /** Records that were merged into it and can be separated again; visible to the roles that maintain the records. */
  joined: z.array(z.object({ id, name: z.string(), number: z.string(), by: z.string(), at: instant })),
  mayChange: z.boolean(),
  /** Nothing refers to the record. */
  mayRemove: z.boolean(),
});
export type ClinicDetail = z.output<typeof clinicDetail>;

export const clinicCalls = {
  list: call({
    method: "GET",
    path: "/v1/clinic/list",
    access: serviceRoles,
    says: "The clinics by name; `search` finds names, numbers, places and, where they are told, addresses and contacts.",
    input: z.object({
      search: text(100).default(""),
      country: text(2).optional(),
      province: text(60).optional(),
      city: text(60).optional(),
      has: z.enum(clinicKinds).optional(),
      cursor: text(600).optional(),
      pageSize: paging.pageSize,
    }),
    output: listOf(clinic),
  }),
  detail: call({
    method: "GET",
    path: "/v1/clinic/detail",
    access: serviceRoles,
    says: "A clinic with its devices and open work orders; to a member those of their own work orders.",
    input: z.object({ id }),
    output: clinicDetail,
  }),
  divisions: call({
    method: "GET",
    path: "/v1/clinic/divisions",
    access: serviceRoles,
    says: "The provinces of a country, or the cities of a province; empty where they are not known.",
    input: z.object({ country: required(2), province: text(60).optional() }),
    output: z.array(division),
  }),
  create: call({
    method: "POST",
    path: "/v1/clinic/create",
    access: clinicKeepers,
    says: "Makes the record of a clinic that has no account here.",
    command: true,
    audit: "clinic.create",
    input: z.object(fields).refine(together, bothOrNone),
    output: clinicDetail,
  }),
  update: call({
    method: "POST",
    path: "/v1/clinic/update",
    access: clinicKeepers,
    says: "Changes the record of a clinic; name and country of one that has an account stay as the clinic has them.",
    command: true,
    audit: "clinic.update",
    input: z.object({ ...fields, id, version }).refine(together, bothOrNone),
    output: clinicDetail,
  }),
  remove: call({
    method: "POST",
    path: "/v1/clinic/remove",
    access: clinicKeepers,
    says: "Removes the record of a clinic on which nothing hangs.",
    audit: "clinic.remove",
    input: z.object({ id, version }),
    output: nothing,
  }),
  link: call({
    method: "POST",
    path: "/v1/clinic/link",
    access: clinicKeepers,
    says: "Joins the record of a clinic with that of its account, which came later: devices and work orders go over.",
    command: true,
    audit: "clinic.link",
    input: z.object({ id, version, number: required(40) }),
    output: clinicDetail,
  }),
  unlink: call({
    method: "POST",
    path: "/v1/clinic/unlink",
    access: clinicKeepers,
    says: "Takes a record out of that of the account with which it was joined by mistake; what came with it goes back. Answers the record that was taken out.",
    command: true,
    audit: "clinic.unlink",
    input: z.object({ id, version, joinId: id }),
    output: clinicDetail,
  }),
  bindDevice: call({
    method: "POST",
    path: "/v1/clinic/bindDevice",
    access: clinicKeepers,
    says: "Says at which clinic a registered device stands; whose it is its activation code decides.",
    command: true,
    audit: "clinic.bindDevice",
    input: z.object({ id, deviceId: id }),
    output: clinicDetail,
  }),
} as const;
