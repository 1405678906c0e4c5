import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { keyRules } from "@arcada/contract/integrations/integrations.rules";
import type { Role } from "@arcada/contract/kernel/roles";
import type { Principal } from "../platform/http/request-context.ts";
import type { Database } from "../platform/database/database.ts";
import type { FindValidHolders, ValidHolder } from "../platform/live/address-holders.ts";
import { secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { createApiKeyCache } from "../platform/security/api-key-cache.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { AcceptedScope, Authenticate } from "../platform/http/serve-calls.ts";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { Column, Row } from "../tables/row.ts";

interface ApiKeyRow {
  id: string;
  token_hash: string;
  institution_id: string;
  name: string;
  scopes: readonly AcceptedScope[];
  type: "clinic" | "lab";
  calls: number;
  ended: boolean;
  time_zone: string | null;
  country: string;
}

/** Adds authentication by API key for programs; requests without a key go to `people` (sessions). */
export function authenticateApiKeys(database: Database, authenticateSession: Authenticate): Authenticate {
  const keyCache = createApiKeyCache((hash, made) => readKey(database, hash, made));
  return async (request, reply, how, scopes = []) => {
    const key = readKeyHeader(request);
    if (key === null) return authenticateSession(request, reply, how);
    const known = keyCache(secretHash(key));
    const row = (await known.row) ?? refuse("keyUnknown");
    if (row.ended) refuse("keyUnknown");
    if (row.calls + known.requests > keyRules.perMinute) {
      reply.header("retry-after", String(60 - new Date().getUTCSeconds()));
      refuse("tooManyRequests");
    }
    if (scopes.length === 0) refuse("keyNotHere");
    if (!scopes.some((scope) => row.scopes.includes(scope))) refuse("keyScopeMissing", { scope: scopes.join(", ") });
    return principalOf(row);
  };
}

/** A session's token takes precedence: a page that has both acts for the person. */
function readKeyHeader({ headers }: FastifyRequest): string | null {
  if (typeof headers.token === "string" && headers.token !== "") return null;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  return bearer?.startsWith(keyRules.prefix) ? bearer : null;
}

const roleIn: Record<ApiKeyRow["type"], Role> = { clinic: "clinicAdmin", lab: "factoryAdmin" };
const principalOf = ({ id, token_hash: seal, institution_id: iid, name, type, ...zone }: ApiKeyRow): Principal => ({
  sessionId: id,
  tokenHash: seal,
  uid: id,
  name,
  iid,
  role: roleIn[type],
  kind: "key",
  timeZone: resolveZone(zone),
});

const readKey = (database: Database, hash: string, made: number): Promise<ApiKeyRow | undefined> =>
  database.asSystem(async (db) => {
    const { rows } =
      await sql<ApiKeyRow>`update api_key k set last_used_at = now(), minute = date_trunc('minute', now()),
        calls = ${made} + case when minute = date_trunc('minute', now()) then calls else 0 end
      from institution i where (k.token_hash = ${hash} or (k.old_token_hash = ${hash} and k.old_token_until > now())) and i.id = k.institution_id
      returning k.id, k.token_hash, k.institution_id, k.name, k.scopes, i.type, k.calls, i.time_zone, i.country,
        k.revoked_at is not null or coalesce(k.expires_at <= now(), false) as ended`.execute(db);
    return rows[0];
  });

/** Returns the keys that are still valid. A download under an address that a key was given ends with that key. */
export const findActiveApiKeys =
  (database: Database): FindValidHolders<ValidHolder> =>
  (ids) =>
    database.asSystem(async (db) => {
      const { rows } = await sql<
        Row<"api_key", "id"> & { seal: Column<"api_key", "token_hash">; iid: Column<"api_key", "institution_id"> }
      >`select id, token_hash as seal, institution_id as iid from api_key where id = any(${ids}::uuid[])
        and revoked_at is null and (expires_at is null or expires_at > now())`.execute(db);
      return new Map(
        rows.map(({ id, seal, iid }) => [
          id,
          { tokenHash: seal, cookie: null, tenantScope: { system: false, iid, uid: id }, shared: null },
        ]),
      );
    });
