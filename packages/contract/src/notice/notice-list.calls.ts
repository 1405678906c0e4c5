import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, limited, nullOutput } from "../kernel/fields.ts";
import { notice } from "./notice.calls.ts";

const topic = limited(200);
/** The notices of one case, upload or other thing. */
const noticeGroup = z.object({
  topic,
  /** The newest notice that waits, else the newest. */
  notice,
  /** The steps that came before it, newest first; not more than three. */
  earlier: z.array(notice),
  /** The number of notices in the group. */
  notices: z.int(),
  unread: z.boolean(),
  /** Something is to be done. */
  waits: z.boolean(),
  orderId: id.nullable(),
  patientId: id.nullable(),
});
export type NoticeGroup = z.output<typeof noticeGroup>;

/** The notices in the bar of every page, apart from the presets that a reader chooses once. */
export const noticeListCalls = {
  groups: call({
    method: "GET",
    path: "/v1/notice/groups",
    access: "signedIn",
    summary:
      "The notices grouped by what they are about, the newest first, with the number of groups that are unread and of those in which something is to be done; `cursor` is the `next` of the page before.",
    input: z.object({ which: z.enum(["todo", "all"]).default("all"), cursor: limited(600).optional() }),
    output: z.object({
      list: z.array(noticeGroup),
      next: z.string().nullable(),
      unread: z.int(),
      todo: z.int(),
    }),
  }),
  markRead: call({
    method: "POST",
    path: "/v1/notice/markRead",
    access: "signedIn",
    summary: "Marks a group of notices as read, or all of them.",
    input: z.object({ topic: topic.optional() }),
    output: nullOutput,
  }),
} as const;
