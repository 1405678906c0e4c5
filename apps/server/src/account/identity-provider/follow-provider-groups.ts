import { roles } from "@arcada/contract/kernel/roles";
import { isManagerRole, isRoleOfType, usualRole } from "@arcada/contract/member/member.lifecycle";
import { lockInstitutionMembers } from "../../domain/lock-members.ts";
import { membershipDemanded } from "../../member/member.events.ts";
import type { MembershipChange } from "../../member/member.events.ts";
import type { Db } from "../../platform/database/database.ts";
import { publish } from "../../platform/events/events.ts";
import { Refused } from "../../platform/http/refuse.ts";
import type { Provider } from "../../platform/runtime/identity-provider-settings.ts";
import type { Row } from "../../tables/row.ts";
import type { ProviderIdentity } from "./openid-client.ts";

type Grant = Row<"provider_grant", "institution_id" | "authority_id" | "joined">;
interface GroupSignIn {
  db: Db;
  uid: string;
  address: string;
  issuer: string;
}

/**
 * Makes the memberships of a user follow the groups of the identity provider, at a sign-in. It adds memberships and
 * raises roles, and takes back only what the groups of the same provider gave. It gives no role of the platform, and
 * the last manager of an organisation stays. The operator decides by the configuration which groups count.
 */
export async function followProviderGroups(
  person: { db: Db; uid: string; address: string },
  provider: Provider,
  { issuer, groups }: Pick<ProviderIdentity, "issuer" | "groups">,
): Promise<void> {
  if (groups === null) return;
  const signIn: GroupSignIn = { ...person, issuer };
  const wanted = wantedRoles(provider, groups);
  const institutions = await findInstitutions(person.db, [...wanted.keys()]);
  const grants = new Map((await listGrants(signIn)).map((grant) => [grant.institution_id, grant]));
  const granted = institutions.flatMap(({ id, number, type }) => {
    const authorityId = wanted.get(number) ?? 0;
    return isRoleOfType(authorityId, type) ? [{ iid: id, authorityId }] : [];
  });
  const changes = [
    ...granted.map(({ iid, authorityId }) => ({
      iid,
      apply: () => grantRole(signIn, { iid, authorityId, grant: grants.get(iid) }),
    })),
    ...[...grants.values()]
      .filter((grant) => !granted.some(({ iid }) => iid === grant.institution_id))
      .map((grant) => ({ iid: grant.institution_id, apply: () => takeBack(signIn, grant) })),
  ];
  // In one order for everybody: two sign-ins at once must not wait for each other in a circle.
  for (const { apply } of changes.toSorted((a, b) => (a.iid < b.iid ? -1 : 1))) await unlessLastManager(apply);
}

/** Returns the role that the groups give in each organisation, by its number; a manager's wins. */
function wantedRoles({ groups: rules }: Pick<Provider, "groups">, groups: readonly string[]): Map<string, number> {
  const own = new Set(groups);
  const wanted = new Map<string, number>();
  for (const { group, organisation, role } of rules) {
    const { authorityId } = roles[role];
    if (own.has(group) && !isManagerRole(wanted.get(organisation) ?? 0)) wanted.set(organisation, authorityId);
  }
  return wanted;
}

const findInstitutions = async (db: Db, numbers: readonly string[]) =>
  numbers.length === 0
    ? []
    : db.selectFrom("institution").select(["id", "number", "type"]).where("number", "in", numbers).execute();

async function grantRole(
  signIn: GroupSignIn,
  { iid, authorityId, grant }: { iid: string; authorityId: number; grant: Grant | undefined },
): Promise<void> {
  const current = await readRole(signIn, iid);
  if (current === null) {
    await demandChange(signIn, iid, { kind: "admit", user: signIn.uid, authorityId });
    await saveGrant(signIn, iid, { authorityId, joined: true });
    return;
  }
  const isOwn = grant?.authority_id === current;
  // A role that people chose is raised, never lowered.
  if (current === authorityId || !(isOwn || isManagerRole(authorityId))) return;
  await demandChange(signIn, iid, { kind: "changeRole", user: signIn.uid, authorityId });
  await saveGrant(signIn, iid, { authorityId, joined: grant?.joined ?? false });
}

async function takeBack(signIn: GroupSignIn, grant: Grant): Promise<void> {
  const { db, uid, issuer } = signIn;
  const iid = grant.institution_id;
  const current = await readRole(signIn, iid);
  if (current !== null && grant.joined) await demandChange(signIn, iid, { kind: "end", user: uid });
  else if (current === grant.authority_id) {
    const { type } = await db.selectFrom("institution").select("type").where("id", "=", iid).executeTakeFirstOrThrow();
    const authorityId = roles[usualRole(type)].authorityId;
    if (authorityId !== current) await demandChange(signIn, iid, { kind: "changeRole", user: uid, authorityId });
  }
  await db
    .deleteFrom("provider_grant")
    .where("institution_id", "=", iid)
    .where("user_id", "=", uid)
    .where("issuer", "=", issuer)
    .execute();
}

const demandChange = ({ db, uid, address }: GroupSignIn, institution: string, change: MembershipChange) =>
  publish(db, membershipDemanded, { institution, by: uid, source: "identityProvider", address, change });

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

/** Reads the role under the lock of the organisation's members; null: no member. */
async function readRole({ db, uid }: GroupSignIn, iid: string): Promise<number | null> {
  await lockInstitutionMembers(db, iid);
  const found = await db
    .selectFrom("membership")
    .select("authority_id")
    .where("institution_id", "=", iid)
    .where("user_id", "=", uid)
    .where("state", "=", "normal")
    .executeTakeFirst();
  return found?.authority_id ?? null;
}

const listGrants = ({ db, uid, issuer }: GroupSignIn): Promise<Grant[]> =>
  db
    .selectFrom("provider_grant")
    .select(["institution_id", "authority_id", "joined"])
    .where("user_id", "=", uid)
    .where("issuer", "=", issuer)
    .execute();

const saveGrant = (
  { db, uid, issuer }: GroupSignIn,
  iid: string,
  { authorityId, joined }: { authorityId: number; joined: boolean },
) =>
  db
    .insertInto("provider_grant")
    .values({ institution_id: iid, user_id: uid, issuer, authority_id: authorityId, joined })
    .onConflict((conflict) =>
      conflict.columns(["institution_id", "user_id", "issuer"]).doUpdateSet({ authority_id: authorityId, joined }),
    )
    .execute();
