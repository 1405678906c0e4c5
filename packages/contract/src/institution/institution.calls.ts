import { z } from "zod";
import { nation } from "../account/account.schema.ts";
import { call } from "../kernel/call.ts";
import { email, id, limited, required, text } from "../kernel/fields.ts";
import { languages } from "../kernel/languages.ts";
import { timeZoneName } from "../kernel/time-zone.ts";
import { caseRoles, managerRoles } from "../kernel/roles.ts";
import { receiptRules } from "../order/order-steps.rules.ts";
import { retentionRules } from "../patient/retention-years.ts";
import { institutionTypes } from "./institution-types.ts";
import { ownInstitutionCalls } from "./own-institutions.calls.ts";

export const institutionRules = {
  maxSearchResults: 20,
  numberDigits: 8,
  /** The number of institutions that one person may found; each has its own storage and analyses. */
  maxFoundedPerDay: 5,
  maxFoundedInTotal: 20,
  /** The number of institutions that one after-sales user may open for others in a day. */
  maxOpenedPerDay: 20,
} as const;
export const logoRules = {
  bytes: 2 * 1024 * 1024,
  /** The best size, in px; multiples of it look equally good. */
  width: 102,
  height: 34,
  /** Stored at most at this multiple of that size. */
  scale: 10,
} as const;
/** The most bytes of a request with a logo as base64: one that is somewhat too large is refused in words. */
const logoBody = Math.ceil(logoRules.bytes / 3) * 4 + 100_000;
export const logoPositions = ["cover", "inside"] as const;
export type LogoPosition = (typeof logoPositions)[number];
/** Advice on a logo: not errors, but reasons to check the preview. */
export const logoWarnings = ["shape", "small", "partlyWhite", "notTransparent", "pale"] as const;
export type LogoWarning = (typeof logoWarnings)[number];

/** Days after which a receipt that nobody confirms closes by itself; null: never. */
const receiptDays = z.int().min(receiptRules.minDays).max(receiptRules.maxDays).nullable();
/** Years for which records are kept after the last visit; null: as the country has it. */
const retentionYears = z.int().min(0).max(retentionRules.max).nullable();
export const institution = z.object({
  id,
  name: z.string(),
  number: z.string(),
  type: z.enum(institutionTypes),
  country: z.string(),
  address: z.string().nullable(),
  contactPerson: z.string().nullable(),
  contactWay: z.string().nullable(),
  longitude: z.number().nullable(),
  latitude: z.number().nullable(),
  hidePatientNames: z.boolean(),
  autoAcceptRelations: z.boolean(),
  /** Partners see the phones of the people in charge of an order. */
  sharePhones: z.boolean(),
  requireFactor: z.boolean(),
  /** Practice programs may have a patient created whom they open and who is absent. */
  launchCreatesPatients: z.boolean(),
  receiptDays,
  retentionYears,
  /** IANA name of the zone in which its days begin; pages, documents, numbers and exports use it. */
  timeZone: z.string(),
  /** Short-lived addresses of the images. */
  reportLogo: z.object({ cover: z.string().nullable(), inside: z.string().nullable() }),
});
/** The fields of an institution that every signed-in user may find. */
export const foundInstitution = institution.pick({
  id: true,
  name: true,
  number: true,
  type: true,
  country: true,
  address: true,
});

/**
 * The additional fields that a partner sees: contact and location. They are null while the two do not work together.
 */
export const partnerInstitution = foundInstitution.extend(
  institution.pick({ contactPerson: true, contactWay: true, longitude: true, latitude: true }).shape,
);

const institutionSettings = {
  name: required(120),
  address: text(200).nullable().optional(),
  contactPerson: text(60).nullable().optional(),
  contactWay: text(60).nullable().optional(),
  longitude: z.number().min(-180).max(180).nullable().optional(),
  latitude: z.number().min(-90).max(90).nullable().optional(),
  /** If omitted: the zone of the country, or UTC if the country has several. */
  timeZone: timeZoneName.optional(),
};

export const institutionCalls = {
  create: call({
    method: "POST",
    path: "/v1/institution/create",
    access: "signedIn",
    summary: "Makes an organisation; the creator becomes its manager and works in it from now on.",
    isIdempotent: true,
    input: z.object({ ...institutionSettings, type: z.enum(institutionTypes), country: required(2) }),
    output: institution,
  }),
  openAccount: call({
    method: "POST",
    path: "/v1/institution/openAccount",
    access: ["afterSalesAdmin"],
    summary:
      "Opens an organisation with the account of its first manager, who is told by e-mail and completes it at the first sign-in.",
    isIdempotent: true,
    audit: "institution.openAccount",
    input: z.object({
      type: z.enum(institutionTypes),
      name: required(120),
      country: nation,
      email: email(120).toLowerCase(),
      personName: required(60),
      /** The language of the email and of the account. If omitted, that of the request. */
      language: z.enum(languages).optional(),
    }),
    output: z.object({ id, name: z.string(), number: z.string() }),
  }),
  switch: call({
    method: "POST",
    path: "/v1/institution/switch",
    access: "signedIn",
    summary: "Continues this session in another organisation of the user.",
    input: z.object({ iid: id }),
    output: z.object({ token: z.string() }),
  }),
  search: call({
    method: "GET",
    path: "/v1/institution/search",
    access: "signedIn",
    summary: "Finds organisations by number or name, at most 20.",
    input: z.object({ text: required(60), type: z.enum(institutionTypes).optional() }),
    output: z.array(foundInstitution),
  }),
  detail: call({
    method: "GET",
    path: "/v1/institution/detail",
    access: caseRoles,
    summary: "The session's organisation.",
    input: z.object({}),
    output: institution,
  }),
  update: call({
    method: "POST",
    path: "/v1/institution/update",
    access: managerRoles,
    summary: "Changes the session's organisation.",
    isIdempotent: true,
    input: z
      .object({
        ...institutionSettings,
        hidePatientNames: z.boolean(),
        autoAcceptRelations: z.boolean(),
        sharePhones: z.boolean(),
        requireFactor: z.boolean(),
        launchCreatesPatients: z.boolean(),
        receiptDays,
        retentionYears,
      })
      .partial(),
    output: institution,
  }),
  setLogo: call({
    method: "POST",
    path: "/v1/institution/setLogo",
    access: managerRoles,
    summary: "Sets or removes the logo of the reports' cover or inside pages: a PNG or JPEG as base64, at most 2 MB.",
    isIdempotent: true,
    audit: "institution.setLogo",
    maxBodyBytes: logoBody,
    input: z.object({
      place: z.enum(logoPositions),
      // Longer ones are refused in words.
      image: limited(logoBody).check(z.base64()).nullable(),
    }),
    output: z.object({ institution, advice: z.array(z.enum(logoWarnings)) }),
  }),
  ...ownInstitutionCalls,
} as const;
