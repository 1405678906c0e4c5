import { sql } from "kysely";
import { isRoleOfType, isManagerRole, memberRules } from "@arcada/contract/member/member.lifecycle";
import type { invitedAccountCreated } from "../account/account.events.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { EventData } from "../platform/events/events.ts";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { newSecret, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { readInstitutionZone } from "../domain/institution-time-zone.ts";
import { queueInvitationEmail, queueMemberEmails } from "./member.emails.ts";
import { requireManager } from "./member.permissions.ts";
import { lockInstitutionMembers } from "../domain/lock-members.ts";
import { publishMemberTransition } from "./member.notify.ts";
import type { MemberActor } from "./member.notify.ts";
import { listRecords, hasId } from "./member-records.store.ts";
import {
  cancelOpenAdmissions,
  insertMembership,
  listColleagues,
  insertAdmission,
  findInstitution,
  updateRecord,
  wasRejectedRecently,
  countSentToday,
  invitationExpiry,
  findUserByEmail,
} from "./member.store.ts";
import type { MemberRecord } from "./member-records.store.ts";

/** M1: invites an address. Returns the invitation's id. */
export async function inviteMember(
  context: AuthenticatedContext,
  iid: string,
  input: { email: string; authorityId: number; name?: string | undefined },
): Promise<string> {
  const { db, principal } = context;
  const institution = (await findInstitution(db, { iid })) ?? refuse("notFound");
  if (!isRoleOfType(input.authorityId, institution.type)) refuse("memberRoleUnfit", { authorityId: "memberRoleUnfit" });
  await lockInstitutionMembers(db, iid);
  const members = await listColleagues(db, iid);
  requireManager(members, principal.uid);
  const user = await findUserByEmail(db, input.email);
  if (user && members.some(({ user_id }) => user_id === user)) refuse("memberExists", { email: "memberExists" });
  return (
    (await sendInvitation(context, iid, { ...input, user })) ?? refuse("invitationOpen", { email: "invitationOpen" })
  );
}

interface NewInvitation {
  email: string;
  authorityId: number;
  name?: string | undefined;
  /** The user who has this address, if anybody has. */
  user: string | undefined;
  /** More for the audit log. */
  detail?: Record<string, unknown>;
}
/** Writes the invitation and sends its email. Returns undefined if this address has an open invitation already. */
export async function sendInvitation(
  actor: MemberActor,
  iid: string,
  input: NewInvitation,
): Promise<string | undefined> {
  const { db, principal } = actor;
  await requireInvitationsLeft(actor, iid, input.email);
  const secret = newSecret();
  const id = await insertAdmission(db, {
    institution_id: iid,
    kind: "invitation",
    user_id: null,
    email: input.email,
    name: input.name ?? "",
    remark: null,
    authority_id: input.authorityId,
    secret_hash: secretHash(secret),
    by: principal.uid,
  });
  if (!id) return undefined;
  await emailInvitation(actor, id, secret);
  await publishMemberTransition(actor, {
    id,
    iid,
    uid: input.user ?? null,
    action: "invite",
    ...(input.detail && { detail: input.detail }),
  });
  return id;
}

/** Sends the same invitation again; the previous secret is no longer valid. */
export async function resendInvitation(context: AuthenticatedContext, record: MemberRecord): Promise<boolean> {
  await requireInvitationsLeft(context, record.institution_id, record.email ?? "");
  const secret = newSecret();
  const moved = await updateRecord(
    context.db,
    record,
    { secret_hash: secretHash(secret), sent: sql`sent + 1`, sent_at: sql`now()`, expires_at: invitationExpiry },
    context.principal.uid,
  );
  if (moved) await emailInvitation(context, record.id, secret);
  return moved;
}
async function emailInvitation({ db, principal }: MemberActor, id: string, secret: string): Promise<void> {
  const [made] = await listRecords(db, [hasId(id)], { uid: principal.uid });
  if (!made?.email || !made.expires_at) return;
  await queueInvitationEmail(db, {
    email: made.email,
    name: made.name,
    institution: made.institution,
    authorityId: made.authority_id,
    inviter: principal.uid,
    expiresAt: made.expires_at,
    zone: await readInstitutionZone(db, made.institution_id),
    secret,
  });
}

async function requireInvitationsLeft({ db }: MemberActor, iid: string, email: string): Promise<void> {
  const sent = await countSentToday(db, { iid, email });
  if (sent.all >= memberRules.maxInvitationsPerDay || sent.one >= memberRules.maxInvitationsPerDayAndAddress)
    refuse("memberTooMany");
}

/** M7: a user applies for membership. Returns the application's id. */
export async function applyForMembership(
  context: AuthenticatedContext,
  input: { iid?: string | undefined; number?: string | undefined; remark?: string | null | undefined },
): Promise<string> {
  const { db, principal } = context;
  const institution =
    (await findInstitution(db, input)) ?? refuse("institutionUnknown", { number: "institutionUnknown" });
  await lockInstitutionMembers(db, institution.id);
  const members = await listColleagues(db, institution.id);
  if (members.some(({ user_id }) => user_id === principal.uid)) refuse("memberExists", { number: "memberExists" });
  if (await wasRejectedRecently(db, institution.id, principal.uid))
    refuse("applyAgainLater", { hours: String(memberRules.applyAgainHours) });
  if ((await countSentToday(db, { uid: principal.uid })).all >= memberRules.maxApplicationsPerDay)
    refuse("memberTooMany");
  const id = await insertAdmission(db, {
    institution_id: institution.id,
    kind: "application",
    user_id: principal.uid,
    email: null,
    name: "",
    remark: input.remark ?? null,
    authority_id: 0,
    secret_hash: null,
    by: principal.uid,
  });
  if (!id) return refuse("applicationOpen", { number: "applicationOpen" });
  await publishMemberTransition(context, {
    id,
    iid: institution.id,
    uid: principal.uid,
    action: "apply",
    news: { institution: institution.name, person: principal.name, recipient: "managers" },
  });
  const managers = members.filter(({ authority_id }) => isManagerRole(authority_id)).map(({ user_id }) => user_id);
  await queueMemberEmails(db, "memberApplied", managers, {
    institution: institution.name,
    person: principal.name,
    remark: input.remark ?? null,
  });
  return id;
}

/** Subscriber: accepts the invitation with whose secret an account was made (M2 and M6). */
export async function acceptInvitationOfNewAccount(
  db: Db,
  { user, invitation, address }: EventData<typeof invitedAccountCreated>,
): Promise<void> {
  const [seen = refuse("invitationSpent")] = await listRecords(db, [hasId(invitation)], { uid: null });
  await lockInstitutionMembers(db, seen.institution_id);
  const [record = refuse("invitationSpent")] = await listRecords(db, [hasId(invitation)], { uid: null });
  if (record.state !== "awaiting_confirmation" || record.late) return refuse("invitationSpent");
  const { institution_id: iid, institution, authority_id: authorityId } = record;
  const answered = { state: "confirmed" as const, user_id: user, ended_at: sql<string>`now()` };
  if (!(await updateRecord(db, record, answered, user))) refuse("invitationSpent");
  const id = (await insertMembership(db, { iid, uid: user, authorityId, by: user })) ?? refuse("memberExists");
  await cancelOpenAdmissions(db, iid, user, user);
  const { nick_name: person } = await bypassTenantScope(db, () =>
    db.selectFrom("users").select("nick_name").where("id", "=", user).executeTakeFirstOrThrow(),
  );
  await publishMemberTransition(
    { db, principal: { uid: user }, address },
    { id, iid, uid: user, action: "accept", news: { institution, person, recipient: "managers" } },
  );
}
