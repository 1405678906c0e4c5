import type { Parsed } from "@arcada/contract/kernel/call";
import type { relationCalls } from "@arcada/contract/relation/relation.calls";
import { relationLifecycle, relationRules } from "@arcada/contract/relation/relation.lifecycle";
import type { RelationState } from "@arcada/contract/relation/relation.lifecycle";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { publishRelationTransition } from "./relation.notify.ts";
import {
  hideRelation,
  insertRelation,
  transitionRelation,
  wasRejectedRecently,
  findRelation,
} from "./relation.store.ts";
import { otherSide, findBlocker } from "./relation.allowed-steps.ts";

/** Applies one step of a person; returns the id of the relationship that it made or changed. */
export const applyRelationStep = (context: MemberContext, input: Parsed<typeof relationCalls.step>): Promise<string> =>
  input.action === "request"
    ? requestRelation(context, input.iid ?? refuse("badInput", { iid: "required" }))
    : transition(context, input);

async function requestRelation(context: MemberContext, target: string): Promise<string> {
  const { db, principal } = context;
  if (target === principal.iid) refuse("relationSelf");
  const sides = await db
    .selectFrom("institution")
    .select(["id", "type", "auto_accept_relations"])
    .where("id", "in", [principal.iid, target])
    .execute();
  const other = sides.find((side) => side.id === target) ?? refuse("notFound");
  // Two clinics have no order to send each other; two labs may forward.
  if (sides.every((side) => side.type === "clinic")) refuse("relationNeedsTwoSides");
  if (await wasRejectedRecently(db, principal.iid, target)) refuse("relationAskedLately", retryHours);
  const auto = other.auto_accept_relations;
  const id = await insertRelation(db, { iid: principal.iid, target, uid: principal.uid, auto });
  if (!id) return refuse("relationExists");
  await publishRelationTransition(db, {
    relation: { id, institution_id: principal.iid, target_id: target },
    action: auto ? "autoAccept" : "request",
    to: auto ? "established" : "requested",
    reason: null,
    by: toActor(context),
  });
  return id;
}
const retryHours = { hours: String(relationRules.askAgainHours) };

const toActor = ({ principal, address }: MemberContext) => ({ uid: principal.uid, iid: principal.iid, address });

async function transition(context: MemberContext, input: Parsed<typeof relationCalls.step>): Promise<string> {
  const { db, principal, now } = context;
  const row = (input.id ? await findRelation(db, principal.iid, input.id) : undefined) ?? refuse("notFound");
  if (input.version !== undefined && input.version !== row.version) refuse("relationChanged");
  const refusal = findBlocker(row, input.action, principal.iid, now);
  if (refusal) refuse(refusal, refusal === "relationAskedLately" ? retryHours : null);
  if (input.action === "askAgain") return requestRelation(context, otherSide(row, principal.iid));
  if (input.action === "hide") {
    await hideRelation(db, row, principal.iid);
    await notifyClients(db, { institutions: [principal.iid] }, "relation", row.id);
    return row.id;
  }
  const reason = (relationLifecycle.steps[input.action].asks?.includes("reason") && input.reason) || null;
  if (!(await transitionRelation(db, row, input.action, { iid: principal.iid, reason }))) refuse("relationChanged");
  const to: RelationState = relationLifecycle.steps[input.action].to[0]!;
  await publishRelationTransition(db, { relation: row, action: input.action, to, reason, by: toActor(context) });
  return row.id;
}
