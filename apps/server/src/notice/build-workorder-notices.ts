import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { EventData } from "../platform/events/events.ts";
import type { NewNotice } from "./send-notice.ts";
import type { workorderTransitioned } from "../workorder/workorder.events.ts";

/**
 * Returns the notices of a step of a work order: for after-sales managers, for its people, and for the clinic with a
 * separate text.
 */
export function buildWorkorderNotices(domainEvent: EventData<typeof workorderTransitioned>): NewNotice[] {
  const { action, assignee, before, institution } = domainEvent;
  const params = { number: domainEvent.number, state: domainEvent.to };
  const link = `/workorderDetail?id=${domainEvent.workorderId}`;
  const topic = `workorder:${domainEvent.workorderId}`;
  const notice = (kind: NoticeKind, to: NewNotice["to"]): NewNotice => ({ kind, params, link, topic, to });
  const managers = { afterSalesAdmins: true } as const;
  const person = (kind: NoticeKind, user: string | null) => (user ? [notice(kind, { users: [user] })] : []);
  const clinic: NewNotice[] = institution
    ? [
        {
          kind: "workorderNews",
          params,
          link: `/workOrder/page?id=${domainEvent.workorderId}`,
          topic,
          to: { managersOf: institution },
          institutions: [institution],
        },
      ]
    : [];
  const noticesByAction: Record<string, () => NewNotice[]> = {
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
  return noticesByAction[action]?.() ?? [];
}
