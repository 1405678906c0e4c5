import { expireInvitations } from "./member.jobs.ts";
import { membershipDemanded } from "./member.events.ts";
import { memberRoutes } from "./member.routes.ts";
import { on } from "../platform/events/events.ts";
import { followMembershipDemand } from "./provisioning.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const memberSlice: Slice = {
  name: "member",
  tables: ["membership", "admission"],
  reads: ["users", "contact", "institution"],
  routes: memberRoutes,
  subscribers: () => [on(membershipDemanded, followMembershipDemand)],
  schedules: ({ database }) => [{ everyMs: 60_000, run: () => expireInvitations(database) }],
};
