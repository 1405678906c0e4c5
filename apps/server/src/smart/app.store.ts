import { sql } from "kysely";
import type { SmartApp } from "@arcada/contract/smart/smart.calls";
import { smartRules } from "@arcada/contract/smart/smart.rules";
import { insertTechnicalUser, renameTechnicalUser } from "../account/account.writes.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { newId, newSecret, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import type { Row } from "../tables/row.ts";
import { endGrantsOfApp } from "./grant.store.ts";

export type AppRow = Row<
  "smart_app",
  | "institution_id"
  | "id"
  | "name"
  | "kind"
  | "redirect_uris"
  | "launch_url"
  | "scopes"
  | "secret_hash"
  | "keys"
  | "revoked_at"
>;

const selectApps = (db: Db, iid: string) =>
  db
    .selectFrom("smart_app as a")
    .innerJoin("users as maker", "maker.id", "a.created_by")
    .select(["a.id", "a.name", "a.kind", "a.redirect_uris", "a.launch_url", "a.scopes", "a.keys"])
    .select(["a.created_at", "a.revoked_at", "a.last_used_at", "maker.nick_name", "maker.user_name"])
    .select((app) =>
      app
        .selectFrom("smart_grant as g")
        .select(sql<number>`count(distinct g.user_id)::int`.as("people"))
        .whereRef("g.app_id", "=", "a.id")
        .where("g.institution_id", "=", iid)
        .where("g.ended_at", "is", null)
        .where("g.code_used_at", "is not", null)
        .where("g.expires_at", ">", sql<string>`now()`)
        .as("people"),
    )
    .where("a.institution_id", "=", iid);
type ListedRow = Awaited<ReturnType<ReturnType<typeof selectApps>["executeTakeFirstOrThrow"]>>;

const toApp = (row: ListedRow): SmartApp => ({
  ...pickColumns(row, "id", "name", "kind", "redirect_uris", "launch_url", "scopes", "keys"),
  ...pickColumns(row, "created_at", "revoked_at", "last_used_at"),
  state: row.revoked_at === null ? "active" : "revoked",
  createdBy: row.nick_name || (row.user_name ?? ""),
  people: row.people ?? 0,
});

export async function listApps(db: Db, iid: string): Promise<SmartApp[]> {
  const rows = await selectApps(db, iid)
    .where(sql<boolean>`coalesce(a.revoked_at, 'infinity') > now() - make_interval(days => ${smartRules.endedDays})`)
    .orderBy(sql`a.revoked_at is not null`)
    .orderBy("a.created_at", "desc")
    .execute();
  return rows.map(toApp);
}

export async function requireApp(db: Db, iid: string, id: string): Promise<SmartApp> {
  const row = await selectApps(db, iid).where("a.id", "=", id).executeTakeFirst();
  return row ? toApp(row) : refuse("notFound");
}

/** Returns an active app of any organisation. Row-level security limits the search within an organisation. */
export const findActiveApp = (db: Db, id: string): Promise<AppRow | undefined> =>
  db
    .selectFrom("smart_app")
    .select(["institution_id", "id", "name", "kind", "redirect_uris", "launch_url"])
    .select(["scopes", "secret_hash", "keys", "revoked_at"])
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();

export type AppInput = Pick<AppRow, "name" | "redirect_uris" | "launch_url" | "scopes" | "keys">;
interface NewApp extends AppInput {
  iid: string;
  uid: string;
  kind: AppRow["kind"];
}

/** The secret is returned only here; the database stores its hash. */
export async function insertApp(db: Db, { iid, uid, ...app }: NewApp): Promise<{ id: string; secret: string | null }> {
  // The lock keeps two managers from passing the limit together.
  await db.selectFrom("institution").select("id").where("id", "=", iid).forNoKeyUpdate().executeTakeFirstOrThrow();
  const { count } = await db
    .selectFrom("smart_app")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("institution_id", "=", iid)
    .where("revoked_at", "is", null)
    .executeTakeFirstOrThrow();
  if (count >= smartRules.maxApps) refuse("appTooMany", { most: smartRules.maxApps });
  const id = newId();
  const secret = app.kind === "secret" ? newAppSecret() : null;
  await bypassTenantScope(db, () => insertTechnicalUser(db, id, app.name));
  await db
    .insertInto("smart_app")
    .values({ ...app, institution_id: iid, id, created_by: uid, secret_hash: secret && secretHash(secret) })
    .execute();
  return { id, secret };
}

export async function updateApp(db: Db, iid: string, id: string, input: AppInput): Promise<void> {
  const updated = await db
    .updateTable("smart_app")
    .set(input)
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (updated.numUpdatedRows !== 1n) await refuseEnded(db, iid, id);
  await bypassTenantScope(db, () => renameTechnicalUser(db, id, input.name));
}

export async function renewAppSecret(db: Db, iid: string, id: string): Promise<string> {
  const secret = newAppSecret();
  const updated = await db
    .updateTable("smart_app")
    .set({ secret_hash: secretHash(secret) })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("kind", "=", "secret")
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n ? secret : refuseEnded(db, iid, id);
}

/** A revoked app keeps the time of its end. */
export async function revokeApp(db: Db, iid: string, id: string): Promise<void> {
  await db
    .updateTable("smart_app")
    .set({ revoked_at: sql`coalesce(revoked_at, now())` })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
  await endGrantsOfApp(db, iid, id);
}

export const noteUse = (db: Db, id: string) =>
  db
    .updateTable("smart_app")
    .set({ last_used_at: sql`now()` })
    .where("id", "=", id)
    .execute();

async function refuseEnded(db: Db, iid: string, id: string): Promise<never> {
  await requireApp(db, iid, id);
  return refuse("appEnded");
}

const newAppSecret = (): string => `${smartRules.secretPrefix}${newSecret()}`;
