import type { Parsed } from "@arcada/contract/kernel/call";
import type { relationCalls } from "@arcada/contract/relation/relation.calls";
import { relationCycle, relationRules } from "@arcada/contract/relation/relation.cycle";
import type { RelationState } from "@arcada/contract/relation/relation.cycle";
import type { MemberContext } from "../platform/http/request-context.ts";
import { notifyClients } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { spread } from "./relation.spread.ts";
import { hideRelation, insertRelation, moveRelation, rejectedLately, relationById } from "./relation.store.ts";
import { otherSide, whyNot } from "./relation.ts";

/** Applies one step of a person; returns the id of the relationship that it made or changed. */
export const takeStep = (context: MemberContext, input: Parsed<typeof relationCalls.step>): Promise<string> =>
  input.action === "request"
    ? request(context, input.iid ?? refuse("badInput", { iid: "required" }))
    : move(context, input);

async function request(context: MemberContext, target: string): Promise<string> {
  const { db, asker } = context;
  if (target === asker.iid) refuse("relationSelf");
  const sides = await db
    .selectFrom("institution")
    .select(["id", "type", "auto_accept_relations"])
    .where("id", "in", [asker.iid, target])
    .execute();
  const other = sides.find((side) => side.id === target) ?? refuse("notFound");
  // Two clinics have no order to send each other; two labs may forward.
  if (sides.every((side) => side.type === "clinic")) refuse("relationNeedsTwoSides");
  if (await rejectedLately(db, asker.iid, target)) refuse("relationAskedLately", askAgain);
  const auto = other.auto_accept_relations;
  const id = await insertRelation(db, { iid: asker.iid, target, uid: asker.uid, auto });
  if (!id) return refuse("relationExists");
  await spread(db, {
    relation: { id, institution_id: asker.iid, target_id: target },
    action: auto ? "autoAccept" : "request",
    to: auto ? "established" : "requested",
    reason: null,
    by: personOf(context),
  });
  return id;
}
const askAgain = { hours: String(relationRules.askAgainHours) };

const personOf = ({ asker, address }: MemberContext) => ({ uid: asker.uid, iid: asker.iid, address });

async function move(context: MemberContext, input: Parsed<typeof relationCalls.step>): Promise<string> {
  const { db, asker, now } = context;
  const row = (input.id ? await relationById(db, asker.iid, input.id) : undefined) ?? refuse("notFound");
  if (input.version !== undefined && input.version !== row.version) refuse("relationChanged");
  const closed = whyNot(row, input.action, asker.iid, now);
  if (closed) refuse(closed, closed === "relationAskedLately" ? askAgain : null);
  if (input.action === "askAgain") return request(context, otherSide(row, asker.iid));
  if (input.action === "hide") {
    await hideRelation(db, row, asker.iid);
    await notifyClients(db, { institutions: [asker.iid] }, "relation", row.id);
    return row.id;
  }
  const reason = (relationCycle.steps[input.action].asks?.includes("reason") && input.reason) || null;
  if (!(await moveRelation(db, row, input.action, { iid: asker.iid, reason }))) refuse("relationChanged");
  const to: RelationState = relationCycle.steps[input.action].to[0]!;
  await spread(db, { relation: row, action: input.action, to, reason, by: personOf(context) });
  return row.id;
}
