import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { sharingEnd } from "@arcada/contract/order/receiver-rights";
import { shareCalls, type ShareFactorInput } from "@arcada/contract/share/share.calls";
import { shareRules } from "@arcada/contract/share/share.rules";
import { requireGuestSession, type MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { newId, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { secret } from "../platform/runtime/services.ts";
import { resolveZone } from "../domain/institution-time-zone.ts";
import { requireOpenShare, openShare, sendShareCode } from "./share.open.ts";
import { openActions, isManager, toShare } from "./share.view.ts";
import { calculateExpiry, extendExpiry } from "./share.end.ts";
import { hashFactor, createLinkSecret } from "./share-secrets.ts";
import * as store from "./share.store.ts";
import { endGuestSession } from "./guest-session.ts";

export const shareRoutes = routes(shareCalls, {
  create: async (input, context) => {
    const { db, principal, now } = context;
    const { kind, id: thingId, label, nameless, factor } = input;
    const { subject, latest, sender } = await requireSubject(context, input);
    // For an order, the link alone opens the models, never images or the patient's identity.
    if (factor.kind === "none" && (!nameless || (kind === "order" && input.pictures))) refuse("shareFactorNeeded");
    // The label is used in e-mails, and above images that name nobody.
    if (subject.patientName !== "" && label.includes(subject.patientName))
      refuse("badInput", { label: "namesPatient" });
    const [id, link] = [newId(), createLinkSecret()];
    const row = { institution_id: sender, id };
    await store.insertShare(db, {
      ...row,
      house_id: principal.iid,
      kind,
      thing_id: thingId,
      patient_id: subject.patientId,
      label,
      secret_hash: secretHash(link),
      ...buildFactor(id, factor, subject),
      nameless,
      may_download: input.allowDownload,
      pictures: kind === "order" && input.pictures,
      revisions: kind === "order" ? input.revisions : [],
      created_by: principal.uid,
      expires_at: calculateExpiry(input.days, latest, now),
    });
    await store.insertEvent(db, row, { what: "create", user: principal.uid });
    const [patient, download] = [sender === principal.iid ? subject.patientId : null, input.allowDownload];
    context.detail = { share: id, patient, factor: factor.kind, nameless, download };
    await notifyClients(db, { institutions: [principal.iid, sender] }, "share", id);
    return { share: await loadShare(context, id), secret: link };
  },
  list: async (input, context) => {
    const { rows, total } = await store.listShares(context.db, context.principal.iid, input);
    const list = rows.map((row) => toShare(row, context.principal, context.now));
    return { list, total, next: input.page * input.pageSize < total ? String(input.page + 1) : null };
  },
  log: async ({ id }, { db, principal }) => {
    if (!(await store.findShare(db, principal.iid, id))) refuse("notFound");
    return store.listEvents(db, id);
  },
  step: async ({ id, action, days }, context) => {
    const row = await requireShareForAction(context, id, action);
    if (action === "cancel") await applyTransition(context, row, { action, state: "cancelled" });
    if (action === "unlock") await applyTransition(context, row, { action, state: "active", more: unlockColumns });
    if (action === "extend") {
      const until = extendExpiry(row, days ?? shareRules.defaultDays) ?? refuse("shareTooLong");
      await applyTransition(context, row, {
        action,
        state: "active",
        more: sql`, expires_at = ${until} ${unlockColumns}`,
      });
    }
    return loadShare(context, id);
  },
  renew: async ({ id }, context) => {
    const row = await requireShareForAction(context, id, "renew");
    const link = createLinkSecret();
    const more = sql`, secret_hash = ${secretHash(link)}, code_hash = null ${unlockColumns}`;
    await applyTransition(context, row, { action: "renew", state: "active", more });
    // Guest sessions that were opened with the old link end.
    await bypassTenantScope(context.db, () =>
      sql`update share_visit set ended_at = now()
        where institution_id = ${row.institution_id} and share_id = ${id} and ended_at is null`.execute(context.db),
    );
    return { share: await loadShare(context, id), secret: link };
  },
  knock: async ({ secret: given }, context) => {
    const { institution, factor } = await requireOpenShare(context, given);
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
    const visit = requireGuestSession(context);
    const { name, ...zone } = await bypassTenantScope(context.db, () =>
      context.db
        .selectFrom("institution")
        .select(["name", "time_zone", "country"])
        .where("id", "=", visit.sharedBy)
        .executeTakeFirstOrThrow(),
    );
    return { ...visit, nameless: visit.isDeidentified, institution: name, timeZone: resolveZone(zone) };
  },
  leave: async (_, context) => {
    await endGuestSession(context.db, requireGuestSession(context));
    return null;
  },
});

type Input = Parsed<typeof shareCalls.create>;

/** Returns the owner of the shared item, and the latest time until which it may be shown. */
async function requireSubject({ db, principal, now }: MemberContext, { kind, id, revisions, nameless }: Input) {
  if (kind === "study")
    return {
      subject: (await store.findStudySubject(db, principal.iid, id)) ?? refuse("notFound"),
      latest: null,
      sender: principal.iid,
    };
  const subject =
    (await store.findOrderSubject(db, principal.iid, id)) ??
    (await store.findLabSubject(db, principal.iid, id)) ??
    refuse("notFound");
  if (!subject.mayShare || (subject.creator !== principal.uid && !isManager(principal.role))) refuse("notAllowed");
  if (subject.nameHidden && !nameless) refuse("notAllowed");
  const latest = sharingEnd(subject);
  if (latest === null || latest <= now) return refuse("shareOrderClosed");
  if (revisions.some((one) => !subject.revisions.includes(one))) refuse("badInput", { revisions: "choose" });
  return { subject, latest, sender: subject.sender };
}

const unlockColumns = sql`, failures = 0, failed_at = '{}'`;

/** The second factor for the visitor, from the record as it is now; the codes of an e-mail are created on request. */
function buildFactor(share: string, input: ShareFactorInput, { phone, birthDate }: store.ShareSubject) {
  const given = {
    none: "",
    email: "",
    phone,
    birthDate: birthDate ?? "",
    phrase: input.kind === "phrase" ? input.phrase : "",
  };
  const answer = given[input.kind];
  const isKept = input.kind !== "none" && input.kind !== "email";
  if (isKept && answer.replace(/\s/g, "").length < minAnswerLengths[input.kind]) refuse("sharePatientLacks");
  return {
    factor: input.kind,
    factor_hash: isKept ? hashFactor(secret(), share, input.kind, answer) : null,
    email: input.kind === "email" ? input.email : null,
  };
}
const minAnswerLengths = { phone: 4, birthDate: 10, phrase: shareRules.minPhraseLength };

async function requireShareForAction(
  context: MemberContext,
  id: string,
  action: "unlock" | "extend" | "cancel" | "renew",
) {
  const { db, principal, now } = context;
  const row = (await store.findShare(db, principal.iid, id)) ?? refuse("notFound");
  if (!openActions(row, principal, now).includes(action)) refuse("shareActionNotAllowed");
  context.subject = row.thing_id;
  context.detail = { share: id, action, patient: row.institution_id === principal.iid ? row.patient_id : null };
  return row;
}

async function applyTransition(
  { db, principal }: MemberContext,
  row: store.ShareRow,
  {
    action,
    state,
    more,
  }: { action: store.NewShareEvent["what"]; state: store.ShareRow["state"]; more?: ReturnType<typeof sql> },
): Promise<void> {
  if (!(await store.transitionShare(db, row, state, more))) refuse("shareActionNotAllowed");
  await store.insertEvent(db, row, { what: action, user: principal.uid });
  await notifyClients(db, { institutions: [row.house_id, row.institution_id] }, "share", row.id);
}

const loadShare = async ({ db, principal, now }: MemberContext, id: string) =>
  toShare((await store.findShare(db, principal.iid, id)) ?? refuse("notFound"), principal, now);
