import { z } from "zod";
import { call } from "../kernel/call.ts";
import {
  email,
  id,
  instant,
  pageOf,
  emptyObject,
  nullOutput,
  pagingParameters,
  required,
  text,
} from "../kernel/fields.ts";
import { caseRoles } from "../kernel/roles.ts";
import { orderStates } from "../order/order.lifecycle.ts";
import { studyKinds } from "../study/study.rules.ts";
import { shareLifecycle, shareStates } from "./share.lifecycle.ts";
import type { ShareAction } from "./share.lifecycle.ts";
import { shareFactors, sharedKinds, shareRules } from "./share.rules.ts";

const actions = Object.keys(shareLifecycle.steps) as [ShareAction, ...ShareAction[]];
const days = z
  .int()
  .refine((value) => (shareRules.days as readonly number[]).includes(value), "choose")
  .default(shareRules.defaultDays);
/** The part of a link behind its number sign. */
const secret = z.string().length(shareRules.secretLength, { abort: true });

/** The second factor by which a guest proves that the link is meant for them. */
export const shareFactorInput = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("email"), email: email(200) }),
  z.object({ kind: z.literal("phone") }),
  z.object({ kind: z.literal("birthDate") }),
  z.object({
    kind: z.literal("phrase"),
    phrase: text(shareRules.maxPhraseLength).min(shareRules.minPhraseLength, "phraseShort"),
  }),
]);
export type ShareFactorInput = z.output<typeof shareFactorInput>;

export const share = z.object({
  id,
  kind: z.enum(sharedKinds),
  thingId: id,
  /** The recipient of the link, in the sender's words. */
  label: z.string(),
  patientId: id.nullable(),
  patientName: z.string(),
  /** The shared study; null if it was removed since. */
  study: z.object({ kind: z.enum(studyKinds), takenAt: z.string().nullable() }).nullable(),
  /** The shared order; null if it may no longer be shared. */
  order: z.object({ number: z.string(), state: z.enum(orderStates) }).nullable(),
  /** For an order: true if images are included with its models, and the number of its shared revisions. */
  pictures: z.boolean(),
  revisions: z.int(),
  factor: z.enum(shareFactors),
  /** The address for codes. */
  email: z.string().nullable(),
  /** Information that names the patient is left out. */
  nameless: z.boolean(),
  mayDownload: z.boolean(),
  state: z.enum(shareStates),
  createdBy: z.string(),
  /** The lab that made it, for the sender of the order. */
  madeAt: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
  endedAt: instant.nullable(),
  opens: z.int(),
  lastOpenAt: instant.nullable(),
  actions: z.array(z.enum(actions)),
});
export type Share = z.output<typeof share>;

export const shareEventKinds = [
  "create",
  "open",
  "wrong",
  "lock",
  "unlock",
  "renew",
  "extend",
  "cancel",
  "lapse",
  "code",
  "look",
  "download",
] as const;
export type ShareEventKind = (typeof shareEventKinds)[number];
export const shareEvent = z.object({
  id: z.string(),
  time: instant,
  what: z.enum(shareEventKinds),
  /** A member; null: a guest, or the system. */
  who: z.string().nullable(),
  /** The same characters for the same address: guests can be distinguished but not identified. */
  from: z.string().nullable(),
  agent: z.string().nullable(),
});
export type ShareEvent = z.output<typeof shareEvent>;

/** A link as it was made: the only time that its secret is shown. */
const shareWithSecret = z.object({ share, secret: z.string() });

export const shareCalls = {
  create: call({
    method: "POST",
    path: "/v1/share/create",
    access: caseRoles,
    summary:
      "Makes a link that shows one thing to whoever has it and its second factor; its secret is answered this once.",
    audit: "study.share",
    input: z.object({
      kind: z.enum(sharedKinds),
      id,
      label: required(shareRules.maxLabelLength),
      days,
      factor: shareFactorInput,
      nameless: z.boolean().default(false),
      /** For an order: true to include its images, and the revisions to share. */
      pictures: z.boolean().default(false),
      revisions: z.array(id).max(shareRules.maxRevisions).default([]),
      allowDownload: z.boolean().default(false),
      /** The warning about medical data was read. */
      warned: z.literal(true, "agreeNeeded"),
    }),
    output: shareWithSecret,
  }),
  list: call({
    method: "GET",
    path: "/v1/share/list",
    access: caseRoles,
    summary: "The links of the organisation, newest first, or those of one thing. `total` counts up to 10,000.",
    audit: "study.shareList",
    input: z.object({
      part: z.enum(["living", "ended"]).default("living"),
      thingId: id.optional(),
      ...pagingParameters,
    }),
    output: pageOf(share),
  }),
  log: call({
    method: "GET",
    path: "/v1/share/log",
    access: caseRoles,
    summary: "What happened to a link and by it, newest first.",
    input: z.object({ id }),
    output: z.array(shareEvent),
  }),
  step: call({
    method: "POST",
    path: "/v1/share/step",
    access: caseRoles,
    summary: "Moves a link on: unlock, extend, cancel.",
    isIdempotent: true,
    audit: "study.shareStep",
    input: z.object({ id, action: z.enum(["unlock", "extend", "cancel"]), days: days.optional() }),
    output: share,
  }),
  renew: call({
    method: "POST",
    path: "/v1/share/renew",
    access: caseRoles,
    summary: "Gives a link a new secret; the old one opens nothing any more.",
    audit: "study.shareStep",
    input: z.object({ id }),
    output: shareWithSecret,
  }),
  knock: call({
    method: "POST",
    path: "/v1/share/knock",
    access: "anyone",
    summary: "Whose link this is and what it asks for besides its secret.",
    input: z.object({ secret }),
    output: z.object({ institution: z.string(), factor: z.enum(shareFactors) }),
  }),
  sendCode: call({
    method: "POST",
    path: "/v1/share/sendCode",
    access: "anyone",
    summary: "Sends a code to the address that was named when the link was made.",
    input: z.object({ secret }),
    output: z.object({ resendAfter: z.int() }),
  }),
  open: call({
    method: "POST",
    path: "/v1/share/open",
    access: "anyone",
    summary: "Begins a visit: the answer is one half of it, a cookie the other. Wrong answers are counted.",
    input: z.object({ secret, factor: text(100).optional() }),
    output: z.object({ visit: z.string(), minutes: z.int() }),
  }),
  visit: call({
    method: "GET",
    path: "/v1/share/visit",
    access: "share",
    summary: "What the visitor may see, and until when.",
    input: emptyObject.nullish(),
    output: z.object({
      kind: z.enum(sharedKinds),
      thingId: id,
      institution: z.string(),
      /** IANA name: the days and times that the visitor reads are in this zone, as in the institution's documents. */
      timeZone: z.string(),
      label: z.string(),
      nameless: z.boolean(),
      mayDownload: z.boolean(),
      until: instant,
    }),
  }),
  leave: call({
    method: "POST",
    path: "/v1/share/leave",
    access: "share",
    summary: "Ends the visit.",
    input: emptyObject.nullish(),
    output: nullOutput,
  }),
} as const;
