import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, nullOutput } from "../kernel/fields.ts";

/** Number on the wire of each category. */
export const noticeCategories = { other: 0, order: 1, member: 2, relation: 3 } as const;
export const noticeKinds = {
  orderArrived: "order",
  orderMoved: "order",
  orderAccepted: "order",
  orderInfoAsked: "order",
  orderAnswered: "order",
  orderMentioned: "order",
  orderToDecide: "order",
  orderReturned: "order",
  orderNotSent: "order",
  orderReceiptDue: "order",
  orderAssigned: "order",
  relationRequested: "relation",
  relationEstablished: "relation",
  relationEnded: "relation",
  memberApplied: "member",
  memberJoined: "member",
  memberLeft: "member",
  applicationAgreed: "member",
  applicationRejected: "member",
  roleChanged: "member",
  memberRemoved: "member",
  invitationDeclined: "member",
  invitationExpired: "member",
  studyReady: "other",
  studyWaiting: "other",
  exportReady: "other",
  exportFailed: "other",
  filesDamaged: "other",
  shareOpened: "other",
  shareLocked: "other",
  shareExpired: "other",
  webhookStopped: "other",
  deviceBound: "other",
  deviceLocked: "other",
  deviceUnlocked: "other",
  deviceUnbound: "other",
  capacityBegun: "other",
  capacityUnsubscribed: "other",
  capacityRenewal: "other",
  capacityEnding: "other",
  capacityEnded: "other",
  capacityAsked: "other",
  capacityDeclined: "other",
  serviceGiven: "member",
  serviceTaken: "member",
  feedbackWaits: "other",
  feedbackAnswered: "other",
  feedbackFixed: "other",
  packageWithdrawn: "other",
  workorderArrived: "other",
  workorderGiven: "other",
  workorderToReview: "other",
  workorderReturned: "other",
  workorderMoved: "other",
  workorderNews: "other",
  appointmentPlanned: "other",
  appointmentMoved: "other",
  appointmentCancelled: "other",
  appointmentReminder: "other",
} as const satisfies Record<string, keyof typeof noticeCategories>;
export type NoticeKind = keyof typeof noticeKinds;

/**
 * Emails to one address that people of all institutions together may cause in a day. Codes and warnings do not count.
 */
export const emailRules = { maxPerDayAndAddress: 10 } as const;
/** Text messages to one number in a day, for whatever reason: they cost money, and strangers may ask for codes. */
export const smsRules = { maxPerDayAndNumber: 20 } as const;

/** Rules for kinds of notices. */
export const noticeRules = {
  /** Sent by e-mail as well, unless the reader does not want it: after these there is something to do, or work of another kind begins or ends. */
  emailed: [
    "orderArrived",
    "orderInfoAsked",
    "orderAnswered",
    "orderMentioned",
    "orderToDecide",
    "orderReturned",
    "orderNotSent",
    "relationRequested",
    "relationEstablished",
    "relationEnded",
    "memberApplied",
    "memberLeft",
    "applicationAgreed",
    "applicationRejected",
    "roleChanged",
    "memberRemoved",
    "invitationDeclined",
    "invitationExpired",
    "filesDamaged",
    "shareLocked",
    "webhookStopped",
    "deviceBound",
    "deviceLocked",
    "deviceUnbound",
    "capacityBegun",
    "capacityRenewal",
    "capacityEnding",
    "capacityEnded",
    "capacityAsked",
    "capacityDeclined",
    "serviceGiven",
    "serviceTaken",
    "packageWithdrawn",
    "workorderArrived",
    "workorderGiven",
    "workorderToReview",
    "workorderReturned",
    "workorderNews",
    "appointmentPlanned",
    "appointmentMoved",
    "appointmentCancelled",
    "appointmentReminder",
  ] satisfies NoticeKind[] as readonly NoticeKind[],
  /** Their slices write the emails themselves (`about` of an email), with more than the one line of a notice. */
  ownLetters: [
    "memberApplied",
    "memberLeft",
    "applicationAgreed",
    "applicationRejected",
    "roleChanged",
    "memberRemoved",
    "invitationDeclined",
    "invitationExpired",
  ] satisfies NoticeKind[] as readonly NoticeKind[],
  /** Always shown on site: the work stops until the reader has answered. */
  fixed: ["orderInfoAsked"] satisfies NoticeKind[] as readonly NoticeKind[],
  /** Further events of one upload raise the count of its notice instead of adding another. */
  growing: ["studyReady", "studyWaiting"] satisfies NoticeKind[] as readonly NoticeKind[],
  pageSize: 20,
} as const;
export const noticeChannels = ["site", "email"] as const;
export type NoticeChannel = (typeof noticeChannels)[number];

export const noticeKindNames = Object.keys(noticeKinds) as [NoticeKind, ...NoticeKind[]];
const categoryID = z.coerce.number().int().min(0).max(3);
export const notice = z.object({
  id,
  kind: z.enum(noticeKindNames),
  /** Values for the placeholders of texts/<language>/notice.json; never a patient's name. `at` is an instant. */
  params: z.record(z.string(), z.string()),
  /** The notice as one line, in the language of `accept-language`. */
  content: z.string(),
  link: z.string().nullable(),
  /** The institution in which the link works; null if any will do. */
  iid: id.nullable(),
  seen: z.boolean(),
  /** The number of images, where one notice stands for an upload. */
  count: z.int(),
  time: instant,
});
const category = z.object({
  list: z.array(notice),
  unread: z.int(),
  first: notice.nullable(),
  /** The content of `first`; empty where there is none. */
  abstract: z.string(),
});

/** One person's delivery settings for one kind of notice. */
export const noticeConfig = z.object({
  kind: z.enum(noticeKindNames),
  category: z.int(),
  site: z.boolean(),
  email: z.boolean(),
  /** The switch of the site cannot be turned off. */
  fixed: z.boolean(),
});

export const noticeCalls = {
  query: call({
    method: "POST",
    path: "/v1/notice/query",
    access: "signedIn",
    summary: "The newest notices of each category with their unread counts.",
    input: z.object({}).nullish(),
    output: z.object({ info: z.object({ "0": category, "1": category, "2": category, "3": category }) }),
  }),
  list: call({
    method: "GET",
    path: "/v1/notice/list",
    access: "signedIn",
    summary: "The notices of a category, newest first; `cursor` is the `next` of the page before.",
    input: z.object({ categoryID, cursor: id.optional() }),
    output: z.object({ list: z.array(notice), next: id.nullable() }),
  }),
  watch: call({
    method: "POST",
    path: "/v1/notice/watch",
    access: "signedIn",
    summary: "Marks the notices of a category as read, or one of them.",
    input: z.object({ categoryID, id: id.optional() }),
    output: nullOutput,
  }),
  configs: call({
    method: "GET",
    path: "/v1/config/queryNoticeConfigs",
    access: "signedIn",
    summary: "Which kinds of notices the asker gets on site and by e-mail.",
    input: z.object({}).nullish(),
    output: z.array(noticeConfig),
  }),
  switchConfig: call({
    method: "POST",
    path: "/v1/config/switchSingleConfig",
    access: "signedIn",
    summary: "Switches one kind of notices on or off in one channel; the preset becomes `custom`.",
    input: z.object({ kind: z.enum(noticeKindNames), channel: z.enum(noticeChannels), on: z.boolean() }),
    output: noticeConfig,
  }),
} as const;
