import { z } from "zod";
import { call } from "../kernel/call.ts";
import { email, id, instant, nullOutput, text, version } from "../kernel/fields.ts";
import { caseRoles, managerRoles } from "../kernel/roles.ts";
import { foundInstitution, partnerInstitution } from "../institution/institution.calls.ts";
import { relationLifecycle, relationStates } from "./relation.lifecycle.ts";
import type { RelationAction } from "./relation.lifecycle.ts";

const actions = Object.keys(relationLifecycle.steps) as [RelationAction, ...RelationAction[]];
/** One side's default permissions for the orders that it sends; an order may override them. */
const terms = z.object({ mayForward: z.boolean() });

export const relation = z.object({
  id,
  state: z.enum(relationStates),
  other: partnerInstitution,
  /** True if the caller's institution requested it. */
  mine: z.boolean(),
  requestedAt: instant,
  establishedAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** The reason given with the latest transition. */
  reason: z.string().nullable(),
  /** While it closes: true if the caller's institution left. */
  leftByUs: z.boolean().nullable(),
  /** The time until which the caller's institution can undo its leaving. */
  resumeUntil: instant.nullable(),
  /** Null on a side that sends the other no orders: a laboratory towards a clinic. */
  terms: z.object({ ours: terms.nullable(), theirs: terms.nullable() }),
  version,
  actions: z.array(z.enum(actions)),
});
export type Relation = z.output<typeof relation>;

const networkEdge = z.object({
  relationId: id,
  /** The institution that requested it, and the one that was asked. */
  from: id,
  to: id,
  state: z.enum(relationStates),
  /**
   * Open orders between the two, in both directions: all, those in which the caller's side must act, and the others.
   */
  open: z.int(),
  ours: z.int(),
  theirs: z.int(),
});
export const network = z.object({
  own: foundInstitution,
  partners: z.array(foundInstitution),
  edges: z.array(networkEdge),
});
export type Network = z.output<typeof network>;

export const relationEvent = z.object({
  id,
  time: instant,
  action: z.enum(actions),
  to: z.enum(relationStates),
  side: z.enum(["ours", "theirs", "system"]),
  /** A person of the caller's own institution; people of the other side are never named. */
  who: z.string().nullable(),
  reason: z.string().nullable(),
});
export type RelationEvent = z.output<typeof relationEvent>;

export const relationInvitation = z.object({
  id,
  email: z.string(),
  name: z.string().nullable(),
  time: instant,
  validUntil: instant,
});
export type RelationInvitation = z.output<typeof relationInvitation>;

export const relationCalls = {
  list: call({
    method: "GET",
    path: "/v1/relation/list",
    access: caseRoles,
    summary: "The organisation's relationships, newest first.",
    input: z.object({ state: z.enum(relationStates).optional() }),
    output: z.array(relation),
  }),
  network: call({
    method: "GET",
    path: "/v1/relation/network",
    access: caseRoles,
    summary: "With whom the organisation works, and how many orders are open between the two.",
    input: z.object({}),
    output: network,
  }),
  history: call({
    method: "GET",
    path: "/v1/relation/history",
    access: caseRoles,
    summary: "What happened between the organisation and another (iid), newest first.",
    input: z.object({ iid: id }),
    output: z.array(relationEvent),
  }),
  step: call({
    method: "POST",
    path: "/v1/relation/step",
    access: managerRoles,
    summary: "Asks for a relationship (iid) or moves one (id).",
    isIdempotent: true,
    input: z.object({
      id: id.optional(),
      iid: id.optional(),
      action: z.enum(actions),
      version: version.optional(),
      reason: text(500).optional(),
    }),
    output: relation,
  }),
  setTerms: call({
    method: "POST",
    path: "/v1/relation/setTerms",
    access: managerRoles,
    summary: "Changes what the organisation allows the other for the orders that it sends.",
    isIdempotent: true,
    input: z.object({ id, version, mayForward: z.boolean() }),
    output: relation,
  }),
  invite: call({
    method: "POST",
    path: "/v1/relation/invite",
    access: managerRoles,
    summary: "Invites by e-mail somebody whose organisation is not here yet; the request waits until it is.",
    isIdempotent: true,
    input: z.object({ email: email(200), name: text(60).optional() }),
    output: relationInvitation,
  }),
  invitations: call({
    method: "GET",
    path: "/v1/relation/invitations",
    access: caseRoles,
    summary: "The organisation's invitations that nobody has answered yet, newest first.",
    input: z.object({}),
    output: z.array(relationInvitation),
  }),
  withdraw: call({
    method: "POST",
    path: "/v1/relation/withdraw",
    access: managerRoles,
    summary: "Takes an invitation back: no request will come of it.",
    isIdempotent: true,
    input: z.object({ id }),
    output: nullOutput,
  }),
} as const;
