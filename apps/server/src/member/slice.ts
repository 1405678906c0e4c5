import { invitedAccountCreated } from "../account/account.events.ts";
import { acceptInvitationOfNewAccount } from "./member.admission.ts";
import { expireInvitations } from "./expire-invitations.ts";
import { membershipDemanded } from "./member.events.ts";
import { memberRoutes, memberSearch } from "./member.routes.ts";
import { on } from "../platform/events/events.ts";
import { followMembershipDemand } from "./follow-membership-demand.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const memberSlice: Slice = {
  name: "member",
  tables: ["membership", "admission"],
  reads: ["users", "contact", "institution"],
  search: memberSearch,
  routes: memberRoutes,
  tasks: ({ database }) => [
    { name: "member.expireInvitations", everyMs: 60_000, toleratedMs: 600_000, run: () => expireInvitations(database) },
  ],
  subscribers: () => [
    on(membershipDemanded, followMembershipDemand),
    on(invitedAccountCreated, acceptInvitationOfNewAccount),
  ],
};
