import { sql } from "kysely";
import { isManagerRole } from "@arcada/contract/member/member.lifecycle";
import { publish } from "../platform/events/events.ts";
import type { Row } from "../tables/row.ts";
import { sendInvitation } from "./member.admission.ts";
import { queueMemberEmails } from "./member.emails.ts";
import { membershipChanged } from "./member.events.ts";
import { publishMemberTransition } from "./member.notify.ts";
import type { MemberActor } from "./member.notify.ts";
import {
  cancelOpenAdmissions,
  findUserByEmail,
  hasId,
  inInstitution,
  insertMembership,
  isInPart,
  listColleagues,
  listRecords,
  lockInstitutionMembers,
  updateRecord,
} from "./member.store.ts";
import type { MemberRecord } from "./member.store.ts";
import { requireAnotherManager } from "./member.ts";

// Memberships that follow an identity provider: by SCIM, or by the groups of a sign-in. Each function writes the audit
// log and takes the lock of the institution's members.

export { lockInstitutionMembers };

/** Whoever acts, with a word of it for the audit log. */
export interface Provisioner extends MemberActor {
  by: "scim" | "identityProvider";
}
interface Member {
  iid: string;
  uid: string;
}

/** Makes a user a member at once. The caller has decided that this needs no agreement of theirs. */
export async function admitMember(
  actor: Provisioner,
  { iid, uid, authorityId }: Member & { authorityId: number },
): Promise<void> {
  const { db, principal, by } = actor;
  await lockInstitutionMembers(db, iid);
  const id = await insertMembership(db, { iid, uid, authorityId, by: principal.uid });
  if (!id) return;
  await cancelOpenAdmissions(db, iid, uid, principal.uid);
  await publishMemberTransition(actor, { id, iid, uid, action: "enter", detail: { by } });
}

/** Changes a member's role; refuses to take the role of the last manager. */
export async function changeMemberRole(
  actor: Provisioner,
  { iid, uid, authorityId }: Member & { authorityId: number },
): Promise<void> {
  const { db, principal, by } = actor;
  await lockInstitutionMembers(db, iid);
  const record = await findMember(actor, { iid, uid });
  if (!record || record.authority_id === authorityId) return;
  if (!isManagerRole(authorityId)) requireAnotherManager(await listColleagues(db, iid), uid);
  await updateRecord(db, record, { authority_id: authorityId }, principal.uid);
  await publish(db, membershipChanged, {
    institution: iid,
    user: uid,
    by: principal.uid,
    to: authorityId,
    successor: null,
  });
  await publishMemberTransition(actor, { id: record.id, iid, uid, action: "changeRole", detail: { by } });
  await queueMemberEmails(db, "roleChanged", [uid], {
    institution: record.institution,
    person: record.name,
    authorityId,
  });
}

/**
 * Ends a membership; the sessions in the institution end in the same transaction. The manager who has been there
 * longest takes over the open work. Refuses to remove the last manager.
 */
export async function endMembership(actor: Provisioner, { iid, uid }: Member): Promise<void> {
  const { db, principal, by } = actor;
  await lockInstitutionMembers(db, iid);
  const record = await findMember(actor, { iid, uid });
  if (!record) return;
  const members = await listColleagues(db, iid);
  requireAnotherManager(members, uid);
  const successor = members.find(({ user_id }) => user_id !== uid)?.user_id ?? null;
  await updateRecord(db, record, { state: "deleted", ended_at: sql<string>`now()` }, principal.uid);
  await publish(db, membershipChanged, { institution: iid, user: uid, by: principal.uid, to: null, successor });
  await publishMemberTransition(actor, { id: record.id, iid, uid, action: "kickOut", detail: { by } });
  await queueMemberEmails(db, "memberRemoved", [uid], { institution: record.institution, person: record.name });
}

/** Invites an address, or returns the invitation to it that is open already. */
export async function inviteAddress(
  actor: Provisioner,
  iid: string,
  invitation: { email: string; authorityId: number; name: string },
): Promise<string> {
  const { db, by } = actor;
  await lockInstitutionMembers(db, iid);
  const open = sql<boolean>`r.email = ${invitation.email}`;
  const [known] = await listRecords(db, [inInstitution(iid), isInPart("invitations"), open], { uid: null });
  if (known) return known.id;
  const user = await findUserByEmail(db, invitation.email);
  const id = await sendInvitation(actor, iid, { ...invitation, user, detail: { by } });
  if (!id) throw new Error("an invitation was open under the lock of the institution's members");
  return id;
}

/** Changes the role that an open invitation offers. */
export async function changeInvitedRole(actor: Provisioner, id: string, authorityId: number): Promise<void> {
  const [record] = await listRecords(actor.db, [hasId(id)], { uid: null });
  if (record?.state !== "awaiting_confirmation" || record.authority_id === authorityId) return;
  await updateRecord(actor.db, record, { authority_id: authorityId }, actor.principal.uid);
}

export async function cancelInvitation(actor: Provisioner, id: string): Promise<void> {
  const { db, principal, by } = actor;
  const [record] = await listRecords(db, [hasId(id)], { uid: null });
  if (record?.state !== "awaiting_confirmation") return;
  const end = { state: "cancelled" as const, ended_at: sql<string>`now()` };
  if (!(await updateRecord(db, record, end, principal.uid))) return;
  await publishMemberTransition(actor, {
    id,
    iid: record.institution_id,
    uid: record.user_id,
    action: "cancelInvitation",
    detail: { by },
  });
}

const findMember = async ({ db }: Provisioner, { iid, uid }: Member): Promise<MemberRecord | undefined> =>
  (
    await listRecords(db, [inInstitution(iid), isInPart("members"), sql<boolean>`r.user_id = ${uid}`], { uid: null })
  )[0];

type Grant = Row<"provider_grant", "institution_id" | "authority_id" | "joined">;
/** Returns what the groups of an identity provider gave a user so far. */
export const listGrants = (actor: Provisioner, uid: string, issuer: string): Promise<Grant[]> =>
  actor.db
    .selectFrom("provider_grant")
    .select(["institution_id", "authority_id", "joined"])
    .where("user_id", "=", uid)
    .where("issuer", "=", issuer)
    .execute();
export const saveGrant = (
  actor: Provisioner,
  grant: { iid: string; uid: string; issuer: string; authorityId: number; joined: boolean },
) =>
  actor.db
    .insertInto("provider_grant")
    .values({
      institution_id: grant.iid,
      user_id: grant.uid,
      issuer: grant.issuer,
      authority_id: grant.authorityId,
      joined: grant.joined,
    })
    .onConflict((conflict) =>
      conflict.columns(["institution_id", "user_id", "issuer"]).doUpdateSet({ authority_id: grant.authorityId }),
    )
    .execute();
export const deleteGrant = (actor: Provisioner, { iid, uid }: Member, issuer: string) =>
  actor.db
    .deleteFrom("provider_grant")
    .where("institution_id", "=", iid)
    .where("user_id", "=", uid)
    .where("issuer", "=", issuer)
    .execute();
