import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, timestampInput, required, text } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";

export const consentKinds = ["treatment", "imaging", "dataUse", "sharing", "training"] as const;
export type ConsentKind = (typeof consentKinds)[number];
/**
 * The version of the wording in consent.json that a patient agrees to on the screen. Every change of meaning needs a
 * new version.
 */
export const consentTexts: Record<ConsentKind, string> = {
  treatment: "2026-11",
  imaging: "2026-11",
  dataUse: "2026-11",
  sharing: "2026-11",
  training: "2026-11",
};
export const consentRules = { maxHoursAhead: 24 } as const;

export const consent = z.object({
  id,
  kind: z.enum(consentKinds),
  textVersion: z.string(),
  /** The wording on the screen; null if a document contains it. */
  words: z.string().nullable(),
  how: z.enum(["paper", "screen"]),
  /** The name of the person who agreed; a guardian for a patient who cannot decide alone. */
  givenBy: z.string(),
  givenFor: z.enum(["self", "guardian"]),
  givenAt: instant,
  scan: z.object({ name: z.string(), url: z.string() }).nullable(),
  note: z.string().nullable(),
  recordedBy: z.string(),
  withdrawn: z.object({ at: instant, by: z.string(), note: z.string().nullable(), recordedBy: z.string() }).nullable(),
});
export type Consent = z.output<typeof consent>;

const isNotInFuture = (at: string) => Date.parse(at) <= Date.now() + consentRules.maxHoursAhead * 3_600_000;
const consentTime = timestampInput.refine(isNotInFuture, "timeInFuture");

export const consentCalls = {
  list: call({
    method: "GET",
    path: "/v1/consent/list",
    access: clinicRoles,
    summary: "What a patient agreed to and took back, newest first.",
    audit: "consent.read",
    input: z.object({ patientId: id }),
    output: z.array(consent),
  }),
  give: call({
    method: "POST",
    path: "/v1/consent/give",
    access: clinicRoles,
    summary:
      "Writes down that a patient agreed: on the screen to our words, or on a paper whose version is named and whose scan may be attached.",
    isIdempotent: true,
    audit: "consent.give",
    input: z
      .object({
        patientId: id,
        kind: z.enum(consentKinds),
        how: z.enum(["paper", "screen"]),
        textVersion: text(40).default(""),
        givenBy: required(80),
        givenFor: z.enum(["self", "guardian"]),
        givenAt: consentTime,
        upload: id.nullable().default(null),
        note: text(500).nullable().default(null),
      })
      .refine(({ how, textVersion }) => how === "screen" || textVersion !== "", {
        path: ["textVersion"],
        message: "required",
      }),
    output: z.array(consent),
  }),
  withdraw: call({
    method: "POST",
    path: "/v1/consent/withdraw",
    access: clinicRoles,
    summary: "Writes down that a patient took back what they agreed to, of one kind; it stays in the history.",
    isIdempotent: true,
    audit: "consent.withdraw",
    input: z.object({
      patientId: id,
      kind: z.enum(consentKinds),
      by: required(80),
      note: text(500).nullable().default(null),
    }),
    output: z.array(consent),
  }),
} as const;
