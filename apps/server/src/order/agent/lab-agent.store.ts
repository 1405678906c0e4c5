import { createHash } from "node:crypto";
import type { AgentOrder } from "@arcada/contract/order/lab-agent.calls";
import { labAgentRules } from "@arcada/contract/order/lab-agent.rules";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Order } from "../core/order.store.ts";

/** The states in which a laboratory designs: exocad is of no use before and after. */
const designStates = ["awaiting_scheme", "awaiting_design"] as const;
export const isDesignedNow = ({ state }: Pick<Order, "state">): boolean =>
  designStates.some((designed) => designed === state);

const columns = ["institution_id", "id", "number", "state", "step", "design_revision", "rx_revision"] as const;

const receivedOrders = (db: Db, iid: string) =>
  db.selectFrom("orders").select(columns).where("receiver_id", "=", iid).where("handed_over_at", "is not", null);

/** Returns the received orders that are designed now, oldest first. */
export async function listOrdersToDesign(db: Db, iid: string): Promise<AgentOrder[]> {
  const rows = await receivedOrders(db, iid)
    .where("state", "in", designStates)
    .orderBy("created_at")
    .limit(labAgentRules.maxOrders)
    .execute();
  return describeOrders(db, rows);
}

/** Returns those of the orders that this institution still sees as their receiver, in any state. */
export async function findAgentOrders(db: Db, iid: string, ids: readonly string[]): Promise<AgentOrder[]> {
  if (ids.length === 0) return [];
  return describeOrders(db, await receivedOrders(db, iid).where("id", "in", ids).execute());
}

type AgentOrderRow = Pick<Order, (typeof columns)[number]>;

async function describeOrders(db: Db, rows: readonly AgentOrderRow[]): Promise<AgentOrder[]> {
  const sent = await readSenderFiles(db, rows);
  return rows.map((row) => ({
    ...pickColumns(row, "id", "number", "state", "step", "design_revision"),
    files: sent.get(row.id)?.length ?? 0,
    content: createHash("sha256")
      .update(JSON.stringify([row.rx_revision, (sent.get(row.id) ?? []).toSorted()]))
      .digest("hex"),
  }));
}

/** The contents of the files that the sender attached, by order; those of messages and open proposals do not count. */
async function readSenderFiles(db: Db, rows: readonly AgentOrderRow[]): Promise<Map<string, string[]>> {
  const byOrder = new Map<string, string[]>();
  if (rows.length === 0) return byOrder;
  const files = await db
    .selectFrom("order_file")
    .select(["order_id", "sha256"])
    .where(
      "institution_id",
      "in",
      rows.map(({ institution_id }) => institution_id),
    )
    .where(
      "order_id",
      "in",
      rows.map(({ id }) => id),
    )
    .where("side", "=", "sender")
    .where("proposal_id", "is", null)
    .where("message_id", "is", null)
    .execute();
  for (const { order_id, sha256 } of files) byOrder.set(order_id, [...(byOrder.get(order_id) ?? []), sha256]);
  return byOrder;
}

/** Returns the contents of the newest design's files; none if there is no design. */
export async function listNewestDesignHashes(db: Db, order: Order): Promise<Set<string>> {
  const files = await db
    .selectFrom("order_file as file")
    .innerJoin("order_revision as revision", (join) =>
      join
        .onRef("revision.institution_id", "=", "file.institution_id")
        .onRef("revision.order_id", "=", "file.order_id")
        .onRef("revision.id", "=", "file.revision_id"),
    )
    .select("file.sha256")
    .where("file.institution_id", "=", order.institution_id)
    .where("file.order_id", "=", order.id)
    .where("revision.kind", "=", "design")
    .where("revision.number", "=", order.design_revision)
    .execute();
  return new Set(files.map(({ sha256 }) => sha256));
}
