import { sql } from "kysely";
import { roles } from "@arcada/contract/kernel/roles";
import { mayHaveLicence, isRoleOfType, isManagerRole, usualRole } from "@arcada/contract/member/member.lifecycle";
import type { MemberAction } from "@arcada/contract/member/member.lifecycle";
import type { AuthenticatedContext, ActiveMembership } from "../platform/http/request-context.ts";
import { publish } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { applyForMembership, inviteMember, resendInvitation } from "./member.admission.ts";
import { queueMemberEmails } from "./member.emails.ts";
import type { MemberEmail } from "./member.emails.ts";
import { lockInstitutionMembers } from "../domain/lock-members.ts";
import { publishMemberTransition } from "./member.notify.ts";
import { listRecords, hasId } from "./member-records.store.ts";
import { cancelOpenAdmissions, listColleagues, insertMembership, updateRecord } from "./member.store.ts";
import type { MemberRecord } from "./member-records.store.ts";
import { requireAnotherManager, requireManager, openActions } from "./member.permissions.ts";
import { membershipChanged } from "./member.events.ts";

interface TransitionInput {
  action: MemberAction;
  authorityId?: number | undefined;
  version?: number | undefined;
  colleagueId?: string | undefined;
}
interface Transition {
  context: AuthenticatedContext;
  record: MemberRecord;
  given: TransitionInput;
  members: Awaited<ReturnType<typeof listColleagues>>;
}

/** Applies one action to a record that the principal may know of. Returns the id of the record that continues. */
export async function applyMemberAction(
  context: AuthenticatedContext,
  seen: MemberRecord,
  input: TransitionInput,
): Promise<string> {
  const { db, principal } = context;
  await lockInstitutionMembers(db, seen.institution_id);
  const [record = refuse("notFound")] = await listRecords(db, [hasId(seen.id)], { uid: principal.uid });
  if (input.version !== undefined && input.version !== record.version) refuse("memberChanged");
  if (input.action === "accept" && record.late && record.self) refuse("invitationSpent");
  if (!openActions(record, principal).includes(input.action)) refuse("memberActionNotAllowed");
  const members = await listColleagues(db, record.institution_id);
  if (!record.self) requireManager(members, principal.uid);
  const perform = transitionHandlers[input.action] ?? refuse("memberActionNotAllowed");
  return (await perform({ context, record, given: input, members })) ?? refuse("memberChanged");
}

const endNow = { ended_at: sql<string>`now()` };

/** Each returns the id of the record that continues; undefined if another change came first. */
const transitionHandlers: Partial<Record<MemberAction, (act: Transition) => Promise<string | undefined>>> = {
  resend: async ({ context, record }) => {
    if (!(await resendInvitation(context, record))) return undefined;
    await publishMemberTransition(context, { ...describe(record), action: "resend" });
    return record.id;
  },

  accept: async ({ context, record }) => {
    const { db, principal } = context;
    if (!(await updateRecord(db, record, { state: "confirmed", user_id: principal.uid, ...endNow }, principal.uid)))
      return undefined;
    return createMembership(context, record, {
      uid: principal.uid,
      authorityId: record.authority_id,
      action: "accept",
      recipient: "managers",
    });
  },

  decline: async ({ context, record, members }) => {
    const { db, principal } = context;
    if (!(await updateRecord(db, record, { state: "rejected", user_id: principal.uid, ...endNow }, principal.uid)))
      return undefined;
    const inviter = members.find(({ user_id }) => user_id === record.inviter_id)?.user_id;
    await closeRecord(context, record, "decline", "invitationDeclined", inviter);
    return record.id;
  },

  cancelInvitation: (act) => endRecord(act, "cancelled"),
  cancelApplication: (act) => endRecord(act, "cancelled"),

  agree: async ({ context, record, given: input }) => {
    const authorityId = requireFittingRole(record, input.authorityId);
    const { db, principal } = context;
    const uid = record.user_id ?? refuse("notFound");
    if (!(await updateRecord(db, record, { state: "normal", authority_id: authorityId, ...endNow }, principal.uid)))
      return undefined;
    const id = await createMembership(context, record, { uid, authorityId, action: "agree", recipient: { user: uid } });
    await queueMemberEmails(db, "applicationAgreed", [uid], { ...buildNews(record), authorityId });
    return id;
  },

  reject: async ({ context, record }) => {
    const { db, principal } = context;
    if (!(await updateRecord(db, record, { state: "rejected", ...endNow }, principal.uid))) return undefined;
    await closeRecord(context, record, "reject", "applicationRejected", record.user_id ?? undefined);
    return record.id;
  },

  changeRole: async ({ context, record, given: input, members }) => {
    const authorityId = requireFittingRole(record, input.authorityId);
    if (authorityId === record.authority_id) refuse("memberActionNotAllowed");
    if (!isManagerRole(authorityId)) requireAnotherManager(members, record.user_id);
    const { db, principal } = context;
    const licence = mayHaveLicence(authorityId) ? {} : { licence: null };
    if (!(await updateRecord(db, record, { authority_id: authorityId, ...licence }, principal.uid))) return undefined;
    await publishMembershipChange(context, record, { to: authorityId, successor: null });
    await closeRecord(context, record, "changeRole", "roleChanged", record.user_id ?? undefined, authorityId);
    return record.id;
  },

  kickOut: async (act) => {
    if (!(await leaveInstitution(act, "deleted", act.context.principal.uid))) return undefined;
    await closeRecord(act.context, act.record, "kickOut", "memberRemoved", act.record.user_id ?? undefined);
    return act.record.id;
  },

  exit: async (act) => {
    const { context, record, members } = act;
    const others = members.filter(({ user_id }) => user_id !== record.user_id);
    await moveSessionElsewhere(context, record.institution_id);
    if (!(await leaveInstitution(act, "exited", others[0]?.user_id ?? null))) return undefined;
    await publishMemberTransition(context, {
      ...describe(record),
      action: "exit",
      news: { ...buildNews(record), recipient: "managers" },
    });
    const managers = others.filter(({ authority_id }) => isManagerRole(authority_id)).map(({ user_id }) => user_id);
    await queueMemberEmails(context.db, "memberLeft", managers, buildNews(record));
    return record.id;
  },

  return: async ({ context, record, given: input }) => {
    if (record.self) return applyForMembership(context, { iid: record.institution_id });
    const usual = record.authority_id || roles[usualRole(record.type)].authorityId;
    return inviteMember(context, record.institution_id, {
      email: record.address ?? refuse("memberActionNotAllowed"),
      authorityId: input.authorityId ?? usual,
      name: record.name === record.address ? undefined : record.name,
    });
  },
};

const describe = (record: MemberRecord) => ({ id: record.id, iid: record.institution_id, uid: record.user_id });
const buildNews = (record: MemberRecord) => ({ institution: record.institution, person: record.name });

function requireFittingRole(record: MemberRecord, authorityId: number | undefined): number {
  if (authorityId === undefined) return refuse("badInput", { authorityId: "required" });
  if (!isRoleOfType(authorityId, record.type)) refuse("memberRoleUnfit", { authorityId: "memberRoleUnfit" });
  return authorityId;
}

/**
 * M6: the membership begins in the transaction of the agreement; another open invitation or application is no longer
 * needed.
 */
async function createMembership(
  context: AuthenticatedContext,
  record: MemberRecord,
  by: { uid: string; authorityId: number; action: MemberAction; recipient: "managers" | { user: string } },
): Promise<string> {
  const { db, principal } = context;
  const id = await insertMembership(db, {
    iid: record.institution_id,
    uid: by.uid,
    authorityId: by.authorityId,
    by: principal.uid,
  });
  if (!id) return refuse("memberExists");
  await cancelOpenAdmissions(db, record.institution_id, by.uid, principal.uid);
  const person = by.recipient === "managers" ? principal.name : record.name;
  await publishMemberTransition(context, {
    id,
    iid: record.institution_id,
    uid: by.uid,
    action: by.action,
    news: { institution: record.institution, person, recipient: by.recipient },
  });
  return id;
}

async function endRecord(
  { context, record, given: input }: Transition,
  state: "cancelled",
): Promise<string | undefined> {
  if (!(await updateRecord(context.db, record, { state, ...endNow }, context.principal.uid))) return undefined;
  await publishMemberTransition(context, { ...describe(record), action: input.action });
  return record.id;
}

/** Notifies one person of the result, on the site and by e-mail. */
async function closeRecord(
  context: AuthenticatedContext,
  record: MemberRecord,
  action: MemberAction,
  email: MemberEmail,
  to: string | undefined,
  authorityId = record.authority_id,
): Promise<void> {
  await publishMemberTransition(context, {
    ...describe(record),
    action,
    ...(to && { news: { ...buildNews(record), recipient: { user: to } } }),
  });
  if (to) await queueMemberEmails(context.db, email, [to], { ...buildNews(record), authorityId });
}

/** Ends a membership, and passes the open work to the chosen colleague. */
async function leaveInstitution(
  { context, record, given: input, members }: Transition,
  state: "deleted" | "exited",
  usual: string | null,
) {
  requireAnotherManager(members, record.user_id);
  const heir = input.colleagueId ?? usual;
  if (heir === record.user_id || !members.some(({ user_id }) => user_id === heir))
    refuse("colleagueUnfit", { colleagueId: "colleagueUnfit" });
  if (!(await updateRecord(context.db, record, { state, ...endNow }, context.principal.uid))) return false;
  await publishMembershipChange(context, record, { to: null, successor: heir });
  return true;
}

const publishMembershipChange = (
  { db, principal }: AuthenticatedContext,
  record: MemberRecord,
  change: { to: number | null; successor: string | null },
) =>
  publish(db, membershipChanged, {
    institution: record.institution_id,
    user: record.user_id ?? "",
    by: principal.uid,
    ...change,
  });

/** A user who leaves the institution in which they work continues in another of theirs, or in none. */
async function moveSessionElsewhere(context: AuthenticatedContext, iid: string): Promise<void> {
  const { db, principal } = context;
  if (principal.iid !== iid) return;
  const next = await db
    .selectFrom("membership")
    .select(["institution_id", "authority_id"])
    .where("user_id", "=", principal.uid)
    .where("state", "=", "normal")
    .where(sql<boolean>`institution_id is distinct from ${iid}::uuid`)
    .orderBy("joined_at")
    .executeTakeFirst();
  const membership: ActiveMembership = { iid: next?.institution_id ?? null, authorityId: next?.authority_id ?? 0 };
  const { token } = await context.move(membership);
  context.afterCommit.push(async () => void context.reply.header("new-token", token));
}
