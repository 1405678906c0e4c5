import { roles } from "@arcada/contract/kernel/roles";
import { isManagerRole, isRoleOfType, rolesByType } from "@arcada/contract/member/member.lifecycle";
import {
  admitMember,
  changeMemberRole,
  deleteGrant,
  endMembership,
  listGrants,
  lockInstitutionMembers,
  saveGrant,
} from "../../member/provisioning.writes.ts";
import type { Provisioner } from "../../member/provisioning.writes.ts";
import { Refused } from "../../platform/http/refuse.ts";
import type { Provider } from "../../platform/runtime/config.ts";
import type { ProviderIdentity } from "./openid-client.ts";

type Grant = Awaited<ReturnType<typeof listGrants>>[number];
interface GroupSignIn {
  actor: Provisioner;
  uid: string;
  issuer: string;
}

/**
 * Makes the memberships of a user follow the groups of the identity provider, at a sign-in. It adds memberships and
 * raises roles, and takes back only what the groups of the same provider gave. It gives no role of the platform, and
 * the last manager of an organisation stays. The operator decides by the configuration which groups count.
 */
export async function followProviderGroups(
  actor: Provisioner,
  provider: Provider,
  { issuer, groups }: Pick<ProviderIdentity, "issuer" | "groups">,
): Promise<void> {
  if (groups === null) return;
  const { uid } = actor.principal;
  const signIn: GroupSignIn = { actor, uid, issuer };
  const wanted = wantedRoles(provider, groups);
  const institutions = await findInstitutions(actor, [...wanted.keys()]);
  const grants = new Map((await listGrants(actor, uid, issuer)).map((grant) => [grant.institution_id, grant]));
  const granted = institutions.filter(({ number, type }) => isRoleOfType(wanted.get(number) ?? 0, type));
  const changes = [
    ...granted.map(({ id, number }) => ({
      iid: id,
      apply: () => grantRole(signIn, id, wanted.get(number)!, grants.get(id)),
    })),
    ...[...grants.values()]
      .filter((grant) => !granted.some(({ id }) => id === grant.institution_id))
      .map((grant) => ({ iid: grant.institution_id, apply: () => takeBack(signIn, grant) })),
  ];
  // In one order for everybody: two sign-ins at once must not wait for each other in a circle.
  for (const { apply } of changes.toSorted((a, b) => (a.iid < b.iid ? -1 : 1))) await unlessLastManager(apply);
}

/** Returns the role that the groups give in each organisation, by its number; a manager's wins. */
export function wantedRoles(
  { groups: rules }: Pick<Provider, "groups">,
  groups: readonly string[],
): Map<string, number> {
  const own = new Set(groups);
  const wanted = new Map<string, number>();
  for (const { group, organisation, role } of rules) {
    const { authorityId } = roles[role];
    if (own.has(group) && !isManagerRole(wanted.get(organisation) ?? 0)) wanted.set(organisation, authorityId);
  }
  return wanted;
}

const findInstitutions = ({ db }: Provisioner, numbers: readonly string[]) =>
  db
    .selectFrom("institution")
    .select(["id", "number", "type"])
    .where("number", "in", numbers.length > 0 ? [...numbers] : [""])
    .execute();

async function grantRole(
  { actor, uid, issuer }: GroupSignIn,
  iid: string,
  authorityId: number,
  grant: Grant | undefined,
): Promise<void> {
  await lockInstitutionMembers(actor.db, iid);
  const current = await readRole(actor, iid, uid);
  const given = { iid, uid, issuer, authorityId };
  if (current === null) {
    await admitMember(actor, given);
    await saveGrant(actor, { ...given, joined: true });
    return;
  }
  const isOwn = grant?.authority_id === current;
  // A role that people chose is raised, never lowered.
  if (current === authorityId || !(isOwn || isManagerRole(authorityId))) return;
  await changeMemberRole(actor, given);
  await saveGrant(actor, { ...given, joined: grant?.joined ?? false });
}

async function takeBack({ actor, uid, issuer }: GroupSignIn, grant: Grant): Promise<void> {
  const iid = grant.institution_id;
  await lockInstitutionMembers(actor.db, iid);
  const current = await readRole(actor, iid, uid);
  if (current !== null && grant.joined) await endMembership(actor, { iid, uid });
  else if (current === grant.authority_id) {
    const institution = await actor.db
      .selectFrom("institution")
      .select("type")
      .where("id", "=", iid)
      .executeTakeFirst();
    const usual = roles[rolesByType[institution?.type ?? "clinic"][1]].authorityId;
    if (usual !== current) await changeMemberRole(actor, { iid, uid, authorityId: usual });
  }
  await deleteGrant(actor, { iid, uid }, issuer);
}

/**
 * The last manager keeps the role, and the grant is examined again at the next sign-in. The rule is checked before
 * anything is written, so that the transaction goes on.
 */
async function unlessLastManager(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused && error.refusal === "lastManager")) throw error;
  }
}

async function readRole({ db }: Provisioner, iid: string, uid: string): Promise<number | null> {
  const found = await db
    .selectFrom("membership")
    .select("authority_id")
    .where("institution_id", "=", iid)
    .where("user_id", "=", uid)
    .where("state", "=", "normal")
    .executeTakeFirst();
  return found?.authority_id ?? null;
}
