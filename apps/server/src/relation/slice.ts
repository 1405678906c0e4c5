import { requestInvitedRelations } from "./relation.invite.ts";
import { relationRoutes } from "./relation.routes.ts";
import { endLeftRelations, endRelationAfterOrder } from "./relation.end.ts";
import { institutionCreated } from "../institution/institution.events.ts";
import { orderTransitioned } from "../order/order.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const relationSlice: Slice = {
  name: "relation",
  tables: ["relation", "relation_event", "relation_invitation"],
  reads: ["users", "contact", "institution", "orders"],
  routes: relationRoutes,
  tasks: ({ database }) => [
    { name: "relation.endLeft", everyMs: 600_000, toleratedMs: 3_600_000, run: () => endLeftRelations(database) },
  ],
  subscribers: () => [on(orderTransitioned, endRelationAfterOrder), on(institutionCreated, requestInvitedRelations)],
};
