import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant, pageOf, nullOutput, pagingParameters, required, text, version } from "../kernel/fields.ts";
import { serviceRoles } from "../kernel/roles.ts";
import { workorderStates } from "../workorder/workorder.lifecycle.ts";
import { workorderTypes } from "../workorder/workorder.rules.ts";
import { clinicKinds } from "./clinic.rules.ts";

/** Roles that maintain the records of clinics. */
export const clinicEditors = ["afterSalesAdmin"] as const;

/** A province or a city. `native`: its own name, if different; `words`: further search words. */
const division = z.object({ code: z.string(), name: z.string(), native: z.string(), words: z.string() });
export type Division = z.output<typeof division>;

const optionalText = (limit: number) => text(limit).nullable().default(null);
const coordinate = (limit: number) => z.number().min(-limit).max(limit).nullable().default(null);
/** Codes of divisions where the country's are known, else as typed. */
const addressDivision = { country: required(2), province: optionalText(60), city: optionalText(60) };
const clinicFields = {
  ...addressDivision,
  name: required(120),
  address: optionalText(200),
  leader: optionalText(60),
  phoneArea: optionalText(8),
  phone: optionalText(30),
  alternateName: optionalText(60),
  alternatePhone: optionalText(30),
  setUpAt: day.optional(),
  longitude: coordinate(180),
  latitude: coordinate(90),
};
const hasBothCoordinates = <T extends { longitude: number | null; latitude: number | null }>(value: T) =>
  (value.longitude === null) === (value.latitude === null);
const incompleteCoordinates = { path: ["latitude"], message: "placeHalf" };

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
      type: z.enum(workorderTypes),
      state: z.enum(workorderStates),
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
    summary:
      "The clinics by name; `search` finds names, numbers, places and, where they are told, addresses and contacts.",
    input: z.object({
      search: text(100).default(""),
      country: text(2).optional(),
      province: text(60).optional(),
      city: text(60).optional(),
      has: z.enum(clinicKinds).optional(),
      cursor: text(600).optional(),
      pageSize: pagingParameters.pageSize,
    }),
    output: pageOf(clinic),
  }),
  detail: call({
    method: "GET",
    path: "/v1/clinic/detail",
    access: serviceRoles,
    summary: "A clinic with its devices and open work orders; to a member those of their own work orders.",
    input: z.object({ id }),
    output: clinicDetail,
  }),
  divisions: call({
    method: "GET",
    path: "/v1/clinic/divisions",
    access: "signedIn",
    summary: "The provinces of a country, or the cities of a province; empty where they are not known.",
    input: z.object({ country: required(2), province: text(60).optional() }),
    output: z.array(division),
  }),
  create: call({
    method: "POST",
    path: "/v1/clinic/create",
    access: clinicEditors,
    summary: "Makes the record of a clinic that has no account here.",
    isIdempotent: true,
    audit: "clinic.create",
    input: z.object(clinicFields).refine(hasBothCoordinates, incompleteCoordinates),
    output: clinicDetail,
  }),
  update: call({
    method: "POST",
    path: "/v1/clinic/update",
    access: clinicEditors,
    summary: "Changes the record of a clinic; name and country of one that has an account stay as the clinic has them.",
    isIdempotent: true,
    audit: "clinic.update",
    input: z.object({ ...clinicFields, id, version }).refine(hasBothCoordinates, incompleteCoordinates),
    output: clinicDetail,
  }),
  remove: call({
    method: "POST",
    path: "/v1/clinic/remove",
    access: clinicEditors,
    summary: "Removes the record of a clinic on which nothing hangs.",
    audit: "clinic.remove",
    input: z.object({ id, version }),
    output: nullOutput,
  }),
  link: call({
    method: "POST",
    path: "/v1/clinic/link",
    access: clinicEditors,
    summary:
      "Joins the record of a clinic with that of its account, which came later: devices and work orders go over.",
    isIdempotent: true,
    audit: "clinic.link",
    input: z.object({ id, version, number: required(40) }),
    output: clinicDetail,
  }),
  unlink: call({
    method: "POST",
    path: "/v1/clinic/unlink",
    access: clinicEditors,
    summary:
      "Takes a record out of that of the account with which it was joined by mistake; what came with it goes back. Answers the record that was taken out.",
    isIdempotent: true,
    audit: "clinic.unlink",
    input: z.object({ id, version, joinId: id }),
    output: clinicDetail,
  }),
  bindDevice: call({
    method: "POST",
    path: "/v1/clinic/bindDevice",
    access: clinicEditors,
    summary: "Says at which clinic a registered device stands; whose it is its activation code decides.",
    isIdempotent: true,
    audit: "clinic.bindDevice",
    input: z.object({ id, deviceId: id }),
    output: clinicDetail,
  }),
} as const;
