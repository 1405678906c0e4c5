import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { relationRules } from "@arcada/contract/relation/relation.cycle";
import type { RelationAction, RelationState } from "@arcada/contract/relation/relation.cycle";
import { managerRoles } from "@arcada/contract/kernel/roles";
import type { MemberContext } from "../kernel/asker.ts";
import { audit } from "../kernel/audit.ts";
import { tell, tellTabs } from "../kernel/events.ts";
import { refuse } from "../kernel/refuse.ts";
import { routes } from "../kernel/serve.ts";
import { openActions } from "./relation.ts";
import { insertRelation, moveRelation, rejectedLately, relationById, relationsOf } from "./relation.store.ts";

export const relationRoutes = routes(relationCalls, {
  list: async (input, context) => (await shownAll(context)).filter((row) => !input.state || row.state === input.state),

  step: async (input, context) => {
    const id =
      input.action === "request"
        ? await request(context, input.iid ?? refuse("badInput", { iid: "required" }))
        : await move(context, input);
    return (await shownAll(context, id)).find((row) => row.id === id) ?? refuse("notFound");
  },
});

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
  if (await rejectedLately(db, asker.iid, target))
    refuse("relationAskedLately", { hours: String(relationRules.askAgainHours) });
  const id = await insertRelation(db, { iid: asker.iid, target, uid: asker.uid, auto: other.auto_accept_relations });
  if (!id) refuse("relationExists");
  await spread(
    context,
    { id, institution_id: asker.iid, target_id: target },
    other.auto_accept_relations ? "autoAccept" : "request",
  );
  return id;
}

async function move(
  context: MemberContext,
  input: { id?: string | undefined; action: RelationAction; version?: number | undefined; reason?: string | undefined },
) {
  const { db, asker } = context;
  const row = (input.id ? await relationById(db, asker.iid, input.id) : undefined) ?? refuse("notFound");
  if (!openActions(row, asker.iid, true).includes(input.action)) refuse("relationActionNotAllowed");
  if (input.version !== undefined && input.version !== row.version) refuse("relationChanged");
  if (
    input.action === "resume" &&
    Date.parse(row.left_at ?? "") < context.now.getTime() - relationRules.resumeDays * 86_400_000
  )
    refuse("relationActionNotAllowed");
  const moved = await moveRelation(db, row, input.action, { iid: asker.iid, reason: input.reason ?? null });
  if (!moved) refuse("relationChanged");
  await spread(context, row, input.action);
  return row.id;
}

/** Audit, live tabs and notices of one step. */
async function spread(
  context: MemberContext,
  row: { id: string; institution_id: string; target_id: string },
  action: string,
): Promise<void> {
  const { db, asker } = context;
  const other = row.institution_id === asker.iid ? row.target_id : row.institution_id;
  const fresh = await relationById(db, asker.iid, row.id);
  await audit(db, {
    institution_id: asker.iid,
    user_id: asker.uid,
    action: `relation.${action}`,
    subject: row.id,
    address: context.address,
  });
  await tellTabs(db, { institutions: [asker.iid, other] }, "relation", row.id);
  await tell(db, {
    name: "relationMoved",
    relationId: row.id,
    action,
    state: fresh?.state ?? "",
    by: asker.uid,
    sides: [row.institution_id, row.target_id],
    tell: other,
    other: asker.iid,
  });
}

async function shownAll({ db, asker }: MemberContext, named: string | null = null): Promise<Relation[]> {
  const manages = (managerRoles as readonly string[]).includes(asker.role);
  const rows = await relationsOf(db, asker.iid, named);
  return rows.map((row) => ({
    id: row.id,
    state: row.state as RelationState,
    other: {
      id: row.other_id,
      name: row.name,
      number: row.number,
      type: row.type,
      country: row.country,
      address: row.address,
    },
    mine: row.institution_id === asker.iid,
    requestedAt: row.requested_at,
    establishedAt: row.established_at,
    version: row.version,
    actions: openActions(row, asker.iid, manages),
  }));
}
