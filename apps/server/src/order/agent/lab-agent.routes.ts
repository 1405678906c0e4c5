import { labAgentCalls } from "@arcada/contract/order/lab-agent.calls";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { routes } from "../../platform/http/serve-calls.ts";
import { findVisibleOrder } from "../core/order.store.ts";
import type { Order } from "../core/order.store.ts";
import { prepareArchive } from "../download/download.routes.ts";
import { inspectUploads } from "../files/inspect-uploads.ts";
import { performAction } from "../transition/perform-action.ts";
import { findAgentOrders, isDesignedNow, listOrdersToDesign, listNewestDesignHashes } from "./lab-agent.store.ts";

/** Calls of a laboratory's agent, which carries orders into exocad's folder and designs back. */
export const labAgentRoutes = routes(labAgentCalls, {
  orders: async ({ known }, { db, principal }) => {
    const wanted = await listOrdersToDesign(db, principal.iid);
    const listed = new Set(wanted.map(({ id }) => id));
    const others = known.filter((id) => !listed.has(id));
    return { wanted, known: await findAgentOrders(db, principal.iid, others) };
  },

  fetch: async ({ id }, context) => {
    await requireDesignedOrder(context, id);
    return prepareArchive(context, { id, layout: "exocad" });
  },

  submit: {
    prepare: (input, context) =>
      inspectUploads(
        context,
        input.files.map(({ upload }) => upload),
        undefined,
      ),
    handle: async ({ id, files }, context) => {
      const order = await requireDesignedOrder(context, id);
      context.subject = id;
      if (order.state !== "awaiting_design") return refuse("orderActionNotAllowed");
      const before = await listNewestDesignHashes(context.db, order);
      if (isSameSet(before, new Set(files.map(({ sha256 }) => sha256))))
        return { revision: order.design_revision, isNew: false };
      const current = await withdrawPendingDesign(context, order);
      const moved = await performAction(context, {
        id,
        action: "submitDesign",
        version: current.version,
        files: files.map(({ upload }) => ({ upload, role: "design" })),
      });
      context.detail = { action: "submitDesign", files: files.length };
      return { revision: (moved ?? refuse("internal")).design_revision, isNew: true };
    },
  },
});

/** Returns an order that this laboratory received and designs now. */
async function requireDesignedOrder({ db, principal }: MemberContext, id: string): Promise<Order> {
  const order = (await findVisibleOrder(db, principal.iid, id)) ?? refuse("notFound");
  if (order.receiver_id !== principal.iid) return refuse("notFound");
  return isDesignedNow(order) ? order : refuse("orderActionNotAllowed");
}

/** The clinic must not approve a design that the laboratory has replaced on its own machine. */
async function withdrawPendingDesign(context: MemberContext, order: Order): Promise<Order> {
  if (order.step !== "submitted") return order;
  const withdrawn = await performAction(context, { id: order.id, action: "withdraw", version: order.version });
  return withdrawn ?? refuse("internal");
}

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((value) => other.has(value));
