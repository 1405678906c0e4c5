import { sql } from "kysely";
import type { ApiKey } from "@arcada/contract/integrations/integrations.calls";
import { keyRules } from "@arcada/contract/integrations/integrations.rules";
import type { labAgentReportCalls } from "@arcada/contract/integrations/lab-agent-report.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { KeyScope } from "@arcada/contract/integrations/integrations.rules";
import { insertTechnicalUser } from "../account/account.writes.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId, newSecret, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { selectValue } from "../platform/database/select-value.ts";

const keyColumns = sql`k.id, k.name, k.begins, k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt",
  k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt",
  case when k.revoked_at is null and k.old_token_until > now() then k.old_token_until end as "oldSecretUntil",
  case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end as state,
  coalesce(nullif(maker.nick_name, ''), maker.user_name) as "createdBy",
  case when k.agent_seen_at is not null then k.agent_report || jsonb_build_object('seenAt', k.agent_seen_at) end as agent`;
const keysWithCreator = sql`api_key k join users maker on maker.id = k.created_by`;

export async function listKeys(db: Db, iid: string): Promise<ApiKey[]> {
  const { rows } = await sql<ApiKey>`select ${keyColumns} from ${keysWithCreator} where k.institution_id = ${iid}
    and coalesce(k.revoked_at, k.expires_at, 'infinity') > now() - make_interval(days => ${keyRules.endedDays})
    order by coalesce(k.revoked_at, k.expires_at, 'infinity') <= now(), k.created_at desc, k.id`.execute(db);
  return rows;
}

const requireKey = async (db: Db, iid: string, id: string): Promise<ApiKey> =>
  (
    await sql<ApiKey>`select ${keyColumns} from ${keysWithCreator} where k.institution_id = ${iid} and k.id = ${id}`.execute(
      db,
    )
  ).rows[0] ?? refuse("notFound");

interface ApiKeyInput {
  iid: string;
  uid: string;
  name: string;
  scopes: readonly KeyScope[];
  days: number;
}
/** The key itself is returned only here; the database stores its hash. */
export async function insertKey(db: Db, input: ApiKeyInput): Promise<{ key: ApiKey; secret: string }> {
  const id = newId();
  const secret = `${keyRules.prefix}${newSecret()}`;
  const count = await selectValue(
    db,
    sql<number>`(select count(*)::int from api_key where institution_id = ${input.iid}
      and revoked_at is null and (expires_at is null or expires_at > now()))`,
  );
  if (count >= keyRules.max) refuse("keyTooMany", { most: keyRules.max });
  await bypassTenantScope(db, () => insertTechnicalUser(db, id, input.name));
  await sql`insert into api_key (institution_id, id, name, begins, token_hash, scopes, created_by, expires_at)
    values (${input.iid}, ${id}, ${input.name}, ${secret.slice(0, keyRules.shown)}, ${secretHash(secret)},
      ${[...new Set(input.scopes)]}, ${input.uid}, ${input.days === 0 ? null : sql`now() + make_interval(days => ${input.days})`})`.execute(
    db,
  );
  return { key: await requireKey(db, input.iid, id), secret };
}

/**
 * Gives an active key a new secret and its period of validity once more. The previous secret works for a while, so that
 * the program can be changed without a gap.
 */
export async function rotateKey(db: Db, iid: string, id: string): Promise<{ key: ApiKey; secret: string }> {
  const secret = `${keyRules.prefix}${newSecret()}`;
  const rotated = await sql`update api_key set old_token_hash = token_hash, token_hash = ${secretHash(secret)},
      old_token_until = now() + make_interval(hours => ${keyRules.rotationHours}), begins = ${secret.slice(0, keyRules.shown)},
      expires_at = now() + (expires_at - coalesce(rotated_at, created_at)), rotated_at = now()
    where institution_id = ${iid} and id = ${id} and revoked_at is null and coalesce(expires_at > now(), true)`.execute(
    db,
  );
  const key = await requireKey(db, iid, id);
  return rotated.numAffectedRows === 1n ? { key, secret } : refuse("keyEnded");
}

/** Keeps the last report of the agent that uses this key. Returns the names that the agent shows beside itself. */
export async function storeAgentReport(
  db: Db,
  iid: string,
  id: string,
  report: Parsed<typeof labAgentReportCalls.report>,
): Promise<{ key: string; laboratory: string }> {
  const stored = await db
    .updateTable("api_key")
    .set({ agent_report: JSON.stringify(report), agent_seen_at: new Date().toISOString() })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .returning("name")
    .executeTakeFirst();
  // A person may not report in the place of a program.
  if (!stored) return refuse("notFound");
  const { name } = await db.selectFrom("institution").select("name").where("id", "=", iid).executeTakeFirstOrThrow();
  return { key: stored.name, laboratory: name };
}

/** A key that has ended keeps its end. */
export async function revokeKey(db: Db, iid: string, id: string): Promise<ApiKey> {
  await sql`update api_key set revoked_at = coalesce(revoked_at, now()) where institution_id = ${iid} and id = ${id}`.execute(
    db,
  );
  return requireKey(db, iid, id);
}
