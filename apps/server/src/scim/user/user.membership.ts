import { roles } from "@arcada/contract/kernel/roles";
import { isManagerRole, usualRole } from "@arcada/contract/member/member.lifecycle";
import { insertAccountForAddress } from "../../account/account.writes.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { demandChange } from "../scim-context.ts";
import type { ProvisionedInstitution } from "../scim-context.ts";
import { fullName } from "./user.resource.ts";
import {
  findAccount,
  findInvitation,
  findKeyLanguage,
  findUser,
  isAccountTaken,
  isMember,
  linkUser,
} from "./user.store.ts";
import type { UserRow } from "./user.store.ts";

/**
 * Makes the membership follow the identity provider. Only a person whose account was founded for this organisation, or
 * who agreed to it before, becomes a member at once; everybody else who has an account is invited (decision 113).
 * `isActivated`: the identity provider demands the membership now. Any other change admits nobody: a manager may have
 * removed the person here.
 */
export async function followIdentityProvider(
  context: ProvisionedInstitution,
  id: string,
  isActivated: boolean,
): Promise<void> {
  const row = (await findUser(context.db, context.iid, id)) ?? refuse("notFound");
  if (!row.active) return endParticipation(context, row);
  const account = row.account ?? (await findAccount(context.db, row.email));
  if (account === undefined) return foundAccount(context, row);
  if (row.account_id !== account && (row.account !== null || (await isMember(context.db, context.iid, account))))
    await linkAccount(context, row, account);
  const linked = (await findUser(context.db, context.iid, id)) ?? refuse("notFound");
  if (linked.authority !== null || linked.offered !== null) return followGroups(context, linked);
  if (!isActivated) return;
  if (linked.account !== null && linked.ended === "deleted") return admit(context, linked, linked.account);
  return invite(context, linked);
}

/** Ends the membership or the open invitation of a person whom the identity provider deactivated or removed. */
export async function endParticipation(context: ProvisionedInstitution, row: UserRow): Promise<void> {
  if (row.account !== null && row.authority !== null) await demandChange(context, { kind: "end", user: row.account });
  if (row.admission_id !== null && row.offered !== null)
    await demandChange(context, { kind: "cancelInvitation", invitation: row.admission_id });
  await linkUser(context.db, context.iid, row.id, { account_id: row.account, granted_authority: null });
}

async function foundAccount(context: ProvisionedInstitution, row: UserRow): Promise<void> {
  const { db, principal } = context;
  const language = await findKeyLanguage(db, principal.uid);
  const account = { id: newId(), email: row.email, name: fullName(row), language };
  const uid = await bypassTenantScope(db, () => insertAccountForAddress(db, account));
  // Somebody registered with this address in the meantime: as with every account that exists, they are asked.
  if (uid === null) return invite(context, row);
  await linkAccount(context, row, uid);
  await admit(context, row, uid);
}

async function linkAccount({ db, iid }: ProvisionedInstitution, row: UserRow, uid: string): Promise<void> {
  if (await isAccountTaken(db, iid, uid, row.id)) refuse("scimTaken", { attribute: "emails" });
  await linkUser(db, iid, row.id, { account_id: uid });
}

async function admit(context: ProvisionedInstitution, row: UserRow, uid: string): Promise<void> {
  const authority = firstRole(row, defaultRole(context));
  await demandChange(context, { kind: "admit", user: uid, authorityId: authority });
  await linkUser(context.db, context.iid, row.id, { granted_authority: authority });
}

async function invite(context: ProvisionedInstitution, row: UserRow): Promise<void> {
  const authority = firstRole(row, defaultRole(context));
  const name = fullName(row);
  await demandChange(context, { kind: "invite", email: row.email, authorityId: authority, name });
  const admission = await findInvitation(context.db, context.iid, row.email);
  await linkUser(context.db, context.iid, row.id, { admission_id: admission, granted_authority: authority });
}

/** Applies the roles of the person's groups to the membership, or to the open invitation. */
async function followGroups(context: ProvisionedInstitution, row: UserRow): Promise<void> {
  const current = row.authority ?? row.offered ?? defaultRole(context);
  const { authority, granted } = decideRole(row, current, defaultRole(context));
  if (authority !== current) {
    if (row.authority !== null && row.account !== null)
      await demandChange(context, { kind: "changeRole", user: row.account, authorityId: authority });
    else if (row.admission_id !== null)
      await demandChange(context, { kind: "changeOffer", invitation: row.admission_id, authorityId: authority });
  }
  if (granted !== row.granted_authority)
    await linkUser(context.db, context.iid, row.id, { granted_authority: granted });
}

/** Returns the role that a person begins with. It is the provider's, so that a group that comes later may replace it. */
const firstRole = ({ grants }: Pick<UserRow, "grants">, usual: number): number =>
  grants.find(isManagerRole) ?? grants[0] ?? usual;

/**
 * Returns the role that follows from the groups. Groups raise a role, and take back only what they gave: a role that
 * people chose stays.
 * @param current the role now
 * @param usual the role of a member without any group
 */
function decideRole(
  { grants, granted_authority: granted }: Pick<UserRow, "grants" | "granted_authority">,
  current: number,
  usual = current,
): { authority: number; granted: number | null } {
  const wanted = grants.find(isManagerRole) ?? grants[0] ?? null;
  const isOwn = granted !== null && granted === current;
  if (wanted === null) return { authority: isOwn ? usual : current, granted: isOwn ? usual : null };
  if (wanted === current) return { authority: current, granted: isOwn ? granted : null };
  if (isManagerRole(wanted) || isOwn) return { authority: wanted, granted: wanted };
  return { authority: current, granted: null };
}

/** True if `followIdentityProvider` has something to do after a change of groups. */
export function isRoleOutdated(row: UserRow, { type }: Pick<ProvisionedInstitution, "type">): boolean {
  const usual = roles[usualRole(type)].authorityId;
  const current = row.authority ?? row.offered;
  if (!row.active || current === null) return false;
  const { authority, granted } = decideRole(row, current, usual);
  return authority !== current || granted !== row.granted_authority;
}

const defaultRole = ({ type }: ProvisionedInstitution): number => roles[usualRole(type)].authorityId;
