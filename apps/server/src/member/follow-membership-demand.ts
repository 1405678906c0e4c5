import { sql } from "kysely";
import { isManagerRole } from "@arcada/contract/member/member.lifecycle";
import { lockInstitutionMembers } from "../domain/lock-members.ts";
import type { Db } from "../platform/database/database.ts";
import { publish } from "../platform/events/events.ts";
import type { EventData } from "../platform/events/events.ts";
import { sendInvitation } from "./member.admission.ts";
import { queueMemberEmails } from "./member.emails.ts";
import { membershipChanged } from "./member.events.ts";
import type { membershipDemanded, MembershipChange } from "./member.events.ts";
import { publishMemberTransition } from "./member.notify.ts";
import type { MemberActor } from "./member.notify.ts";
import { hasId, inInstitution, isInPart, listRecords } from "./member-records.store.ts";
import {
  cancelOpenAdmissions,
  findUserByEmail,
  insertMembership,
  listColleagues,
  updateRecord,
} from "./member.store.ts";
import type { MemberRecord } from "./member-records.store.ts";
import { requireAnotherManager } from "./member.permissions.ts";

interface Provisioning extends MemberActor {
  iid: string;
  /** The audit log names the source of the demand. */
  detail: { by: string };
}
type ChangeOf<Kind extends MembershipChange["kind"]> = Extract<MembershipChange, { kind: Kind }>;

/** Subscriber: makes the change of a membership that an identity provider demands, by the rules of all others. */
export async function followMembershipDemand(
  db: Db,
  { institution, by, source, address, change }: EventData<typeof membershipDemanded>,
): Promise<void> {
  const provisioning = { db, principal: { uid: by }, address, iid: institution, detail: { by: source } };
  await lockInstitutionMembers(db, institution);
  await changes[change.kind](provisioning, change as never);
}

const changes: { [Kind in MembershipChange["kind"]]: (on: Provisioning, change: ChangeOf<Kind>) => Promise<void> } = {
  admit: async (provisioning, { user, authorityId }) => {
    const { db, principal, iid, detail } = provisioning;
    const id = await insertMembership(db, { iid, uid: user, authorityId, by: principal.uid });
    if (!id) return;
    await cancelOpenAdmissions(db, iid, user, principal.uid);
    await publishMemberTransition(provisioning, { id, iid, uid: user, action: "enter", detail });
  },

  changeRole: async (provisioning, { user, authorityId }) => {
    const { db, principal, iid, detail } = provisioning;
    const record = await findMember(provisioning, user);
    if (!record || record.authority_id === authorityId) return;
    if (!isManagerRole(authorityId)) requireAnotherManager(await listColleagues(db, iid), user);
    await updateRecord(db, record, { authority_id: authorityId }, principal.uid);
    const { id, institution, name: person } = record;
    await publish(db, membershipChanged, {
      institution: iid,
      user,
      by: principal.uid,
      to: authorityId,
      successor: null,
    });
    await publishMemberTransition(provisioning, { id, iid, uid: user, action: "changeRole", detail });
    await queueMemberEmails(db, "roleChanged", [user], { institution, person, authorityId });
  },

  // The manager who has been there longest takes over the open work.
  end: async (provisioning, { user }) => {
    const { db, principal, iid, detail } = provisioning;
    const record = await findMember(provisioning, user);
    if (!record) return;
    const members = await listColleagues(db, iid);
    requireAnotherManager(members, user);
    const successor = members.find(({ user_id }) => user_id !== user)?.user_id ?? null;
    await updateRecord(db, record, { state: "deleted", ...endNow }, principal.uid);
    const { id, institution, name: person } = record;
    await publish(db, membershipChanged, { institution: iid, user, by: principal.uid, to: null, successor });
    await publishMemberTransition(provisioning, { id, iid, uid: user, action: "kickOut", detail });
    await queueMemberEmails(db, "memberRemoved", [user], { institution, person });
  },

  invite: async (provisioning, { email, authorityId, name }) => {
    const { db, iid, detail } = provisioning;
    const isToAddress = sql<boolean>`r.email = ${email}`;
    const [open] = await listRecords(db, [inInstitution(iid), isInPart("invitations"), isToAddress], { uid: null });
    if (open) return;
    const user = await findUserByEmail(db, email);
    await sendInvitation(provisioning, iid, { email, authorityId, name, user, detail });
  },

  changeOffer: async ({ db, principal }, { invitation, authorityId }) => {
    const record = await findOpenInvitation(db, invitation);
    if (record && record.authority_id !== authorityId)
      await updateRecord(db, record, { authority_id: authorityId }, principal.uid);
  },

  cancelInvitation: async (provisioning, { invitation }) => {
    const { db, principal, iid, detail } = provisioning;
    const record = await findOpenInvitation(db, invitation);
    if (!record || !(await updateRecord(db, record, { state: "cancelled", ...endNow }, principal.uid))) return;
    const { id, user_id: uid } = record;
    await publishMemberTransition(provisioning, { id, iid, uid, action: "cancelInvitation", detail });
  },
};

const endNow = { ended_at: sql<string>`now()` };

const findMember = async ({ db, iid }: Provisioning, user: string): Promise<MemberRecord | undefined> =>
  (
    await listRecords(db, [inInstitution(iid), isInPart("members"), sql<boolean>`r.user_id = ${user}`], { uid: null })
  )[0];

async function findOpenInvitation(db: Db, id: string): Promise<MemberRecord | undefined> {
  const [record] = await listRecords(db, [hasId(id)], { uid: null });
  return record?.state === "awaiting_confirmation" ? record : undefined;
}
