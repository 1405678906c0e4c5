import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, text, version } from "../kernel/fields.ts";
import { caseRoles, managerRoles } from "../kernel/roles.ts";
import { foundInstitution } from "../institution/institution.calls.ts";
import { relationCycle, relationStates } from "./relation.cycle.ts";
import type { RelationAction } from "./relation.cycle.ts";

const actions = Object.keys(relationCycle.steps) as [RelationAction, ...RelationAction[]];
export const relation = z.object({
  id,
  state: z.enum(relationStates),
  other: foundInstitution,
  /** True when the asker's organisation asked for it. */
  mine: z.boolean(),
  requestedAt: instant,
  establishedAt: instant.nullable(),
  version,
  actions: z.array(z.enum(actions)),
});
export type Relation = z.output<typeof relation>;

export const relationCalls = {
  list: call({
    method: "GET",
    path: "/v1/relation/list",
    access: caseRoles,
    says: "The organisation's relationships, newest first.",
    input: z.object({ state: z.enum(relationStates).optional() }),
    output: z.array(relation),
  }),
  step: call({
    method: "POST",
    path: "/v1/relation/step",
    access: managerRoles,
    says: "Asks for a relationship (iid) or moves one (id).",
    command: true,
    input: z.object({
      id: id.optional(),
      iid: id.optional(),
      action: z.enum(actions),
      version: version.optional(),
      reason: text(500).optional(),
    }),
    output: relation,
  }),
} as const;
