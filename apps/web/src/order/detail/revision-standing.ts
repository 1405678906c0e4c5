import type { Order } from "@arcada/contract/order/order.calls";
import type { Translate } from "../../kernel/texts.ts";

type Revision = Order["revisions"][number];

/** valid: the one to be made; waiting: the newest, not yet decided; old: no longer to be made. */
type Standing = "valid" | "waiting" | "old";

export function standingOf(order: Pick<Order, "revisions">, revision: Revision): Standing {
  if (revision.state === "confirmed") return "valid";
  return revision.state === "submitted" && isNewest(order, revision) ? "waiting" : "old";
}

export const isNewest = ({ revisions }: Pick<Order, "revisions">, { kind, number }: Revision): boolean =>
  revisions.every((other) => other.kind !== kind || other.number <= number);

/** Returns the replacement of an old revision: the valid one of its kind, else the waiting one. */
export const successorOf = (order: Pick<Order, "revisions">, revision: Revision): Revision | undefined =>
  (["valid", "waiting"] as const)
    .map((standing) =>
      order.revisions.find((other) => other.kind === revision.kind && standingOf(order, other) === standing),
    )
    .find((other) => other !== undefined);

export const revisionName = (t: Translate, { kind, number }: Pick<Revision, "kind" | "number">): string =>
  t(`order.detail.${kind}Number`, { number });
