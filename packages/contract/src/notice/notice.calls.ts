import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, nothing } from "../kernel/fields.ts";

/** Number on the wire of each category. */
export const noticeCategories = { other: 0, order: 1, member: 2, relation: 3 } as const;
export const noticeKinds = {
  orderArrived: "order",
  orderMoved: "order",
  orderAccepted: "order",
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
} as const satisfies Record<string, keyof typeof noticeCategories>;
export type NoticeKind = keyof typeof noticeKinds;

const kinds = Object.keys(noticeKinds) as [NoticeKind, ...NoticeKind[]];
export const notice = z.object({
  id,
  kind: z.enum(kinds),
  /** Values for the placeholders of texts/<language>/notice.json; never a patient's name. */
  params: z.record(z.string(), z.string()),
  link: z.string().nullable(),
  seen: z.boolean(),
  time: instant,
});
const category = z.object({ list: z.array(notice), unread: z.int(), first: notice.nullable() });

/** What changed, sent to open tabs; they ask again for what they show. */
export const liveTopics = [
  "order",
  "study",
  "relation",
  "patient",
  "notice",
  "session",
  "member",
  "institution",
] as const;
export type LiveTopic = (typeof liveTopics)[number];
export interface LiveEvent {
  topic: LiveTopic;
  id: string;
}

export const noticeCalls = {
  query: call({
    method: "POST",
    path: "/v1/notice/query",
    access: "signedIn",
    says: "Notices by category with their unread counts.",
    input: z.object({}).nullish(),
    output: z.object({ info: z.object({ "0": category, "1": category, "2": category, "3": category }) }),
  }),
  watch: call({
    method: "POST",
    path: "/v1/notice/watch",
    access: "signedIn",
    says: "Marks the notices of a category as read.",
    input: z.object({ categoryID: z.coerce.number().int().min(0).max(3) }),
    output: nothing,
  }),
} as const;
