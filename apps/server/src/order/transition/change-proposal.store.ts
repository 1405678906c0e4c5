import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { OrderProposalTable } from "../../tables/schema.generated.ts";
import type { ActionInput } from "./transition-types.ts";
import type { Order } from "../core/order.store.ts";

type Proposal = Selectable<OrderProposalTable>;

export const findOpenProposal = (db: Db, order: Order): Promise<(Proposal & { who: string | null }) | undefined> =>
  db
    .selectFrom("order_proposal")
    .leftJoin("users", "users.id", "order_proposal.user_id")
    .selectAll("order_proposal")
    .select(sql<string | null>`coalesce(nullif(users.nick_name, ''), users.user_name)`.as("who"))
    .where("order_proposal.institution_id", "=", order.institution_id)
    .where("order_proposal.order_id", "=", order.id)
    .where("order_proposal.id", "=", order.change_request)
    .executeTakeFirst();

export async function addProposal(
  db: Db,
  order: Order,
  row: Pick<Proposal, "id" | "rx" | "case_type" | "due_date" | "changed" | "text" | "user_id">,
): Promise<void> {
  await db
    .insertInto("order_proposal")
    .values({
      ...row,
      institution_id: order.institution_id,
      order_id: order.id,
      state: "open",
      decided_by: null,
      decided_at: null,
    })
    .execute();
}

/** Closes a proposal: it was decided, or the order has ended. */
export async function closeProposal(db: Db, order: Order, { approve, uid }: ActionInput): Promise<void> {
  await db
    .updateTable("order_proposal")
    .set({
      state: approve === true ? "accepted" : approve === false ? "declined" : "lapsed",
      decided_by: uid,
      decided_at: sql`clock_timestamp()`,
    })
    .where("institution_id", "=", order.institution_id)
    .where("order_id", "=", order.id)
    .where("id", "=", order.change_request)
    .execute();
}
