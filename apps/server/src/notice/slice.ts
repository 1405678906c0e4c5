import { noticeGroupRoutes, noticeRoutes } from "./notice.routes.ts";
import { noticeSubscribers } from "./notice.subscribers.ts";
import { sendDailyEmails } from "./daily-email.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const noticeSlice: Slice = {
  name: "notice",
  tables: ["notice", "notice_preference", "notice_switch"],
  reads: ["users", "contact", "membership", "institution"],
  routes: [...noticeRoutes, ...noticeGroupRoutes],
  subscribers: () => noticeSubscribers,
  tasks: ({ database }) => [
    { name: "notice.sendDailyEmails", everyMs: 60_000, toleratedMs: 3_600_000, run: () => sendDailyEmails(database) },
  ],
};
