import { completeOpenedInstitution } from "./create-institution.ts";
import { firstStepRoutes } from "./first-steps.routes.ts";
import { institutionRoutes } from "./institution.routes.ts";
import { accountCompleted } from "../account/account.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const institutionSlice: Slice = {
  name: "institution",
  tables: ["institution"],
  reads: ["admission", "contact", "membership", "notice_preference", "patient", "relation", "relation_invitation"],
  routes: [...institutionRoutes, ...firstStepRoutes],
  subscribers: () => [on(accountCompleted, completeOpenedInstitution)],
};
