import { z } from "zod";
import { call } from "../kernel/call.ts";
import { limited } from "../kernel/fields.ts";
import { account, code, countryCode } from "./account.schema.ts";
import { userInfo } from "./user-info.schema.ts";

export const contactKinds = ["phone", "email"] as const;
export type ContactKind = (typeof contactKinds)[number];

const contactKind = z.enum(contactKinds);
const verificationTicket = limited(200);

export const contactCalls = {
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
} as const;
