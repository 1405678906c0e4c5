import { noticeRoutes } from "./notice.routes.ts";
import { noticeSubscribers } from "./notice.subscribers.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const noticeSlice: Slice = {
  name: "notice",
  tables: ["notice", "notice_switch"],
  reads: ["users", "contact", "membership"],
  routes: noticeRoutes,
  subscribers: () => noticeSubscribers,
};
