import { findActiveGuestSessions } from "./guest-session.ts";
import { cancelLabShares, cancelLeaversShares, endOrderShares, expireShares } from "./share.end.ts";
import { shareRoutes } from "./share.routes.ts";
import { membershipChanged } from "../member/member.events.ts";
import { labSharingEnded, orderTransitioned } from "../order/order.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const shareSlice: Slice = {
  name: "share",
  tables: ["share", "share_visit", "share_event"],
  reads: ["users", "institution", "patient", "study", "orders", "order_revision"],
  retention: [
    {
      data: "guest sessions",
      tables: ["share_visit"],
      period: "1 day",
      from: "their expiry",
      enforcedIn: "share/share.end.ts",
    },
  ],
  routes: shareRoutes,
  validHolders: findActiveGuestSessions,
  tasks: ({ database }) => [
    { name: "share.expire", everyMs: 60_000, toleratedMs: 600_000, run: () => expireShares(database) },
  ],
  subscribers: () => [
    on(membershipChanged, cancelLeaversShares),
    on(orderTransitioned, endOrderShares),
    on(labSharingEnded, cancelLabShares),
  ],
};
