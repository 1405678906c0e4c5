import { sql } from "kysely";
import { caseRoles, roles } from "@arcada/contract/kernel/roles";
import { findRights } from "@arcada/contract/order/receiver-rights";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Order } from "../core/order.store.ts";

const caseRoleIds = caseRoles.map((role) => roles[role].authorityId);
const maxPeople = 500;

/**
 * Returns the people who can see an order: every member of a side whose role works with cases. The receiver's people
 * can see it between the hand-over and the end of their rights.
 */
export async function listOrderPeople(
  db: Db,
  order: Order,
  iid: string,
): Promise<{ id: string; name: string; mine: boolean }[]> {
  const isOpenToBoth = order.handed_over_at !== null && findRights(order).reads === "all";
  const sides = [order.institution_id, order.receiver_id].filter(
    (side) => side !== null && (side === iid || isOpenToBoth),
  );
  return bypassTenantScope(db, () =>
    db
      .selectFrom("membership as m")
      .innerJoin("users as u", "u.id", "m.user_id")
      .select([
        "u.id",
        sql<string>`coalesce(nullif(u.nick_name, ''), u.user_name)`.as("name"),
        sql<boolean>`bool_or(m.institution_id = ${iid})`.as("mine"),
      ])
      .where("m.institution_id", "in", sides)
      .where("m.state", "=", "normal")
      .where("m.authority_id", "in", caseRoleIds)
      .where("u.suspended_at", "is", null)
      .groupBy("u.id")
      .orderBy("mine")
      .orderBy("name")
      .orderBy("u.id")
      .limit(maxPeople)
      .execute(),
  );
}
