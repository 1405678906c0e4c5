import { z } from "zod";
import { call } from "../kernel/call.ts";
import { email, limited, timestampInput, nullOutput, text } from "../kernel/fields.ts";
import { userInfo } from "./account.calls.ts";
import { account, code, countryCode, nation } from "./account.schema.ts";

export const contactKinds = ["phone", "email"] as const;
export type ContactKind = (typeof contactKinds)[number];
export const legalKinds = ["terms", "privacy"] as const;
export type LegalKind = (typeof legalKinds)[number];

const contactKind = z.enum(contactKinds);
const verificationTicket = limited(200);
/** To the terms and the privacy policy; needed from who has not agreed yet. */
const agreesToTerms = z.boolean().optional();
const clientError = z.object({
  message: text(2000),
  stack: text(8000).optional(),
  path: text(300),
  at: timestampInput,
});

/**
 * Calls about a user's own profile: contacts, the data that completes an account, and the texts that anyone may read
 * before having one.
 */
export const profileCalls = {
  setContactInfo: call({
    method: "POST",
    path: "/v1/user/setContactInfo",
    access: "signedIn",
    summary:
      "Binds a phone number or an e-mail address by its code; in place of one that is bound, with the ticket of that.",
    isIdempotent: true,
    input: z.object({ account, countryCode, code, ticket: verificationTicket.optional() }),
    output: userInfo,
  }),
  checkOriginalInfo: call({
    method: "POST",
    path: "/v1/user/checkOriginalInfo",
    access: "signedIn",
    summary: "Checks the code that was sent to a bound contact and answers with the ticket that changing it needs.",
    input: z.object({ kind: contactKind, code }),
    output: z.object({ ticket: z.string() }),
  }),
  unbindContactInfo: call({
    method: "GET",
    path: "/v1/user/unbindContactInfo",
    access: "signedIn",
    summary: "Takes a contact away, with its ticket; one contact always stays.",
    input: z.object({ kind: contactKind, ticket: verificationTicket }),
    output: userInfo,
  }),
  initSelfInfo: call({
    method: "POST",
    path: "/v1/user/initSelfInfo",
    access: "signedIn",
    summary: "Completes a personal account: its bound e-mail address, the country, the name.",
    isIdempotent: true,
    input: z.object({
      email: email(120),
      nation,
      userName: text(60).min(1, "nameNeeded"),
      agree: agreesToTerms,
    }),
    output: nullOutput,
  }),
  initStudyInfo: call({
    method: "POST",
    path: "/v1/user/initStudyInfo",
    access: "signedIn",
    summary: "Completes an account that was made for an organisation: the country, and what it is called.",
    isIdempotent: true,
    input: z.object({ nation, name: text(120).optional(), agree: agreesToTerms }),
    output: nullOutput,
  }),
  privacyPolicy: call({
    method: "GET",
    path: "/v1/base/privacyPolicy",
    access: "anyone",
    summary: "The terms of use or the privacy policy, in the reader's language.",
    input: z.object({ kind: z.enum(legalKinds) }),
    output: z.object({ title: z.string(), version: z.string(), markdown: z.string() }),
  }),
  reportErrors: call({
    method: "POST",
    path: "/v1/base/reportErrors",
    access: "signedIn",
    summary:
      "Sends what went wrong in the browser to whoever runs this service, without personal data; kept for 30 days.",
    input: z.object({ errors: z.array(clientError).min(1).max(50) }),
    output: nullOutput,
  }),
} as const;
