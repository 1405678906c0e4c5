import { languages } from "@arcada/contract/kernel/languages";
import { roles } from "@arcada/contract/kernel/roles";
import { leavingRules } from "@arcada/contract/leaving/leaving.rules";
import { memberLink } from "@arcada/contract/member/member.link";
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
import { textOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { insertNotices, managersOf, membersOf, readersOf } from "./notice.store.ts";
import type { Reader, Switch } from "./notice.store.ts";
import { deviceNotices } from "./notice.device.ts";
import { softwareNotices } from "./notice.software.ts";
import { workorderNotices } from "./notice.workorder.ts";

export interface Notice {
  kind: NoticeKind;
  params: Record<string, string>;
  link: string;
  /** Set if the e-mail says more than the notice's line: an entry of letter.json and its values. */
  letter?: { name: string; values: (language: Language) => Record<string, string | number> };
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
  houses?: string[];
}
/** Numbers on the wire. */
export const categoryOf = (kind: NoticeKind): number => noticeCategories[noticeKinds[kind]];
export const kindsOf = (category: number): NoticeKind[] =>
  (Object.keys(noticeKinds) as NoticeKind[]).filter((kind) => categoryOf(kind) === category);

const asUsual: Switch = { site: null, email: null };
/** Returns the channels on which a user with these choices is notified of a kind. */
export function configOf(kind: NoticeKind, { site, email }: Switch = asUsual) {
  const fixed = noticeRules.fixed.includes(kind);
  return {
    kind,
    category: categoryOf(kind),
    site: fixed || (site ?? true),
    email: email ?? noticeRules.emailed.includes(kind),
    fixed,
  };
}

/** Actions of an order that have a notice of their own, instead of one about the new state. */
const orderKinds: Record<string, NoticeKind> = {
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

export const capacityKinds: Record<CapacityNews, NoticeKind> = {
  begun: "capacityBegun",
  unsubscribed: "capacityUnsubscribed",
  renewal: "capacityRenewal",
  ending: "capacityEnding",
  ended: "capacityEnded",
  asked: "capacityAsked",
  declined: "capacityDeclined",
};

export type Happened<N extends DomainEvent["name"]> = Extract<DomainEvent, { name: N }>;

/** Maps each domain event to its notices and their recipients. */
const table: { [N in DomainEvent["name"]]: (happening: Happened<N>) => Notice | Notice[] | null } = {
  orderMoved: ({ orderId, number, action, to, publish: tell, sender, receiver }) => ({
    kind: orderKinds[action] ?? "orderMoved",
    params: { number, action, state: to },
    link: `/orderDetail/page?id=${orderId}`,
    to: { users: tell },
    houses: [sender, ...(receiver ? [receiver] : [])],
  }),
  // Shown in the order's conversation.
  orderMessaged: () => null,
  receiptDue: ({ orderId, number, days, tell, sender }) => ({
    kind: "orderReceiptDue",
    params: { number, days: String(days) },
    link: `/orderDetail/page?id=${orderId}`,
    to: { users: tell },
    houses: [sender],
  }),
  relationMoved: ({ action, tell, other, names, reason }) => {
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
      reason: reason ? `\n\n${textOf(language, "letter", "relation.reason", { reason })}` : "",
    });
    return {
      kind,
      params: { action, name: names.other },
      link: `${screens.relationWeb.path}?partner=${other}`,
      letter: { name: `relation.${action === "resend" ? "request" : action}`, values },
      to: { managersOf: tell },
      houses: [tell],
    };
  },
  // The requests that waited for the institution have notices of their own.
  institutionMade: () => null,
  // The e-mail that opens the account says it.
  accountOpened: () => null,
  accountCompleted: () => null,
  visitsChanged: () => null,
  // Events of the service's own records have no notice.
  deviceStands: () => null,
  clinicsJoined: () => null,
  clinicsParted: () => null,
  memberMoved: ({ action, institution, institutionName, person, tell }) => {
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
      link: tell === "managers" ? memberLink(kind) : screens.profile.path,
      to: tell === "managers" ? { managersOf: institution } : { users: [tell.user] },
      houses: tell === "managers" ? [institution] : [],
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
    params: { institution, days: String(leavingRules.days) },
    link: "/leaving",
    to: { users: [user] },
  }),
  filesDamaged: ({ institution, institutionName, count }) => ({
    kind: "filesDamaged",
    params: { institution: institutionName, files: String(count) },
    link: `${screens.trail.path}?group=study`,
    to: { managersOf: institution, andOperators: true },
    houses: [institution],
  }),
  // The links end, which their list shows.
  orderUnshared: () => null,
  shareMoved: ({ action, label, institution, user }) => ({
    kind: ({ open: "shareOpened", lock: "shareLocked", lapse: "shareExpired" } as const)[action],
    params: { label },
    link: screens.shareList.path,
    to: { users: [user] },
    houses: [institution],
  }),
  webhookStopped: ({ institution, webhook }) => ({
    kind: "webhookStopped",
    params: { name: webhook },
    link: screens.openInterface.path,
    to: { managersOf: institution },
    houses: [institution],
  }),
  capacityMoved: ({ what, institution, institutionName, gigabytes, analyses, until }) => ({
    kind: capacityKinds[what],
    params: {
      gigabytes: String(gigabytes),
      analyses: String(analyses),
      ...(what === "asked" && { institution: institutionName }),
      ...(until && { date: until }),
    },
    link: what === "asked" ? screens.cards.path : screens.myCapacity.path,
    to: what === "asked" ? { operators: true } : { managersOf: institution },
    houses: what === "asked" ? [] : [institution],
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
          houses: [institution],
        },
  studyWaiting: ({ institution, kind }) => ({
    kind: "studyWaiting",
    params: { kind },
    link: screens.inbox.path,
    to: { membersOf: institution },
    houses: [institution],
  }),
  ...softwareNotices,
  workorderMoved: workorderNotices,
  deviceMoved: deviceNotices,
  // The step that it belongs to notifies.
  workorderAccepted: () => null,
};

/**
 * Subscriber of all domain events: writes notices and e-mails in the same transaction; open tabs are notified at its
 * commit.
 */
export async function notify(db: Db, happening: DomainEvent): Promise<void> {
  const notices = (table[happening.name] as (what: DomainEvent) => Notice | Notice[] | null)(happening);
  if (!notices) return;
  const by = "by" in happening ? happening.by : null;
  for (const notice of [notices].flat()) await send(db, notice, by);
}

/** Sends to all recipients except the person who acted. */
const send = (db: Db, notice: Notice, by: string | null): Promise<void> =>
  bypassTenantScope(db, async () => {
    const audience = await audienceOf(db, notice.to);
    const users = [...new Set(audience)].filter((user) => user !== by);
    if (users.length === 0) return;
    const readers = await readersOf(db, users, notice.kind);
    const wanted = (channel: "site" | "email") => readers.filter((one) => configOf(notice.kind, one)[channel]);
    const onSite = wanted("site").map(({ id }) => id);
    for (const { id, user } of insertNotices(db, onSite, notice)) await notifyClients(db, { user }, "notice", id);
    if (noticeRules.ownLetters.includes(notice.kind)) return;
    await queueEmails(
      db,
      wanted("email").flatMap((reader) => letterTo(reader, notice)),
    );
  });

export const lineIn = (language: Language, notice: Pick<Notice, "kind" | "params">): string =>
  noticeLine((key, values) => textOf(language, "notice", key, values), notice);

/** Renders the notice as an e-mail: its one line, the reason for it, and a link. It says no more than the line. */
function letterTo({ address, language: asked }: Reader, { kind, params, link, letter }: Notice): Email[] {
  if (address === null) return [];
  const language: Language = languages.find((one) => one === asked) ?? "en";
  if (letter) return [{ to: address, language, name: letter.name, values: letter.values(language), link }];
  const line = lineIn(language, { kind, params });
  const why = textOf(language, "letter", `notice.why.${noticeRules.emailed.includes(kind) ? kind : "other"}`);
  return [{ to: address, language, name: "notice", values: { line, why }, link }];
}

async function audienceOf(db: Db, to: Notice["to"]): Promise<string[]> {
  if ("users" in to) return to.users;
  if ("membersOf" in to) return membersOf(db, to.membersOf);
  if ("operators" in to) return everyone(db, "operator");
  if ("afterSalesAdmins" in to) return everyone(db, "afterSalesAdmin");
  return [...(await managersOf(db, to.managersOf)), ...(to.andOperators ? await everyone(db, "operator") : [])];
}

const everyone = async (db: Db, role: "operator" | "afterSalesAdmin"): Promise<string[]> =>
  (
    await db
      .selectFrom("membership")
      .select("user_id")
      .where("state", "=", "normal")
      .where("authority_id", "=", roles[role].authorityId)
      .execute()
  ).map((row) => row.user_id);
