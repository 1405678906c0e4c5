import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import { hasAccess, findRole, serviceRoles } from "@arcada/contract/kernel/roles";
import type { Database } from "../../platform/database/database.ts";
import type { FindValidHolders, ValidHolder } from "../../platform/live/address-holders.ts";
import type { Column, Row } from "../../tables/row.ts";

/** True if the user of session `s` still has the membership that is active in it. */
export const isStillMember = sql<boolean>`(s.authority_id = 0 or exists (select from membership m where m.user_id = s.user_id
  and m.state = 'normal' and m.authority_id = s.authority_id and m.institution_id is not distinct from s.institution_id))`;

/** The moment at which session `s` locks itself unless somebody is at its page; null for never. */
const locksAt = sql`s.seen_at + make_interval(secs => s.idle_seconds + ${accountRules.idleGrace}::int)`;

/** True if session `s` is locked: by its owner, or because it was idle for longer than it may be left alone. */
export const isLocked = sql<boolean>`(s.locked_at is not null or coalesce(${locksAt} < now(), false))`;

export interface ValidSession extends ValidHolder {
  /** The whole seconds until it will have expired or locked itself, unless it is used meanwhile. */
  secondsLeft: number;
}

/**
 * Returns those of these sessions that are still valid, under any token of their chain, in the same institution. One
 * query serves all streams and files of a process. A session that switched to another institution is left out, and so
 * is a locked one until it is unlocked. The cookie is the one that the browser has now: unlocking issues a new one.
 */
export const findValidSessions =
  (database: Database): FindValidHolders<ValidSession> =>
  (sessions) =>
    database.asSystem(async (db) => {
      const found =
        await sql<SessionLifetimeRow>`select held.id, held.token_hash, s.sid_hash, held.user_id, held.institution_id,
          held.authority_id, floor(extract(epoch from least(s.expires_at, ${locksAt}) - now()))::int as "secondsLeft"
          from session held join session s on s.chain = held.chain
          and s.institution_id is not distinct from held.institution_id join users u on u.id = s.user_id
        where held.id = any(${sessions}::uuid[]) and s.ended_at is null and s.rotated_at is null and s.expires_at >= now()
          and u.suspended_at is null and not ${isLocked} and ${isStillMember}`.execute(db);
      return new Map(found.rows.map((row) => [row.id, toValidSession(row)]));
    });

type SessionLifetimeRow = Row<
  "session",
  "id" | "token_hash" | "sid_hash" | "user_id" | "institution_id" | "authority_id"
> & { secondsLeft: Column<"session", "idle_seconds"> };
const toValidSession = (row: SessionLifetimeRow): ValidSession => ({
  tokenHash: row.token_hash,
  cookie: row.sid_hash === null ? null : { name: "sid", hash: row.sid_hash },
  tenantScope: {
    system: false,
    iid: row.institution_id,
    uid: row.user_id,
    service: hasAccess(serviceRoles, findRole(row.authority_id)),
  },
  shared: null,
  secondsLeft: row.secondsLeft ?? 0,
});
