import { sql } from "kysely";
import { roles } from "@arcada/contract/kernel/roles";
import { fitsType, manages, rolesOf } from "@arcada/contract/member/member.cycle";
import type { MemberAction } from "@arcada/contract/member/member.cycle";
import type { AuthenticatedContext, ActiveMembership } from "../platform/http/request-context.ts";
import { tell } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { apply, invite, resend } from "./member.begin.ts";
import { postNews } from "./member.letters.ts";
import type { MemberLetter } from "./member.letters.ts";
import { spread } from "./member.spread.ts";
import { closeOther, colleagues, inTurn, insertMembership, moveRecord, records, withId } from "./member.store.ts";
import type { MemberRecord } from "./member.store.ts";
import { demandAnotherManager, demandManager, openActions } from "./member.ts";

interface Given {
  action: MemberAction;
  authorityId?: number | undefined;
  version?: number | undefined;
  colleagueId?: string | undefined;
}
interface Act {
  context: AuthenticatedContext;
  record: MemberRecord;
  given: Given;
  members: Awaited<ReturnType<typeof colleagues>>;
}

/** Applies one action to a record that the asker may know of. Returns the id of the record that continues. */
export async function move(context: AuthenticatedContext, seen: MemberRecord, given: Given): Promise<string> {
  const { db, asker } = context;
  await inTurn(db, seen.institution_id);
  const [record = refuse("notFound")] = await records(db, [withId(seen.id)], { uid: asker.uid });
  if (given.version !== undefined && given.version !== record.version) refuse("memberChanged");
  if (given.action === "accept" && record.late && record.self) refuse("invitationSpent");
  if (!openActions(record, asker).includes(given.action)) refuse("memberActionNotAllowed");
  const members = await colleagues(db, record.institution_id);
  if (!record.self) demandManager(members, asker.uid);
  const perform = performers[given.action] ?? refuse("memberActionNotAllowed");
  return (await perform({ context, record, given, members })) ?? refuse("memberChanged");
}

const ended = { ended_at: sql<string>`now()` };

/** Each returns the id of the record that continues; undefined if another change came first. */
const performers: Partial<Record<MemberAction, (act: Act) => Promise<string | undefined>>> = {
  resend: async ({ context, record }) => {
    if (!(await resend(context, record))) return undefined;
    await spread(context, { ...about(record), action: "resend" });
    return record.id;
  },

  accept: async ({ context, record }) => {
    const { db, asker } = context;
    if (!(await moveRecord(db, record, { state: "confirmed", user_id: asker.uid, ...ended }, asker.uid)))
      return undefined;
    return enter(context, record, {
      uid: asker.uid,
      authorityId: record.authority_id,
      action: "accept",
      tell: "managers",
    });
  },

  decline: async ({ context, record, members }) => {
    const { db, asker } = context;
    if (!(await moveRecord(db, record, { state: "rejected", user_id: asker.uid, ...ended }, asker.uid)))
      return undefined;
    const inviter = members.find(({ user_id }) => user_id === record.inviter_id)?.user_id;
    await close(context, record, "decline", "invitationDeclined", inviter);
    return record.id;
  },

  cancelInvitation: (act) => end(act, "cancelled"),
  cancelApplication: (act) => end(act, "cancelled"),

  agree: async ({ context, record, given }) => {
    const authorityId = fittingRole(record, given.authorityId);
    const { db, asker } = context;
    const uid = record.user_id ?? refuse("notFound");
    if (!(await moveRecord(db, record, { state: "normal", authority_id: authorityId, ...ended }, asker.uid)))
      return undefined;
    const id = await enter(context, record, { uid, authorityId, action: "agree", tell: { user: uid } });
    await postNews(db, "applicationAgreed", [uid], { ...newsOf(record), authorityId });
    return id;
  },

  reject: async ({ context, record }) => {
    const { db, asker } = context;
    if (!(await moveRecord(db, record, { state: "rejected", ...ended }, asker.uid))) return undefined;
    await close(context, record, "reject", "applicationRejected", record.user_id ?? undefined);
    return record.id;
  },

  changeRole: async ({ context, record, given, members }) => {
    const authorityId = fittingRole(record, given.authorityId);
    if (authorityId === record.authority_id) refuse("memberActionNotAllowed");
    if (!manages(authorityId)) demandAnotherManager(members, record.user_id);
    const { db, asker } = context;
    if (!(await moveRecord(db, record, { authority_id: authorityId }, asker.uid))) return undefined;
    await tellPlace(context, record, { to: authorityId, heir: null });
    await close(context, record, "changeRole", "roleChanged", record.user_id ?? undefined, authorityId);
    return record.id;
  },

  kickOut: async (act) => {
    if (!(await leave(act, "deleted", act.context.asker.uid))) return undefined;
    await close(act.context, act.record, "kickOut", "memberRemoved", act.record.user_id ?? undefined);
    return act.record.id;
  },

  exit: async (act) => {
    const { context, record, members } = act;
    const others = members.filter(({ user_id }) => user_id !== record.user_id);
    await goElsewhere(context, record.institution_id);
    if (!(await leave(act, "exited", others[0]?.user_id ?? null))) return undefined;
    await spread(context, { ...about(record), action: "exit", news: { ...newsOf(record), tell: "managers" } });
    const managers = others.filter(({ authority_id }) => manages(authority_id)).map(({ user_id }) => user_id);
    await postNews(context.db, "memberLeft", managers, newsOf(record));
    return record.id;
  },

  return: async ({ context, record, given }) => {
    if (record.self) return apply(context, { iid: record.institution_id });
    const usual = record.authority_id || roles[rolesOf[record.type][1]].authorityId;
    return invite(context, record.institution_id, {
      email: record.address ?? refuse("memberActionNotAllowed"),
      authorityId: given.authorityId ?? usual,
      name: record.name === record.address ? undefined : record.name,
    });
  },
};

const about = (record: MemberRecord) => ({ id: record.id, iid: record.institution_id, uid: record.user_id });
const newsOf = (record: MemberRecord) => ({ institution: record.institution, person: record.name });

function fittingRole(record: MemberRecord, authorityId: number | undefined): number {
  if (authorityId === undefined) return refuse("badInput", { authorityId: "required" });
  if (!fitsType(authorityId, record.type)) refuse("memberRoleUnfit", { authorityId: "memberRoleUnfit" });
  return authorityId;
}

/**
 * M6: the membership begins in the transaction of the agreement; another open invitation or application is no longer
 * needed.
 */
async function enter(
  context: AuthenticatedContext,
  record: MemberRecord,
  by: { uid: string; authorityId: number; action: MemberAction; tell: "managers" | { user: string } },
): Promise<string> {
  const { db, asker } = context;
  const id = await insertMembership(db, {
    iid: record.institution_id,
    uid: by.uid,
    authorityId: by.authorityId,
    by: asker.uid,
  });
  if (!id) return refuse("memberExists");
  await closeOther(db, record.institution_id, by.uid, asker.uid);
  const person = by.tell === "managers" ? asker.name : record.name;
  await spread(context, {
    id,
    iid: record.institution_id,
    uid: by.uid,
    action: by.action,
    news: { institution: record.institution, person, tell: by.tell },
  });
  return id;
}

async function end({ context, record, given }: Act, state: "cancelled"): Promise<string | undefined> {
  if (!(await moveRecord(context.db, record, { state, ...ended }, context.asker.uid))) return undefined;
  await spread(context, { ...about(record), action: given.action });
  return record.id;
}

/** Notifies one person of the result, on the site and by e-mail. */
async function close(
  context: AuthenticatedContext,
  record: MemberRecord,
  action: MemberAction,
  letter: MemberLetter,
  to: string | undefined,
  authorityId = record.authority_id,
): Promise<void> {
  await spread(context, { ...about(record), action, ...(to && { news: { ...newsOf(record), tell: { user: to } } }) });
  if (to) await postNews(context.db, letter, [to], { ...newsOf(record), authorityId });
}

/** Ends a membership, and passes the open work to the chosen colleague. */
async function leave({ context, record, given, members }: Act, state: "deleted" | "exited", usual: string | null) {
  demandAnotherManager(members, record.user_id);
  const heir = given.colleagueId ?? usual;
  if (heir === record.user_id || !members.some(({ user_id }) => user_id === heir))
    refuse("colleagueUnfit", { colleagueId: "colleagueUnfit" });
  if (!(await moveRecord(context.db, record, { state, ...ended }, context.asker.uid))) return false;
  await tellPlace(context, record, { to: null, heir });
  return true;
}

const tellPlace = (
  { db, asker }: AuthenticatedContext,
  record: MemberRecord,
  change: { to: number | null; heir: string | null },
) =>
  tell(db, {
    name: "membershipChanged",
    institution: record.institution_id,
    user: record.user_id ?? "",
    by: asker.uid,
    ...change,
  });

/** A user who leaves the institution in which they work continues in another of theirs, or in none. */
async function goElsewhere(context: AuthenticatedContext, iid: string): Promise<void> {
  const { db, asker } = context;
  if (asker.iid !== iid) return;
  const next = await db
    .selectFrom("membership")
    .select(["institution_id", "authority_id"])
    .where("user_id", "=", asker.uid)
    .where("state", "=", "normal")
    .where(sql<boolean>`institution_id is distinct from ${iid}::uuid`)
    .orderBy("joined_at")
    .executeTakeFirst();
  const place: ActiveMembership = { iid: next?.institution_id ?? null, authorityId: next?.authority_id ?? 0 };
  const { token } = await context.move(place);
  context.afterCommit.push(async () => void context.reply.header("new-token", token));
}
