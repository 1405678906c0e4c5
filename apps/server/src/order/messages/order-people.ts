import { sql } from "kysely";
import { caseRoles, roles } from "@arcada/contract/kernel/roles";
import { findRights } from "@arcada/contract/order/receiver-rights";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Row } from "../../tables/row.ts";
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
  const { rows } = await bypassTenantScope(db, () =>
    sql<Row<"users", "id"> & { name: string; mine: boolean }>`select u.id,
        coalesce(nullif(u.nick_name, ''), u.user_name) as name, bool_or(m.institution_id = ${iid}) as mine
      from membership m join users u on u.id = m.user_id
      where m.institution_id = any(${sides}::uuid[]) and m.state = 'normal'
        and m.authority_id = any(${caseRoleIds}::int[]) and u.suspended_at is null
      group by u.id order by 3, 2, 1 limit ${maxPeople}`.execute(db),
  );
  return rows;
}
