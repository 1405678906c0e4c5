import type { RelationAction, RelationState } from "@arcada/contract/relation/relation.lifecycle";
import { audit } from "../platform/audit/audit.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { addEvent } from "./relation.store.ts";
import { relationTransitioned } from "./relation.events.ts";

/** One step, by a person for one of the two sides or by the system. */
export interface RelationTransition {
  relation: { id: string; institution_id: string; target_id: string };
  action: RelationAction;
  to: RelationState;
  reason: string | null;
  by: { uid: string; iid: string; address: string | null } | null;
}

/** Writes the history and the audit log of both sides, and notifies open tabs and people. */
export async function publishRelationTransition(db: Db, transition: RelationTransition): Promise<void> {
  const { relation, action, to, reason, by } = transition;
  const sides: [string, string] = [relation.institution_id, relation.target_id];
  await bypassTenantScope(db, async () => {
    const eventBase = { relation: relation.id, iid: by?.iid ?? null, uid: by?.uid ?? null, reason };
    // The history shows the request as well as its automatic acceptance.
    if (action === "autoAccept") await addEvent(db, { ...eventBase, action: "request", to: "requested" });
    await addEvent(
      db,
      action === "autoAccept" ? { ...eventBase, iid: null, uid: null, action, to } : { ...eventBase, action, to },
    );
    for (const side of by ? [by.iid] : sides)
      await audit(db, {
        institution_id: side,
        user_id: by?.uid ?? null,
        action: `relation.${action}`,
        subject: relation.id,
        address: by?.address ?? null,
      });
  });
  await notifyClients(db, { institutions: sides }, "relation", relation.id);
  // If nobody decided, both sides are notified.
  const notifiedSides = by && action !== "autoAccept" ? sides.filter((side) => side !== by.iid) : sides;
  const named = await db.selectFrom("institution").select(["id", "name"]).where("id", "in", sides).execute();
  const nameOf = (id: string) => named.find((one) => one.id === id)?.name ?? "";
  for (const side of notifiedSides) {
    const other = sides.find((each) => each !== side)!;
    await publish(db, relationTransitioned, {
      relationId: relation.id,
      action,
      state: to,
      by: by?.uid ?? "",
      sides,
      recipient: side,
      other,
      names: { own: nameOf(side), other: nameOf(other) },
      reason,
    });
  }
}
