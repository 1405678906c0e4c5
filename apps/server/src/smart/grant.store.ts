import { sql } from "kysely";
import type { AppApproval } from "@arcada/contract/smart/smart.calls";
import { smartRules } from "@arcada/contract/smart/smart.rules";
import { pickColumns } from "../platform/database/camel-case-columns.ts";
import type { Db } from "../platform/database/database.ts";
import { newId, newSecret, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import type { Row } from "../tables/row.ts";

export type GrantRow = Row<
  "smart_grant",
  | "institution_id"
  | "id"
  | "app_id"
  | "user_id"
  | "authority_id"
  | "patient_id"
  | "scopes"
  | "challenge"
  | "redirect_uri"
>;
const grantColumns = [
  "institution_id",
  "id",
  "app_id",
  "user_id",
  "authority_id",
  "patient_id",
  "scopes",
  "challenge",
  "redirect_uri",
] as const;

const after = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

export type NewGrant = Omit<GrantRow, "id">;

/** Stores what a person allows, and returns the code with which the app fetches its first tokens. */
export async function insertGrant(db: Db, grant: NewGrant): Promise<string> {
  const code = newSecret();
  const expires = after(smartRules.codeSeconds);
  await db
    .insertInto("smart_grant")
    .values({ ...grant, id: newId(), code_hash: secretHash(code), code_expires_at: expires, expires_at: expires })
    .execute();
  return code;
}

/**
 * Spends a code. A code that comes a second time was stolen, by the first bearer or by this one: everything that it
 * gave ends.
 */
export async function redeemCode(
  db: Db,
  code: string,
): Promise<{ grant: GrantRow | undefined; replayed?: GrantRow | undefined }> {
  const hash = secretHash(code);
  const grant = await db
    .updateTable("smart_grant")
    .set({ code_used_at: sql`now()` })
    .where("code_hash", "=", hash)
    .where("code_used_at", "is", null)
    .where("code_expires_at", ">", sql<string>`now()`)
    .where("ended_at", "is", null)
    .returning(grantColumns)
    .executeTakeFirst();
  if (grant) return { grant };
  const replayed = await db
    .updateTable("smart_grant")
    .set({ ended_at: sql`now()`, end_reason: "codeReplayed" })
    .where("code_hash", "=", hash)
    .where("code_used_at", "is not", null)
    .where("ended_at", "is", null)
    .returning(grantColumns)
    .executeTakeFirst();
  return { grant: undefined, replayed };
}

/** True for a grant `g` of a backend service, or of a person who still has the role in which they gave it. */
export const holdsRole = sql<boolean>`(g.user_id is null or exists (select from membership m where m.user_id = g.user_id
  and m.institution_id = g.institution_id and m.state = 'normal' and m.authority_id = g.authority_id))`;

/** False once the person has left, has another role or is suspended. */
export const hasLivePerson = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom("smart_grant as g")
    .leftJoin("users as u", "u.id", "g.user_id")
    .select("g.id")
    .where("g.id", "=", id)
    .where("u.suspended_at", "is", null)
    .where(holdsRole)
    .executeTakeFirst()) !== undefined;

/** Stores the approval of a backend service: the organisation gave it with the registration. */
export async function insertBackendGrant(db: Db, grant: NewGrant): Promise<GrantRow> {
  return db
    .insertInto("smart_grant")
    .values({ ...grant, id: newId(), expires_at: after(smartRules.backendSeconds) })
    .returning(grantColumns)
    .executeTakeFirstOrThrow();
}

export interface IssuedTokens {
  access: string;
  seconds: number;
  refresh: string | null;
}
/** Issues an access token for some scopes of a grant and, if asked for, the next refresh token for all of them. */
export async function issueTokens(
  db: Db,
  grant: GrantRow,
  { scopes, withRefresh }: { scopes: readonly string[]; withRefresh: boolean },
): Promise<IssuedTokens> {
  const seconds = grant.user_id === null ? smartRules.backendSeconds : smartRules.accessSeconds;
  const insert = async (kind: "access" | "refresh", prefix: string, lifetime: number, allowed: readonly string[]) => {
    const token = `${prefix}${newSecret()}`;
    await db
      .insertInto("smart_token")
      .values({
        institution_id: grant.institution_id,
        id: newId(),
        grant_id: grant.id,
        kind,
        hash: secretHash(token),
        scopes: [...allowed],
        expires_at: after(lifetime),
      })
      .execute();
    return token;
  };
  const refreshSeconds = smartRules.refreshDays * 86_400;
  const access = await insert("access", smartRules.accessPrefix, seconds, scopes);
  const refresh = withRefresh ? await insert("refresh", smartRules.refreshPrefix, refreshSeconds, grant.scopes) : null;
  await db
    .updateTable("smart_grant")
    .set({ used_at: sql`now()`, expires_at: after(withRefresh ? refreshSeconds : seconds) })
    .where("id", "=", grant.id)
    .execute();
  return { access, seconds, refresh };
}

/** Locks the grant of a refresh token. `isSpent`: the token was used before, so that somebody has a copy. */
export async function findRefreshToken(
  db: Db,
  token: string,
): Promise<{ id: string; grant: GrantRow; isSpent: boolean } | null> {
  const found = await db
    .selectFrom("smart_token")
    .select(["id", "grant_id", "used_at"])
    .where("hash", "=", secretHash(token))
    .where("kind", "=", "refresh")
    .where("expires_at", ">", sql<string>`now()`)
    .forUpdate()
    .executeTakeFirst();
  if (!found) return null;
  const grant = await db
    .selectFrom("smart_grant")
    .select(grantColumns)
    .where("id", "=", found.grant_id)
    .where("ended_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return grant ? { id: found.id, grant, isSpent: found.used_at !== null } : null;
}

/** The app of a refresh token, of a spent one too: it must be noticed when it comes again. */
export const findAppOfRefreshToken = async (db: Db, token: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom("smart_token as t")
      .innerJoin("smart_grant as g", "g.id", "t.grant_id")
      .select("g.app_id")
      .where("t.hash", "=", secretHash(token))
      .where("t.kind", "=", "refresh")
      .executeTakeFirst()
  )?.app_id;

export const spendRefreshToken = (db: Db, id: string) =>
  db
    .updateTable("smart_token")
    .set({ used_at: sql`now()` })
    .where("id", "=", id)
    .execute();

export const endGrant = (db: Db, id: string, reason: "revoked" | "refreshReplayed") =>
  db
    .updateTable("smart_grant")
    .set({ ended_at: sql`now()`, end_reason: reason })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .execute();

export const endGrantsOfApp = (db: Db, iid: string, appId: string) =>
  db
    .updateTable("smart_grant")
    .set({ ended_at: sql`now()`, end_reason: "appRevoked" })
    .where("institution_id", "=", iid)
    .where("app_id", "=", appId)
    .where("ended_at", "is", null)
    .execute();

const selectApprovals = (db: Db, { iid, uid }: { iid: string; uid: string }) =>
  db
    .selectFrom("smart_grant as g")
    .innerJoin("smart_app as a", "a.id", "g.app_id")
    .leftJoin("patient as p", (join) =>
      join.onRef("p.institution_id", "=", "g.institution_id").onRef("p.id", "=", "g.patient_id"),
    )
    .select(["g.id", "g.scopes", "g.created_at", "g.used_at", "a.name", "p.name as patient"])
    .where("g.institution_id", "=", iid)
    .where("g.user_id", "=", uid)
    .where("g.ended_at", "is", null)
    .where("g.code_used_at", "is not", null)
    .where("g.expires_at", ">", sql<string>`now()`);

export async function listApprovals(db: Db, owner: { iid: string; uid: string }): Promise<AppApproval[]> {
  const rows = await selectApprovals(db, owner).orderBy("g.created_at", "desc").execute();
  return rows.map((row) => ({
    ...pickColumns(row, "id", "scopes", "patient", "created_at", "used_at"),
    app: row.name,
  }));
}

export const ownsApproval = async (db: Db, owner: { iid: string; uid: string }, id: string): Promise<boolean> =>
  (await selectApprovals(db, owner).where("g.id", "=", id).executeTakeFirst()) !== undefined;

/** Ends the grant of a token that its app gives back (RFC 7009); another app's token stays. */
export async function endGrantOfToken(db: Db, appId: string, token: string): Promise<void> {
  const found = await db
    .selectFrom("smart_token as t")
    .innerJoin("smart_grant as g", "g.id", "t.grant_id")
    .select("g.id")
    .where("t.hash", "=", secretHash(token))
    .where("g.app_id", "=", appId)
    .executeTakeFirst();
  if (found) await endGrant(db, found.id, "revoked");
}

/** Deletes tokens that have expired, and grants some time after their end, for as long as a replay can be noticed. */
export async function deleteOldGrants(db: Db): Promise<void> {
  await db
    .deleteFrom("smart_token")
    .where("expires_at", "<", sql<string>`now() - interval '1 day'`)
    .execute();
  const before = sql<string>`now() - make_interval(days => ${smartRules.endedDays})`;
  await db
    .deleteFrom("smart_grant")
    .where((row) => row.or([row("expires_at", "<", before), row("ended_at", "<", before)]))
    .execute();
}
