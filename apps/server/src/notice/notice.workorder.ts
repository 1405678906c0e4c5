import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { Happened, Notice } from "./notice.ts";

/**
 * Returns the notices of a step of a work order: for after-sales managers, for its people, and for the clinic with a
 * text of its own.
 */
export function workorderNotices(happening: Happened<"workorderMoved">): Notice[] {
  const { action, assignee, before, institution } = happening;
  const params = { number: happening.number, state: happening.to };
  const link = `/workorderDetail?id=${happening.workorderId}`;
  const notice = (kind: NoticeKind, to: Notice["to"]): Notice => ({ kind, params, link, to });
  const managers = { afterSalesAdmins: true } as const;
  const person = (kind: NoticeKind, user: string | null) => (user ? [notice(kind, { users: [user] })] : []);
  const clinic: Notice[] = institution
    ? [
        {
          kind: "workorderNews",
          params,
          link: `/workOrder/page?id=${happening.workorderId}`,
          to: { managersOf: institution },
          houses: [institution],
        },
      ]
    : [];
  const told: Record<string, () => Notice[]> = {
    create: () => (assignee ? person("workorderGiven", assignee) : [notice("workorderArrived", managers)]),
    assign: () => person("workorderGiven", assignee),
    start: () => clinic,
    handOver: () => [...person("workorderGiven", assignee), notice("workorderMoved", managers)],
    askTransfer: () => [notice("workorderToReview", managers)],
    approveTransfer: () => [...person("workorderGiven", assignee), ...person("workorderMoved", before)],
    refuseTransfer: () => person("workorderReturned", assignee),
    submit: () => [notice("workorderToReview", managers)],
    pass: () => [...clinic, ...person("workorderMoved", assignee)],
    sendBack: () => person("workorderReturned", assignee),
    reopen: () => person("workorderReturned", assignee),
    void: () => [...clinic, ...person("workorderMoved", assignee)],
  };
  return told[action]?.() ?? [];
}
