import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { sharedUntil } from "@arcada/contract/order/order.rights";
import { shareCalls, type FactorWish } from "@arcada/contract/share/share.calls";
import { shareRules } from "@arcada/contract/share/share.rules";
import { guestSessionOf, type MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { newId, secretHash } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { secret } from "../platform/runtime/services.ts";
import { zoneOf } from "../domain/institution-time-zone.ts";
import { knocked, openShare, sendShareCode } from "./share.open.ts";
import { actionsOf, expiryOf, extended, factorHash, manages, newLinkSecret, shareOf } from "./share.ts";
import * as store from "./share.store.ts";
import { endVisit } from "./visit.ts";

export const shareRoutes = routes(shareCalls, {
  create: async (wish, context) => {
    const { db, asker, now } = context;
    const { kind, id: thingId, label, nameless, factor } = wish;
    const { subject, latest, sender } = await subjectOf(context, wish);
    // For an order, the link alone opens the models, never images or the patient's identity.
    if (factor.kind === "none" && (!nameless || (kind === "order" && wish.pictures))) refuse("shareFactorNeeded");
    // The label is used in e-mails, and above images that name nobody.
    if (subject.patientName !== "" && label.includes(subject.patientName))
      refuse("badInput", { label: "namesPatient" });
    const [id, link] = [newId(), newLinkSecret()];
    const row = { institution_id: sender, id };
    await store.insertShare(db, {
      ...row,
      house_id: asker.iid,
      kind,
      thing_id: thingId,
      patient_id: subject.patientId,
      label,
      secret_hash: secretHash(link),
      ...factorOf(id, factor, subject),
      nameless,
      may_download: wish.allowDownload,
      pictures: kind === "order" && wish.pictures,
      revisions: kind === "order" ? wish.revisions : [],
      created_by: asker.uid,
      expires_at: expiryOf(wish.days, latest, now),
    });
    await store.noteEvent(db, row, { what: "create", user: asker.uid });
    const [patient, download] = [sender === asker.iid ? subject.patientId : null, wish.allowDownload];
    context.detail = { share: id, patient, factor: factor.kind, nameless, download };
    await notifyClients(db, { institutions: [asker.iid, sender] }, "share", id);
    return { share: await shown(context, id), secret: link };
  },
  list: async (wish, context) => {
    const { rows, total } = await store.listShares(context.db, context.asker.iid, wish);
    const list = rows.map((row) => shareOf(row, context.asker, context.now));
    return { list, total, next: wish.page * wish.pageSize < total ? String(wish.page + 1) : null };
  },
  log: async ({ id }, { db, asker }) => {
    if (!(await store.findShare(db, asker.iid, id))) refuse("notFound");
    return store.eventsOf(db, id);
  },
  step: async ({ id, action, days }, context) => {
    const row = await movable(context, id, action);
    if (action === "cancel") await move(context, row, { action, state: "cancelled" });
    if (action === "unlock") await move(context, row, { action, state: "active", more: unlocked });
    if (action === "extend") {
      const until = extended(row, days ?? shareRules.usualDays) ?? refuse("shareTooLong");
      await move(context, row, { action, state: "active", more: sql`, expires_at = ${until} ${unlocked}` });
    }
    return shown(context, id);
  },
  renew: async ({ id }, context) => {
    const row = await movable(context, id, "renew");
    const link = newLinkSecret();
    const more = sql`, secret_hash = ${secretHash(link)}, code_hash = null ${unlocked}`;
    await move(context, row, { action: "renew", state: "active", more });
    // Guest sessions that were opened with the old link end.
    await bypassTenantScope(context.db, () =>
      sql`update share_visit set ended_at = now()
        where institution_id = ${row.institution_id} and share_id = ${id} and ended_at is null`.execute(context.db),
    );
    return { share: await shown(context, id), secret: link };
  },
  knock: async ({ secret: given }, context) => {
    const { institution, factor } = await knocked(context, given);
    return { institution, factor };
  },
  sendCode: async ({ secret: given }, context) => {
    await sendShareCode(context, given);
    return { resendAfter: shareRules.codeAgainSeconds };
  },
  open: async ({ secret: given, factor = "" }, context) => ({
    visit: await openShare(context, given, factor),
    minutes: shareRules.visitMinutes,
  }),
  visit: async (_, context) => {
    const visit = guestSessionOf(context);
    const { name, ...zone } = await bypassTenantScope(context.db, () =>
      context.db
        .selectFrom("institution")
        .select(["name", "time_zone", "country"])
        .where("id", "=", visit.house)
        .executeTakeFirstOrThrow(),
    );
    return { ...visit, institution: name, timeZone: zoneOf(zone) };
  },
  leave: async (_, context) => {
    await endVisit(context.db, guestSessionOf(context));
    return null;
  },
});

type Wish = Parsed<typeof shareCalls.create>;

/** Returns the owner of the shared item, and the latest time until which it may be shown. */
async function subjectOf({ db, asker, now }: MemberContext, { kind, id, revisions, nameless }: Wish) {
  if (kind === "study")
    return {
      subject: (await store.studySubject(db, asker.iid, id)) ?? refuse("notFound"),
      latest: null,
      sender: asker.iid,
    };
  const subject =
    (await store.orderSubject(db, asker.iid, id)) ?? (await store.labSubject(db, asker.iid, id)) ?? refuse("notFound");
  if (!subject.mayShare || (subject.creator !== asker.uid && !manages(asker.role))) refuse("notAllowed");
  if (subject.nameHidden && !nameless) refuse("notAllowed");
  const latest = sharedUntil(subject);
  if (latest === null || latest <= now) return refuse("shareOrderClosed");
  if (revisions.some((one) => !subject.revisions.includes(one))) refuse("badInput", { revisions: "choose" });
  return { subject, latest, sender: subject.sender };
}

const unlocked = sql`, failures = 0, failed_at = '{}'`;

/** The second factor for the visitor, from the record as it is now; the codes of an e-mail are created on request. */
function factorOf(share: string, wish: FactorWish, { phone, birthDate }: store.Subject) {
  const given = {
    none: "",
    email: "",
    phone,
    birthDate: birthDate ?? "",
    phrase: wish.kind === "phrase" ? wish.phrase : "",
  };
  const answer = given[wish.kind];
  const isKept = wish.kind !== "none" && wish.kind !== "email";
  if (isKept && answer.replace(/\s/g, "").length < shortest[wish.kind]) refuse("sharePatientLacks");
  return {
    factor: wish.kind,
    factor_hash: isKept ? factorHash(secret(), share, wish.kind, answer) : null,
    email: wish.kind === "email" ? wish.email : null,
  };
}
const shortest = { phone: 4, birthDate: 10, phrase: shareRules.phraseLeast };

async function movable(context: MemberContext, id: string, action: "unlock" | "extend" | "cancel" | "renew") {
  const { db, asker, now } = context;
  const row = (await store.findShare(db, asker.iid, id)) ?? refuse("notFound");
  if (!actionsOf(row, asker, now).includes(action)) refuse("shareActionNotAllowed");
  context.subject = row.thing_id;
  context.detail = { share: id, action, patient: row.institution_id === asker.iid ? row.patient_id : null };
  return row;
}

async function move(
  { db, asker }: MemberContext,
  row: store.ShareRow,
  {
    action,
    state,
    more,
  }: { action: store.NewEvent["what"]; state: store.ShareRow["state"]; more?: ReturnType<typeof sql> },
): Promise<void> {
  if (!(await store.moveShare(db, row, state, more))) refuse("shareActionNotAllowed");
  await store.noteEvent(db, row, { what: action, user: asker.uid });
  await notifyClients(db, { institutions: [row.house_id, row.institution_id] }, "share", row.id);
}

const shown = async ({ db, asker, now }: MemberContext, id: string) =>
  shareOf((await store.findShare(db, asker.iid, id)) ?? refuse("notFound"), asker, now);
