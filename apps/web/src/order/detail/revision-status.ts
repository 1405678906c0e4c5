import type { Order } from "@arcada/contract/order/order.calls";
import type { Translate } from "../../i18n/texts.ts";

type Revision = Order["revisions"][number];

/** valid: the one to be made; waiting: the newest, not yet decided; old: no longer to be made. */
type RevisionStatus = "valid" | "waiting" | "old";

export function getRevisionStatus(order: Pick<Order, "revisions">, revision: Revision): RevisionStatus {
  if (revision.state === "confirmed") return "valid";
  return revision.state === "submitted" && isNewestRevision(order, revision) ? "waiting" : "old";
}

export const isNewestRevision = ({ revisions }: Pick<Order, "revisions">, { kind, number }: Revision): boolean =>
  revisions.every((other) => other.kind !== kind || other.number <= number);

/** Returns the replacement of an old revision: the valid one of its kind, else the waiting one. */
export const findSuccessor = (order: Pick<Order, "revisions">, revision: Revision): Revision | undefined =>
  (["valid", "waiting"] as const)
    .map((status) =>
      order.revisions.find((other) => other.kind === revision.kind && getRevisionStatus(order, other) === status),
    )
    .find((other) => other !== undefined);

export const revisionName = (t: Translate, { kind, number }: Pick<Revision, "kind" | "number">): string =>
  t(`order.detail.${kind}Number`, { number });
