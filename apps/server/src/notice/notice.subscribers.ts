import { reportSigned } from "../report/report.events.ts";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import { localDayIn, utcZone } from "@arcada/contract/kernel/time-zone";
import { memberPageUrl } from "@arcada/contract/member/member-notice-url";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { relationRules } from "@arcada/contract/relation/relation.lifecycle";
import type { RelationAction } from "@arcada/contract/relation/relation.lifecycle";
import { screens } from "@arcada/contract/screens";
import { accountCompleted, invitedAccountCreated, operatorNamed } from "../account/account.events.ts";
import { capacityChanged } from "../capacity/capacity.events.ts";
import { clinicsMerged, clinicsSeparated, deviceInstalled } from "../clinic/clinic.events.ts";
import { exportEnded } from "../data-export/data-export.events.ts";
import { deviceTransitioned } from "../device/device.events.ts";
import { feedbackReceived, feedbackUpdated } from "../feedback/feedback.events.ts";
import { institutionOpened, institutionCreated } from "../institution/institution.events.ts";
import { webhookStopped } from "../integrations/integrations.events.ts";
import { memberTransitioned, membershipChanged, membershipDemanded } from "../member/member.events.ts";
import { serviceMembershipChanged } from "../operator/staff.events.ts";
import { labSharingEnded, orderMessageSent, orderTransitioned, receiptDue } from "../order/order.events.ts";
import { relationTransitioned } from "../relation/relation.events.ts";
import { convertedFilesLost, filesDamaged } from "../retention/scrub.events.ts";
import { shareTransitioned } from "../share/share.events.ts";
import { studyMoved, studyReady, studyWaiting } from "../study/study.events.ts";
import { packageWithdrawn } from "../upgrade/upgrade.events.ts";
import { visitsChanged } from "../visit/visit.events.ts";
import {
  appointmentApproaching,
  appointmentChanged,
  workorderAccepted,
  workorderTransitioned,
} from "../workorder/workorder.events.ts";
import type { CapacityNews } from "../capacity/capacity.events.ts";
import { on } from "../platform/events/events.ts";
import type { EventData, EventType, Subscriber } from "../platform/events/events.ts";
import { translate } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { buildMentionNotice, buildOrderNotice, buildReceiptNotice, findSettledOrder } from "./build-order-notices.ts";
import { imagesTopic } from "./notice-groups.store.ts";
import { sendNotice, settle } from "./send-notice.ts";
import type { LinkedEmailName } from "../platform/mail/email-queue.ts";
import type { NewNotice, Settlement } from "./send-notice.ts";
import {
  buildAppointmentNotices,
  buildAppointmentReminders,
  buildWorkorderNotices,
} from "./build-workorder-notices.ts";

const capacityNoticeKinds: Record<CapacityNews, NoticeKind> = {
  begun: "capacityBegun",
  unsubscribed: "capacityUnsubscribed",
  renewal: "capacityRenewal",
  ending: "capacityEnding",
  ended: "capacityEnded",
  asked: "capacityAsked",
  declined: "capacityDeclined",
};

/**
 * Subscribes to an event and sends its notices to all recipients except the user who acted. What the event did is no
 * longer to be done.
 */
const notify = <Data extends object>(
  event: EventType<Data>,
  build: (data: Data) => NewNotice | NewNotice[] | null,
  findSettled?: (data: Data) => Settlement | null,
): Subscriber =>
  on(event, async (db, data) => {
    const settled = findSettled?.(data);
    const by = "by" in data ? (data.by as string | null) : null;
    const [first, ...others] = [build(data) ?? []].flat();
    if (first) await sendNotice(db, first, by, settled);
    else if (settled) await settle(db, settled);
    for (const notice of others) await sendNotice(db, notice, by);
  });

const relationNews: Partial<Record<RelationAction, { kind: NoticeKind; email: LinkedEmailName }>> = {
  request: { kind: "relationRequested", email: "relation.request" },
  accept: { kind: "relationEstablished", email: "relation.accept" },
  autoAccept: { kind: "relationEstablished", email: "relation.autoAccept" },
  resend: { kind: "relationRequested", email: "relation.request" },
  reject: { kind: "relationEnded", email: "relation.reject" },
  exit: { kind: "relationEnded", email: "relation.exit" },
  resume: { kind: "relationEstablished", email: "relation.resume" },
  settle: { kind: "relationEnded", email: "relation.settle" },
};

/** An application has no id of its own in the event. */
const applicationTopic = (institution: string, person: string): string => `application:${institution}:${person}`;

/**
 * Maps domain events to their notices: they and their e-mails are written in the transaction of the event; open tabs are
 * notified at its commit.
 */
export const noticeSubscribers: readonly Subscriber[] = [
  notify(orderTransitioned, buildOrderNotice, findSettledOrder),
  notify(receiptDue, buildReceiptNotice),
  notify(orderMessageSent, buildMentionNotice),
  notify(
    relationTransitioned,
    ({ relationId, action, recipient: tell, other, names, reason }) => {
      const news = relationNews[action];
      if (!news) return null;
      const values = (language: Language) => ({
        name: names.other,
        own: names.own,
        days: relationRules.resumeDays,
        reason: reason ? `\n\n${translate(language, "letter", "relation.reason", { reason })}` : "",
      });
      return {
        kind: news.kind,
        params: { action, name: names.other },
        link: `${screens.relationWeb.path}?partner=${other}`,
        topic: `relation:${relationId}`,
        emailTemplate: { name: news.email, values },
        to: { managersOf: tell },
        institutions: [tell],
      };
    },
    ({ relationId }) => ({ topic: `relation:${relationId}` }),
  ),
  // Events of the service's own records have no notice.
  notify(
    memberTransitioned,
    ({ action, institution, institutionName, person, recipient: tell }) => {
      const kinds: Record<string, NoticeKind> = {
        apply: "memberApplied",
        accept: "memberJoined",
        decline: "invitationDeclined",
        lapse: "invitationExpired",
        agree: "applicationAgreed",
        reject: "applicationRejected",
        changeRole: "roleChanged",
        kickOut: "memberRemoved",
        exit: "memberLeft",
      };
      const kind = kinds[action];
      if (!kind) return null;
      return {
        kind,
        params: { name: person, institution: institutionName },
        ...(action === "apply" && { topic: applicationTopic(institution, person) }),
        link: tell === "managers" ? memberPageUrl(kind) : screens.profile.path,
        to: tell === "managers" ? { managersOf: institution } : { users: [tell.user] },
        institutions: tell === "managers" ? [institution] : [],
      };
    },
    ({ action, institution, person }) =>
      action === "agree" || action === "reject" ? { topic: applicationTopic(institution, person) } : null,
  ),
  notify(serviceMembershipChanged, ({ user, to }) => ({
    kind: to === null ? "serviceTaken" : "serviceGiven",
    params: {},
    link: screens.profile.path,
    to: { users: [user] },
  })),
  notify(exportEnded, ({ user, institution, isReady }) => ({
    kind: isReady ? "exportReady" : "exportFailed",
    params: { institution, days: String(dataExportRules.days) },
    link: "/leaving",
    to: { users: [user] },
  })),
  notify(filesDamaged, ({ institution, institutionName, count }) => ({
    kind: "filesDamaged",
    params: { institution: institutionName, files: String(count) },
    link: `${screens.trail.path}?group=study`,
    to: { managersOf: institution, andOperators: true },
    institutions: [institution],
  })),
  notify(shareTransitioned, ({ action, label, institution, user }) => ({
    kind: ({ open: "shareOpened", lock: "shareLocked", lapse: "shareExpired" } as const)[action],
    params: { label },
    link: screens.shareList.path,
    to: { users: [user] },
    institutions: [institution],
  })),
  notify(webhookStopped, ({ institution, webhook }) => ({
    kind: "webhookStopped",
    params: { name: webhook },
    link: screens.openInterface.path,
    to: { managersOf: institution },
    institutions: [institution],
  })),
  notify(capacityChanged, ({ what, institution, institutionName, gigabytes, analyses, until }) => ({
    kind: capacityNoticeKinds[what],
    params: {
      gigabytes: String(gigabytes),
      analyses: String(analyses),
      ...(what === "asked" && { institution: institutionName }),
      ...(until && { date: until }),
    },
    link: what === "asked" ? screens.cards.path : screens.myCapacity.path,
    to: what === "asked" ? { operators: true } : { managersOf: institution },
    institutions: what === "asked" ? [] : [institution],
  })),
  notify(studyReady, ({ studyId, patientId, job, kind, user, institution, again, sent }) =>
    // A document that somebody made or uploaded is no news for them.
    again || (kind === "document" && !sent)
      ? null
      : {
          kind: "studyReady",
          params: { kind },
          link: `/viewer?study=${studyId}`,
          groupLink: `${screens.patientDetail.path}?id=${patientId}`,
          // A device sends each image by itself: those of one day belong together.
          topic: imagesTopic(patientId, sent || job === null ? localDayIn(utcZone, new Date()) : job),
          to: sent ? { membersOf: institution } : { users: [user] },
          institutions: [institution],
        },
  ),
  notify(studyWaiting, ({ institution, kind }) => ({
    kind: "studyWaiting",
    params: { kind },
    link: screens.inbox.path,
    topic: `inbox:${institution}`,
    to: { membersOf: institution },
    institutions: [institution],
  })),
  notify(feedbackReceived, ({ feedbackId, number, product }) => ({
    kind: "feedbackWaits",
    params: { number, product },
    topic: `feedback:${feedbackId}`,
    link: `${screens.feedbackDetail.path}?id=${feedbackId}`,
    to: { afterSalesAdmins: true },
  })),
  notify(
    feedbackUpdated,
    ({ feedbackId, number, product, author, fixedIn }) => ({
      kind: fixedIn === null ? "feedbackAnswered" : "feedbackFixed",
      params: { number, product, ...(fixedIn !== null && { version: fixedIn }) },
      link: `${screens.feedbackDetail.path}?id=${feedbackId}`,
      topic: `feedback:${feedbackId}`,
      to: { users: [author] },
    }),
    ({ feedbackId }) => ({ topic: `feedback:${feedbackId}` }),
  ),
  notify(packageWithdrawn, ({ packageId, product, version, users, institutions }) => {
    const base = {
      kind: "packageWithdrawn" as const,
      params: { product, version },
      link: `${screens.packageDetail.path}?id=${packageId}`,
    };
    return [
      { ...base, to: { users } },
      ...institutions.map((institution) => ({ ...base, to: { managersOf: institution }, institutions: [institution] })),
    ];
  }),
  notify(workorderTransitioned, buildWorkorderNotices, ({ workorderId }) => ({ topic: `workorder:${workorderId}` })),
  notify(appointmentChanged, buildAppointmentNotices),
  notify(appointmentApproaching, buildAppointmentReminders),
  notify(deviceTransitioned, buildDeviceNotices),
];

/** Events without a notice: others state what happened, or nobody needs to know. A test compares both lists. */
export const eventsWithoutNotice: readonly { readonly name: string }[] = [
  // The requests that waited for the institution have notices of their own.
  institutionCreated,
  // The email that opens the account states it.
  institutionOpened,
  accountCompleted,
  // The acceptance of the invitation has a notice.
  invitedAccountCreated,
  // The person opens the account by the set-up link.
  operatorNamed,
  visitsChanged,
  // The person who signed it knows, and whoever waits for it gets it by other ways.
  reportSigned,
  // The person who moved it knows.
  studyMoved,
  // Events of the service's own records have no notice.
  deviceInstalled,
  clinicsMerged,
  clinicsSeparated,
  // The step that it belongs to notifies.
  membershipChanged,
  membershipDemanded,
  // The links end, which their list shows.
  labSharingEnded,
  // The study makes them again by itself.
  convertedFilesLost,
  // The step that it belongs to notifies.
  workorderAccepted,
];

const deviceKinds: Record<EventData<typeof deviceTransitioned>["action"], NoticeKind> = {
  bind: "deviceBound",
  lock: "deviceLocked",
  unlock: "deviceUnlocked",
  unbind: "deviceUnbound",
  forceUnbind: "deviceUnbound",
};

/**
 * The managers of the clinic are notified of every step, after-sales managers of the beginning and the end of a
 * binding.
 */
function buildDeviceNotices({
  deviceId,
  device,
  action,
  institution,
}: EventData<typeof deviceTransitioned>): NewNotice[] {
  const about = { kind: deviceKinds[action], params: { device } };
  return [
    { ...about, link: screens.equipment.path, to: { managersOf: institution }, institutions: [institution] },
    ...(action === "bind" || action === "unbind"
      ? [{ ...about, link: `${screens.deviceDetail.path}?id=${deviceId}`, to: { afterSalesAdmins: true as const } }]
      : []),
  ];
}
