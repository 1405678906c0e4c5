import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, listOf, paging, required, text } from "../kernel/fields.ts";
import { caseRoles, managerRoles } from "../kernel/roles.ts";

export const institutionRules = { searchMost: 20, numberDigits: 8 } as const;
export const institutionTypes = ["clinic", "lab"] as const;

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
});
/** What anyone who is signed in may find of an organisation. */
export const foundInstitution = institution.pick({
  id: true,
  name: true,
  number: true,
  type: true,
  country: true,
  address: true,
});

const settings = {
  name: required(120),
  address: text(200).nullable().optional(),
  contactPerson: text(60).nullable().optional(),
  contactWay: text(60).nullable().optional(),
  longitude: z.number().min(-180).max(180).nullable().optional(),
  latitude: z.number().min(-90).max(90).nullable().optional(),
};

export const institutionCalls = {
  create: call({
    method: "POST",
    path: "/v1/institution/create",
    access: "signedIn",
    says: "Makes an organisation; the creator becomes its manager and works in it from now on.",
    command: true,
    input: z.object({ ...settings, type: z.enum(institutionTypes), country: required(2) }),
    output: institution,
  }),
  switch: call({
    method: "POST",
    path: "/v1/institution/switch",
    access: "signedIn",
    says: "Continues this session in another organisation of the user.",
    input: z.object({ iid: id }),
    output: z.object({ token: z.string() }),
  }),
  search: call({
    method: "GET",
    path: "/v1/institution/search",
    access: "signedIn",
    says: "Finds organisations by number or name, at most 20.",
    input: z.object({ text: required(60), type: z.enum(institutionTypes).optional() }),
    output: z.array(foundInstitution),
  }),
  detail: call({
    method: "GET",
    path: "/v1/institution/detail",
    access: caseRoles,
    says: "The session's organisation.",
    input: z.object({}),
    output: institution,
  }),
  update: call({
    method: "POST",
    path: "/v1/institution/update",
    access: managerRoles,
    says: "Changes the session's organisation.",
    command: true,
    input: z.object({ ...settings, hidePatientNames: z.boolean() }).partial(),
    output: institution,
  }),
  mine: call({
    method: "GET",
    path: "/v1/user/myInstitutionList",
    access: "signedIn",
    says: "The organisations of the user; status 2 lists those where they are a normal member.",
    input: z.object({ ...paging, status: z.coerce.number().int().optional() }),
    output: listOf(
      z.object({
        iid: id,
        name: z.string(),
        number: z.string(),
        type: z.enum(institutionTypes),
        authorityId: z.int(),
        status: z.int(),
      }),
    ),
  }),
} as const;
