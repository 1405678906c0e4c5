import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { DeviceState } from "@arcada/contract/device/device.lifecycle";
import { deviceRules, deviceScopes } from "@arcada/contract/device/device.rules";
import type { DeviceScope } from "@arcada/contract/device/device.rules";
import type { Principal } from "../platform/http/request-context.ts";
import type { Database } from "../platform/database/database.ts";
import type { FindValidHolders, ValidHolder } from "../platform/live/address-holders.ts";
import { secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { createApiKeyCache } from "../platform/security/api-key-cache.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Authenticate } from "../platform/http/serve-calls.ts";
import { resolveZone } from "../domain/institution-time-zone.ts";
import type { Column } from "../tables/row.ts";

interface DeviceKeyRow {
  key: string;
  seal: string;
  iid: string;
  name: string;
  state: DeviceState;
  reason: string | null;
  calls: number;
  time_zone: string | null;
  country: string;
}

/**
 * Adds authentication by the key of a device's binding; all other requests go to `others`. A locked device is refused
 * (except for its hello) and keeps its data until it is unlocked.
 */
export function authenticateDevices(database: Database, others: Authenticate): Authenticate {
  const keyCache = createApiKeyCache((hash, made) => readKey(database, hash, made));
  return async (request, reply, how, scopes = []) => {
    const key = keyIn(request);
    if (key === null) return others(request, reply, how, scopes);
    const known = keyCache(secretHash(key));
    const row = (await known.row) ?? refuse("keyUnknown");
    if (row.calls + known.requests > deviceRules.perMinute) {
      reply.header("retry-after", String(60 - new Date().getUTCSeconds()));
      refuse("tooManyRequests");
    }
    if (!scopes.some((scope) => deviceScopes.includes(scope as DeviceScope))) refuse("keyNotHere");
    if (row.state === "locked" && !scopes.includes("device.hello"))
      refuse("deviceLocked", { reason: row.reason ?? "" });
    return principalOf(row);
  };
}

/** A session's token takes precedence: a page that has both acts for the person. */
function keyIn({ headers }: FastifyRequest): string | null {
  if (typeof headers.token === "string" && headers.token !== "") return null;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  return bearer?.startsWith(deviceRules.keyPrefix) ? bearer : null;
}

const principalOf = ({ key, seal, iid, name, ...zone }: DeviceKeyRow): Principal => ({
  sessionId: key,
  tokenHash: seal,
  uid: key,
  name,
  iid,
  role: "clinicMember",
  kind: "device",
  timeZone: resolveZone(zone),
});

const readKey = (database: Database, hash: string, made: number): Promise<DeviceKeyRow | undefined> =>
  database.asSystem(async (db) => {
    const { rows } = await sql<DeviceKeyRow>`update device d set seen_at = now(), minute = date_trunc('minute', now()),
        calls = ${made} + case when minute = date_trunc('minute', now()) then calls else 0 end
      from institution i where d.key_hash = ${hash} and i.id = d.institution_id
      returning d.key_id as key, d.key_hash as seal, d.institution_id as iid, coalesce(d.name, d.serial_number) as name,
        d.state, d.lock_reason as reason, d.calls, i.time_zone, i.country`.execute(db);
    return rows[0];
  });

/** Returns the keys that are still valid. A download under an address that a key was given ends with that key. */
export const findActiveDevices =
  (database: Database): FindValidHolders<ValidHolder> =>
  (ids) =>
    database.asSystem(async (db) => {
      const { rows } = await sql<{
        id: NonNullable<Column<"device", "key_id">>;
        seal: NonNullable<Column<"device", "key_hash">>;
        iid: NonNullable<Column<"device", "institution_id">>;
      }>`select key_id as id, key_hash as seal, institution_id as iid from device where key_id = any(${ids}::uuid[]) and state = 'bound'`.execute(
        db,
      );
      return new Map(
        rows.map(({ id, seal, iid }) => [
          id,
          { tokenHash: seal, cookie: null, tenantScope: { system: false, iid, uid: id }, shared: null },
        ]),
      );
    });
