import { expireInvitations } from "./member.jobs.ts";
import { memberRoutes } from "./member.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const memberSlice: Slice = {
  name: "member",
  tables: ["membership", "admission", "provider_grant"],
  reads: ["users", "contact", "institution"],
  routes: memberRoutes,
  schedules: ({ database }) => [{ everyMs: 60_000, run: () => expireInvitations(database) }],
};
