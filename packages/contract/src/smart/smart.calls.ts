import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, nullOutput, required, text } from "../kernel/fields.ts";
import { caseRoles, clinicRoles, managerRoles } from "../kernel/roles.ts";
import { isSupportedScope } from "./smart-scopes.ts";
import { appKinds, isAppAddress, smartRules } from "./smart.rules.ts";

const proof = { password: limited(200).optional(), code: limited(20).optional() };

export const smartAppStates = ["active", "revoked"] as const;
export const smartApp = z.object({
  /** The client id. */
  id,
  name: z.string(),
  kind: z.enum(appKinds),
  redirectUris: z.array(z.string()),
  launchUrl: z.string().nullable(),
  scopes: z.array(z.string()),
  /** The address of its public keys, or the keys themselves as JSON. */
  keys: z.string().nullable(),
  state: z.enum(smartAppStates),
  createdBy: z.string(),
  createdAt: instant,
  revokedAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  /** People who allow it something at the moment. */
  people: z.int(),
});
export type SmartApp = z.output<typeof smartApp>;

const appAddress = limited(smartRules.maxAddressLength).refine(isAppAddress, "appAddress");
const registration = {
  name: required(60),
  redirectUris: z.array(appAddress).max(smartRules.maxRedirectUris),
  launchUrl: text(smartRules.maxAddressLength).refine((url) => url === "" || isAppAddress(url), "appAddress"),
  scopes: z
    .array(limited(smartRules.maxScopeLength).refine(isSupportedScope, "appScope"))
    .max(smartRules.maxScopes)
    .min(1, "chooseOne"),
  keys: text(smartRules.maxKeySetLength),
};

/** The parameters with which an app opens the page of consent. */
export const authorizationRequest = z.object({
  response_type: limited(40).optional(),
  client_id: limited(60),
  redirect_uri: limited(smartRules.maxAddressLength),
  scope: limited(2000).default(""),
  state: limited(1000).optional(),
  aud: limited(smartRules.maxAddressLength).optional(),
  code_challenge: limited(200).optional(),
  code_challenge_method: limited(20).optional(),
  launch: limited(200).optional(),
});
export type AuthorizationRequest = z.input<typeof authorizationRequest>;

const namedPatient = z.object({ id, name: z.string(), number: z.string() });
export const consentQuestion = z.object({
  app: z.string(),
  /** The host to which the browser returns. */
  host: z.string(),
  scopes: z.array(z.string()),
  /** The patient of the launch; null: there is none, or the person chooses one. */
  patient: namedPatient.nullable(),
  choosesPatient: z.boolean(),
});
export type ConsentQuestion = z.output<typeof consentQuestion>;

export const appApproval = z.object({
  id,
  app: z.string(),
  scopes: z.array(z.string()),
  patient: z.string().nullable(),
  createdAt: instant,
  usedAt: instant.nullable(),
});
export type AppApproval = z.output<typeof appApproval>;

const withSecret = z.object({
  app: smartApp,
  /** Shown this once; null for an app without a secret. */
  secret: z.string().nullable(),
});

export const smartCalls = {
  apps: call({
    method: "GET",
    path: "/v1/smart/apps",
    access: managerRoles,
    summary: `The apps that the organisation has registered; revoked ones for ${smartRules.endedDays} days.`,
    input: z.object({}),
    output: z.array(smartApp),
  }),
  register: call({
    method: "POST",
    path: "/v1/smart/register",
    access: managerRoles,
    summary:
      "Registers an app that people of the organisation may connect. Its secret is shown this once. Asks for the password again, or for the code of a second factor.",
    input: z.object({ kind: z.enum(appKinds), ...registration, ...proof }),
    output: withSecret,
  }),
  change: call({
    method: "POST",
    path: "/v1/smart/change",
    access: managerRoles,
    summary: "Changes an app. Asks for the password again, or for the code of a second factor.",
    input: z.object({ id, ...registration, ...proof }),
    output: smartApp,
  }),
  renewSecret: call({
    method: "POST",
    path: "/v1/smart/renewSecret",
    access: managerRoles,
    summary:
      "Replaces the secret of an app; the previous one ends at once. Asks for the password again, or for the code of a second factor.",
    input: z.object({ id, ...proof }),
    output: withSecret,
  }),
  revoke: call({
    method: "POST",
    path: "/v1/smart/revoke",
    access: managerRoles,
    summary: "Ends an app with everything that people have allowed it.",
    isIdempotent: true,
    audit: "smart.revoke",
    input: z.object({ id }),
    output: smartApp,
  }),
  ask: call({
    method: "POST",
    path: "/v1/smart/ask",
    access: caseRoles,
    summary: "Returns what an app asks for, or the address that tells the app why it cannot be asked.",
    input: z.object({ request: authorizationRequest }),
    output: z.object({ question: consentQuestion.nullable(), redirect: z.string().nullable() }),
  }),
  decide: call({
    method: "POST",
    path: "/v1/smart/decide",
    access: caseRoles,
    summary: "Allows an app what it asks for, or nothing; returns the address at which the app goes on.",
    audit: "smart.decide",
    input: z.object({ request: authorizationRequest, allow: z.boolean(), patientId: id.nullable() }),
    output: z.object({ redirect: z.string() }),
  }),
  launchable: call({
    method: "GET",
    path: "/v1/smart/launchable",
    access: clinicRoles,
    summary: "The apps that can be opened from the record of a patient.",
    input: z.object({}),
    output: z.array(z.object({ id, name: z.string() })),
  }),
  launch: call({
    method: "POST",
    path: "/v1/smart/launch",
    access: clinicRoles,
    summary: "Returns the address that opens an app for a patient, with a code that works once.",
    audit: "smart.launch",
    input: z.object({ id, patientId: id }),
    output: z.object({ url: z.string() }),
  }),
  approvals: call({
    method: "GET",
    path: "/v1/smart/approvals",
    access: caseRoles,
    summary: "What the person allows apps at the moment.",
    input: z.object({}),
    output: z.array(appApproval),
  }),
  endApproval: call({
    method: "POST",
    path: "/v1/smart/endApproval",
    access: caseRoles,
    summary: "Ends what the person allowed an app.",
    isIdempotent: true,
    audit: "smart.endApproval",
    input: z.object({ id }),
    output: nullOutput,
  }),
} as const;
