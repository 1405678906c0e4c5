import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Order as OrderAnswer } from "@arcada/contract/order/order.calls";
import { forwardableStates } from "@arcada/contract/order/order-steps.rules";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import { mayForward, findNewestChild } from "./related-orders.ts";
import { filesView } from "../files/file-view.ts";
import { findOpenProposal } from "../transition/change-proposal.store.ts";
import type { NamedFile, NamedOrder } from "../core/order.read.ts";
import { sideOf } from "../transition/guards.ts";
import type { OrderPrincipal } from "../transition/guards.ts";
import type { Order } from "../core/order.store.ts";

type RelatedOrders = OrderAnswer["family"];
interface Reader {
  db: Db;
  principal: OrderPrincipal;
}
type RelatedOrderRow = Pick<Order, "id" | "number" | "state" | "remake_class" | "remake_bears"> & {
  kind: "parent" | "remakeOf" | "remake" | "copy";
};

/** Returns the related orders, as far as the reader may know of them. */
export async function relatedOrdersView(
  { db, principal }: Reader,
  order: NamedOrder,
  related: readonly RelatedOrderRow[],
): Promise<RelatedOrders> {
  const ownSide = sideOf(order, principal);
  const [parent] = related.filter(({ kind }) => kind === "parent");
  const [remakeOf] = related.filter(({ kind }) => kind === "remakeOf");
  const own = { class: order.remake_class ?? "lab", bears: order.remake_bears ?? "open" };
  // Only accepted orders can have been passed on.
  const child = order.accepted_at === null ? undefined : await findNewestChild(db, order);
  const isMaker = ownSide === "receiver";
  return {
    parent: parent ? orderSummary(parent) : null,
    child: child && (isMaker || child.handed_over_at !== null) ? await childView(db, child, isMaker) : null,
    delivered: isMaker && order.state === "awaiting_design" && order.step === "preparing" && isDesigned(child),
    mayForward: isMaker && forwardableStates.some((state) => state === order.state) && (await mayForward(db, order)),
    remakeOf: remakeOf ? { ...orderSummary(remakeOf), ...own } : null,
    remakes: related
      .filter(({ kind }) => kind === "remake")
      .map((row) => ({ ...orderSummary(row), class: row.remake_class ?? "lab", bears: row.remake_bears ?? "open" })),
    copies: related.filter(({ kind }) => kind === "copy").length,
  };
}

const orderSummary = ({ id, number, state }: Pick<Order, "id" | "number" | "state">) => ({ id, number, state });
const isDesigned = (child: Order | undefined): boolean =>
  child?.state === "completed" && child.design_revision > 0 && !child.rx.workKinds.includes("machining");

/** Runs in the reader's tenant scope: orders of others are not found. */
export const relatedOrdersQuery = (iid: string, order: Order): RawBuilder<RelatedOrderRow> => sql`${prepared}
  select 'parent' as kind, id, number, state, remake_class, remake_bears, created_at from orders
    where id = ${order.parent_id} and receiver_id = ${iid} and ${order.institution_id}::uuid = ${iid}
  union all select 'remakeOf', id, number, state, remake_class, remake_bears, created_at from orders
    where id = ${order.remake_of} and institution_id = ${order.institution_id}
  union all select 'remake', id, number, state, remake_class, remake_bears, created_at from orders
    where remake_of = ${order.id} and institution_id = ${order.institution_id}
  union all select 'copy', id, number, state, remake_class, remake_bears, created_at from orders
    where copied_from = ${order.id} and institution_id = ${iid} and remake_of is null
  order by created_at`;

async function childView(db: Db, child: Order, isMaker: boolean): Promise<RelatedOrders["child"]> {
  const isNamed = isMaker || child.named_above;
  const lab = isNamed
    ? await bypassTenantScope(db, () =>
        db.selectFrom("institution").select("name").where("id", "=", child.receiver_id).executeTakeFirst(),
      )
    : undefined;
  return { order: isMaker ? orderSummary(child) : null, labName: lab?.name ?? null, straight: child.straight };
}

/** Returns the proposal that the lab must decide, with the files that came with it. */
export async function proposalView(
  db: Db,
  order: NamedOrder,
  files: readonly NamedFile[],
  principal: OrderPrincipal,
  now: Date,
): Promise<OrderAnswer["proposal"]> {
  if (order.change_request === null) return null;
  const found = await findOpenProposal(db, order);
  if (!found) return null;
  const proposalFiles = files
    .filter((file) => file.proposal_id === found.id)
    .map((file) => ({ ...file, proposal_state: "accepted" as const }));
  const { rx, case_type: caseType, due_date: dueDate } = found;
  return {
    id: found.id,
    time: found.created_at,
    who: found.who ?? "",
    text: found.text,
    changed: found.changed,
    prescription: { ...rx, caseType, dueDate },
    files: filesView(order, proposalFiles, sideOf(order, principal), now),
  };
}
