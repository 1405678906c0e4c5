import { noticeRoutes } from "./notice.routes.ts";
import { noticeSubscribers } from "./notice.subscribers.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const noticeSlice: Slice = {
  name: "notice",
  routes: noticeRoutes,
  subscribers: () => noticeSubscribers,
};
