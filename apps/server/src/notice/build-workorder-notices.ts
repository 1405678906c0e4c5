import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { EventData } from "../platform/events/events.ts";
import type { NewNotice } from "./send-notice.ts";
import { screens } from "@arcada/contract/screens";
import type { Appointment, appointmentChanged, workorderTransitioned } from "../workorder/workorder.events.ts";

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

const appointmentKinds = {
  planned: "appointmentPlanned",
  moved: "appointmentMoved",
  cancelled: "appointmentCancelled",
} as const satisfies Record<EventData<typeof appointmentChanged>["change"], NoticeKind>;

/** Returns the notices of an appointment that was planned, moved or cancelled. */
export const buildAppointmentNotices = (domainEvent: EventData<typeof appointmentChanged>): NewNotice[] =>
  buildFor(domainEvent, appointmentKinds[domainEvent.change]);

/** Returns the notices on the day before an appointment. */
export const buildAppointmentReminders = (appointment: Appointment): NewNotice[] =>
  buildFor(appointment, "appointmentReminder");

/**
 * The assignee learns the clinic and its address, the clinic the address: everybody there may want to know that somebody
 * comes, and the managers answer for the devices.
 */
function buildFor(
  { workorderId, number, at, zone, clinic, address, institution, assignee }: Appointment,
  kind: NoticeKind,
): NewNotice[] {
  const topic = `workorder:${workorderId}`;
  const notice = (place: string, page: string): Pick<NewNotice, "kind" | "params" | "link" | "topic"> => ({
    kind,
    params: { number, at, zone, place },
    link: `${page}?id=${workorderId}`,
    topic,
  });
  return [
    ...(assignee
      ? [
          {
            ...notice([clinic, address].filter(Boolean).join(", "), screens.workorderDetail.path),
            to: { users: [assignee] },
          },
        ]
      : []),
    ...(institution
      ? [
          {
            ...notice(address ?? clinic, screens.workOrder.path),
            to: { membersOf: institution },
            personal: { managersOf: institution },
            institutions: [institution],
          },
        ]
      : []),
  ];
}
