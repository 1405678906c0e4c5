import { sql } from "kysely";
import { fitsType, manages, memberRules } from "@arcada/contract/member/member.cycle";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { newSecret, secretHash } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { zoneOfInstitution } from "../domain/institution-time-zone.ts";
import { postInvitation, postNews } from "./member.letters.ts";
import { demandManager } from "./member.ts";
import { spread } from "./member.spread.ts";
import {
  colleagues,
  inTurn,
  insertAdmission,
  institutionBy,
  moveRecord,
  records,
  rejectedLately,
  sentToday,
  sevenDays,
  userWith,
  withId,
} from "./member.store.ts";
import type { MemberRecord } from "./member.store.ts";

/** M1: invites an address. Returns the invitation's id. */
export async function invite(
  context: AuthenticatedContext,
  iid: string,
  input: { email: string; authorityId: number; name?: string | undefined },
): Promise<string> {
  const { db, asker } = context;
  const house = (await institutionBy(db, { iid })) ?? refuse("notFound");
  if (!fitsType(input.authorityId, house.type)) refuse("memberRoleUnfit", { authorityId: "memberRoleUnfit" });
  await inTurn(db, iid);
  const members = await colleagues(db, iid);
  demandManager(members, asker.uid);
  const user = await userWith(db, input.email);
  if (user && members.some(({ user_id }) => user_id === user)) refuse("memberExists", { email: "memberExists" });
  await demandFewLetters(context, iid, input.email);
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
    by: asker.uid,
  });
  if (!id) return refuse("invitationOpen", { email: "invitationOpen" });
  await sendSecret(context, id, secret);
  await spread(context, { id, iid, uid: user ?? null, action: "invite" });
  return id;
}

/** Sends the same invitation again; the previous secret is no longer valid. */
export async function resend(context: AuthenticatedContext, record: MemberRecord): Promise<boolean> {
  await demandFewLetters(context, record.institution_id, record.email ?? "");
  const secret = newSecret();
  const moved = await moveRecord(
    context.db,
    record,
    { secret_hash: secretHash(secret), sent: sql`sent + 1`, sent_at: sql`now()`, expires_at: sevenDays },
    context.asker.uid,
  );
  if (moved) await sendSecret(context, record.id, secret);
  return moved;
}
async function sendSecret({ db, asker }: AuthenticatedContext, id: string, secret: string): Promise<void> {
  const [made] = await records(db, [withId(id)], { uid: asker.uid });
  if (!made?.email || !made.expires_at) return;
  await postInvitation(db, {
    email: made.email,
    name: made.name,
    institution: made.institution,
    authorityId: made.authority_id,
    inviter: asker.uid,
    expiresAt: made.expires_at,
    zone: await zoneOfInstitution(db, made.institution_id),
    secret,
  });
}

async function demandFewLetters({ db }: AuthenticatedContext, iid: string, email: string): Promise<void> {
  const sent = await sentToday(db, { iid, email });
  if (sent.all >= memberRules.invitationsADay || sent.one >= memberRules.invitationsADayToOne) refuse("memberTooMany");
}

/** M7: a user applies for membership. Returns the application's id. */
export async function apply(
  context: AuthenticatedContext,
  input: { iid?: string | undefined; number?: string | undefined; remark?: string | null | undefined },
): Promise<string> {
  const { db, asker } = context;
  const house = (await institutionBy(db, input)) ?? refuse("institutionUnknown", { number: "institutionUnknown" });
  await inTurn(db, house.id);
  const members = await colleagues(db, house.id);
  if (members.some(({ user_id }) => user_id === asker.uid)) refuse("memberExists", { number: "memberExists" });
  if (await rejectedLately(db, house.id, asker.uid))
    refuse("applyAgainLater", { hours: String(memberRules.applyAgainHours) });
  if ((await sentToday(db, { uid: asker.uid })).all >= memberRules.applicationsADay) refuse("memberTooMany");
  const id = await insertAdmission(db, {
    institution_id: house.id,
    kind: "application",
    user_id: asker.uid,
    email: null,
    name: "",
    remark: input.remark ?? null,
    authority_id: 0,
    secret_hash: null,
    by: asker.uid,
  });
  if (!id) return refuse("applicationOpen", { number: "applicationOpen" });
  await spread(context, {
    id,
    iid: house.id,
    uid: asker.uid,
    action: "apply",
    news: { institution: house.name, person: asker.name, tell: "managers" },
  });
  const managers = members.filter(({ authority_id }) => manages(authority_id)).map(({ user_id }) => user_id);
  await postNews(db, "memberApplied", managers, {
    institution: house.name,
    person: asker.name,
    remark: input.remark ?? null,
  });
  return id;
}
