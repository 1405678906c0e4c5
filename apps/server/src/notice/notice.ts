import { languages } from "@arcada/contract/kernel/languages";
import { roles } from "@arcada/contract/kernel/roles";
import { dataExportRules } from "@arcada/contract/leaving/leaving.rules";
import { memberPageUrl } from "@arcada/contract/member/member.link";
import { noticeCategories, noticeKinds, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { noticeLine } from "@arcada/contract/notice/notice.line";
import { relationRules } from "@arcada/contract/relation/relation.cycle";
import { screens } from "@arcada/contract/screens";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import type { CapacityNews, DomainEvent } from "../platform/events/events.ts";
import { queueEmails } from "../platform/mail/email.ts";
import type { Email } from "../platform/mail/email.ts";
import { translate } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { insertNotices, listManagers, listMembers, loadRecipients } from "./notice.store.ts";
import type { NoticeRecipient, ChannelChoice } from "./notice.store.ts";
import { buildDeviceNotices } from "./notice.device.ts";
import { softwareNoticeBuilders } from "./notice.software.ts";
import { buildWorkorderNotices } from "./notice.workorder.ts";

export interface NewNotice {
  kind: NoticeKind;
  params: Record<string, string>;
  link: string;
  /** Set if the email contains more than the notice's line: an entry of letter.json and its values. */
  emailTemplate?: { name: string; values: (language: Language) => Record<string, string | number> };
  /**
   * Recipients: users; everybody of an institution; its managers, optionally with the platform's operators; or
   * after-sales managers.
   */
  to:
    | { users: string[] }
    | { membersOf: string }
    | { managersOf: string; andOperators?: true }
    | { afterSalesAdmins: true }
    | { operators: true };
  /** Institutions in which the link is valid; a reader's own must be among them. */
  institutions?: string[];
}
/** Numbers on the wire. */
export const toCategory = (kind: NoticeKind): number => noticeCategories[noticeKinds[kind]];
export const listKinds = (category: number): NoticeKind[] =>
  (Object.keys(noticeKinds) as NoticeKind[]).filter((kind) => toCategory(kind) === category);

const defaultChoice: ChannelChoice = { site: null, email: null };
/** Returns the channels on which a user with these choices is notified of a kind. */
export function toConfig(kind: NoticeKind, { site, email }: ChannelChoice = defaultChoice) {
  const fixed = noticeRules.fixed.includes(kind);
  return {
    kind,
    category: toCategory(kind),
    site: fixed || (site ?? true),
    email: email ?? noticeRules.emailed.includes(kind),
    fixed,
  };
}

/** Actions of an order that have a notice of their own, instead of one about the new state. */
const orderNoticeKinds: Record<string, NoticeKind> = {
  handOver: "orderArrived",
  accept: "orderAccepted",
  requestInfo: "orderInfoAsked",
  submitScheme: "orderToDecide",
  submitDesign: "orderToDecide",
  requestCancel: "orderToDecide",
  proposeChange: "orderToDecide",
  returnScheme: "orderReturned",
  returnDesign: "orderReturned",
  backToScheme: "orderReturned",
  redeliver: "orderReturned",
  transferFailed: "orderNotSent",
  childFailed: "orderNotSent",
};

export const capacityNoticeKinds: Record<CapacityNews, NoticeKind> = {
  begun: "capacityBegun",
  unsubscribed: "capacityUnsubscribed",
  renewal: "capacityRenewal",
  ending: "capacityEnding",
  ended: "capacityEnded",
  asked: "capacityAsked",
  declined: "capacityDeclined",
};

export type EventOf<N extends DomainEvent["name"]> = Extract<DomainEvent, { name: N }>;

/** Maps each domain event to its notices and their recipients. */
const noticesByEvent: { [N in DomainEvent["name"]]: (domainEvent: EventOf<N>) => NewNotice | NewNotice[] | null } = {
  orderMoved: ({ orderId, number, action, to, recipients: tell, sender, receiver }) => ({
    kind: orderNoticeKinds[action] ?? "orderMoved",
    params: { number, action, state: to },
    link: `/orderDetail/page?id=${orderId}`,
    to: { users: tell },
    institutions: [sender, ...(receiver ? [receiver] : [])],
  }),
  // Shown in the order's conversation.
  orderMessaged: () => null,
  receiptDue: ({ orderId, number, days, recipients: tell, sender }) => ({
    kind: "orderReceiptDue",
    params: { number, days: String(days) },
    link: `/orderDetail/page?id=${orderId}`,
    to: { users: tell },
    institutions: [sender],
  }),
  relationMoved: ({ action, recipient: tell, other, names, reason }) => {
    const kinds: Record<string, NoticeKind> = {
      request: "relationRequested",
      accept: "relationEstablished",
      autoAccept: "relationEstablished",
      resend: "relationRequested",
      reject: "relationEnded",
      exit: "relationEnded",
      resume: "relationEstablished",
      settle: "relationEnded",
    };
    const kind = kinds[action];
    if (!kind) return null;
    const values = (language: Language) => ({
      name: names.other,
      own: names.own,
      days: relationRules.resumeDays,
      reason: reason ? `\n\n${translate(language, "letter", "relation.reason", { reason })}` : "",
    });
    return {
      kind,
      params: { action, name: names.other },
      link: `${screens.relationWeb.path}?partner=${other}`,
      emailTemplate: { name: `relation.${action === "resend" ? "request" : action}`, values },
      to: { managersOf: tell },
      institutions: [tell],
    };
  },
  // The requests that waited for the institution have notices of their own.
  institutionMade: () => null,
  // The email that opens the account states it.
  accountOpened: () => null,
  accountCompleted: () => null,
  visitsChanged: () => null,
  // Events of the service's own records have no notice.
  deviceStands: () => null,
  clinicsJoined: () => null,
  clinicsParted: () => null,
  memberMoved: ({ action, institution, institutionName, person, recipient: tell }) => {
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
      link: tell === "managers" ? memberPageUrl(kind) : screens.profile.path,
      to: tell === "managers" ? { managersOf: institution } : { users: [tell.user] },
      institutions: tell === "managers" ? [institution] : [],
    };
  },
  serviceChanged: ({ user, to }) => ({
    kind: to === null ? "serviceTaken" : "serviceGiven",
    params: {},
    link: screens.profile.path,
    to: { users: [user] },
  }),
  // The step that it belongs to notifies.
  membershipChanged: () => null,
  exportEnded: ({ user, institution, isReady }) => ({
    kind: isReady ? "exportReady" : "exportFailed",
    params: { institution, days: String(dataExportRules.days) },
    link: "/leaving",
    to: { users: [user] },
  }),
  filesDamaged: ({ institution, institutionName, count }) => ({
    kind: "filesDamaged",
    params: { institution: institutionName, files: String(count) },
    link: `${screens.trail.path}?group=study`,
    to: { managersOf: institution, andOperators: true },
    institutions: [institution],
  }),
  // The links end, which their list shows.
  orderUnshared: () => null,
  shareMoved: ({ action, label, institution, user }) => ({
    kind: ({ open: "shareOpened", lock: "shareLocked", lapse: "shareExpired" } as const)[action],
    params: { label },
    link: screens.shareList.path,
    to: { users: [user] },
    institutions: [institution],
  }),
  webhookStopped: ({ institution, webhook }) => ({
    kind: "webhookStopped",
    params: { name: webhook },
    link: screens.openInterface.path,
    to: { managersOf: institution },
    institutions: [institution],
  }),
  capacityMoved: ({ what, institution, institutionName, gigabytes, analyses, until }) => ({
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
  }),
  // The study makes them again by itself.
  convertedLost: () => null,
  studyReady: ({ studyId, kind, user, institution, again, sent }) =>
    again
      ? null
      : {
          kind: "studyReady",
          params: { kind },
          link: `/viewer?study=${studyId}`,
          to: sent ? { membersOf: institution } : { users: [user] },
          institutions: [institution],
        },
  studyWaiting: ({ institution, kind }) => ({
    kind: "studyWaiting",
    params: { kind },
    link: screens.inbox.path,
    to: { membersOf: institution },
    institutions: [institution],
  }),
  ...softwareNoticeBuilders,
  workorderMoved: buildWorkorderNotices,
  deviceMoved: buildDeviceNotices,
  // The step that it belongs to notifies.
  workorderAccepted: () => null,
};

/**
 * Subscriber of all domain events: writes notices and e-mails in the same transaction; open tabs are notified at its
 * commit.
 */
export async function createNotices(db: Db, domainEvent: DomainEvent): Promise<void> {
  const notices = (noticesByEvent[domainEvent.name] as (what: DomainEvent) => NewNotice | NewNotice[] | null)(
    domainEvent,
  );
  if (!notices) return;
  const by = "by" in domainEvent ? domainEvent.by : null;
  for (const notice of [notices].flat()) await sendNotice(db, notice, by);
}

/** Sends to all recipients except the person who acted. */
const sendNotice = (db: Db, notice: NewNotice, by: string | null): Promise<void> =>
  bypassTenantScope(db, async () => {
    const audience = await listRecipients(db, notice.to);
    const users = [...new Set(audience)].filter((user) => user !== by);
    if (users.length === 0) return;
    const readers = await loadRecipients(db, users, notice.kind);
    const wanted = (channel: "site" | "email") => readers.filter((one) => toConfig(notice.kind, one)[channel]);
    const onSite = wanted("site").map(({ id }) => id);
    for (const { id, user } of insertNotices(db, onSite, notice)) await notifyClients(db, { user }, "notice", id);
    if (noticeRules.ownLetters.includes(notice.kind)) return;
    await queueEmails(
      db,
      wanted("email").flatMap((reader) => buildEmail(reader, notice)),
    );
  });

export const noticeText = (language: Language, notice: Pick<NewNotice, "kind" | "params">): string =>
  noticeLine((key, values) => translate(language, "notice", key, values), notice);

/** Renders the notice as an email: its one line, the reason for it, and a link. It contains no more than the line. */
function buildEmail(
  { address, language: asked }: NoticeRecipient,
  { kind, params, link, emailTemplate: email }: NewNotice,
): Email[] {
  if (address === null) return [];
  const language: Language = languages.find((one) => one === asked) ?? "en";
  if (email) return [{ to: address, language, name: email.name, values: email.values(language), link }];
  const line = noticeText(language, { kind, params });
  const why = translate(language, "letter", `notice.why.${noticeRules.emailed.includes(kind) ? kind : "other"}`);
  return [{ to: address, language, name: "notice", values: { line, why }, link }];
}

async function listRecipients(db: Db, to: NewNotice["to"]): Promise<string[]> {
  if ("users" in to) return to.users;
  if ("membersOf" in to) return listMembers(db, to.membersOf);
  if ("operators" in to) return listUsersWithRole(db, "operator");
  if ("afterSalesAdmins" in to) return listUsersWithRole(db, "afterSalesAdmin");
  return [
    ...(await listManagers(db, to.managersOf)),
    ...(to.andOperators ? await listUsersWithRole(db, "operator") : []),
  ];
}

const listUsersWithRole = async (db: Db, role: "operator" | "afterSalesAdmin"): Promise<string[]> =>
  (
    await db
      .selectFrom("membership")
      .select("user_id")
      .where("state", "=", "normal")
      .where("authority_id", "=", roles[role].authorityId)
      .execute()
  ).map((row) => row.user_id);
