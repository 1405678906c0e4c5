import { sql } from "kysely";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { accountRules } from "@arcada/contract/account/account.rules";
import { findRole } from "@arcada/contract/kernel/roles";
import { utcZone } from "@arcada/contract/kernel/time-zone";
import type { Principal, ActiveMembership } from "../../platform/http/request-context.ts";
import type { Config } from "../../platform/runtime/config.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Live } from "../../platform/live/live-notifications.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { newId, newSecret, secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { Authenticate, AuthenticationMode } from "../../platform/http/serve-calls.ts";
import { resolveZone } from "../../domain/institution-time-zone.ts";
import { readCookie, setCookie } from "../../platform/http/cookies.ts";
import { isBrowser, sessionCookieName } from "./cookie-names.ts";
import { isLocked, isStillMember } from "./session-validity.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";
import type { Row } from "../../tables/row.ts";

/** Starts a session. A browser also gets an HttpOnly cookie, without which its token is worth nothing. */
export async function startSession(
  db: Db,
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  start: { uid: string; membership: ActiveMembership; remember: boolean },
): Promise<{ token: string; iid: string | null }> {
  const kind = isBrowser(request) ? "browser" : "api";
  const seconds = sessionSeconds(kind, start.remember);
  const sid = kind === "browser" ? newSecret() : null;
  const before = await replaceBrowserSession(db, start.uid, readCookie(request, sessionCookieName(config, request)));
  const { iid, authorityId } = before?.place ?? start.membership;
  const idle = kind === "browser" && config.IDLE_MINUTES > 0 ? Math.ceil(config.IDLE_MINUTES * 60) : null;
  if (sid) setCookie(reply, config, request, sessionCookieName(config, request), sid, start.remember ? seconds : null);
  const token = newSecret();
  await sql`insert into session (id, user_id, chain, token_hash, sid_hash, kind, institution_id, authority_id, remember, agent, address, idle_seconds, expires_at)
    values (${newId()}, ${start.uid}, ${before?.chain ?? newId()}, ${secretHash(token)}, ${sid && secretHash(sid)}, ${kind}, ${iid},
      ${authorityId}, ${start.remember}, ${String(request.headers["user-agent"] ?? "").slice(0, 200)}, ${request.ip},
      ${idle}, now() + make_interval(secs => ${seconds}))`.execute(db);
  return { token, iid };
}

/**
 * Replaces the session that this browser had of the same user, which the new cookie makes worthless. A locked session
 * continues as the new one in the same place, with the addresses that its pages hold; its own token stays locked. Any
 * other session ends.
 */
async function replaceBrowserSession(db: Db, uid: string, sid: string | undefined) {
  if (!sid) return null;
  const found = await sql<{
    chain: string;
    locked: boolean;
    member: boolean;
    institution_id: string | null;
    authority_id: number;
  }>`update session s set rotated_at = now(), locked_at = case when ${isLocked} then coalesce(locked_at, now()) end,
      ended_at = case when ${isLocked} then null else now() end, end_reason = case when ${isLocked} then null else 'signedInAgain' end
    where user_id = ${uid} and sid_hash = ${secretHash(sid)} and ended_at is null and rotated_at is null and expires_at > now()
    returning chain, locked_at is not null as locked, ${isStillMember} as member, institution_id, authority_id`.execute(
    db,
  );
  const row = found.rows.find(({ locked }) => locked);
  if (!row) return null;
  const membership = row.member ? { iid: row.institution_id, authorityId: row.authority_id } : null;
  return { chain: row.chain, place: membership };
}

/**
 * Notes that someone is at the page. It is written at most twice in `touchEvery` seconds, however often it is reported.
 */
export const touchSession = (db: Db, sessionId: string) =>
  sql`update session set seen_at = now() where chain = (select chain from session where id = ${sessionId}) and ended_at is null
    and seen_at < now() - make_interval(secs => ${accountRules.touchEvery / 2})`.execute(db);
/** Locks only sessions of a browser: the holder of a program's token has no screen to hide. */
export const lockSession = (db: Db, sessionId: string) =>
  sql`update session set locked_at = now() where chain = (select chain from session where id = ${sessionId})
    and kind = 'browser' and ended_at is null and locked_at is null`.execute(db);
/** A step-up authentication counts for the session and for its successors. */
export const recordProof = (db: Db, sessionId: string) =>
  sql`update session set proven_at = now() where chain = (select chain from session where id = ${sessionId})
    and ended_at is null`.execute(db);

const sessionSeconds = (kind: "browser" | "api", remember: boolean): number =>
  kind === "api"
    ? accountRules.apiSessionSeconds
    : remember
      ? accountRules.rememberedSeconds
      : accountRules.sessionSeconds;

/**
 * Replaces a session's token within the same chain; the predecessor works for a minute more. Returns null if someone
 * else was first.
 */
export async function rotateToken(db: Db, sessionId: string, membership?: ActiveMembership): Promise<string | null> {
  const token = newSecret();
  const made = await sql<Row<"session", "id">>`with old as (
      update session set rotated_at = now() where id = ${sessionId} and rotated_at is null and ended_at is null returning *)
    insert into session (id, user_id, chain, token_hash, sid_hash, kind, institution_id, authority_id, remember, agent, address, chain_since,
      seen_at, idle_seconds, locked_at, proven_at, expires_at)
    select ${newId()}, user_id, chain, ${secretHash(token)}, sid_hash, kind,
      ${membership ? sql`${membership.iid}::uuid` : sql`institution_id`}, ${membership ? sql`${membership.authorityId}::int` : sql`authority_id`}, remember, agent, address, chain_since,
      case when idle_seconds is null then now() else seen_at end, idle_seconds, locked_at, proven_at, now() + make_interval(secs => (case when kind = 'api' then ${accountRules.apiSessionSeconds}::int
        when remember then ${accountRules.rememberedSeconds}::int else ${accountRules.sessionSeconds}::int end))
    from old returning id`.execute(db);
  return made.rows.length > 0 ? token : null;
}

/** Returns the current session of this one's chain: a holder of the predecessor moves the whole chain on. */
async function findCurrentSession(db: Db, sessionId: string): Promise<string> {
  const found = await sql<
    Row<"session", "id">
  >`select id from session where chain = (select chain from session where id = ${sessionId})
    and rotated_at is null and ended_at is null`.execute(db);
  return found.rows[0]?.id ?? sessionId;
}

export async function switchMembership(
  db: Db,
  sessionId: string,
  membership: ActiveMembership,
): Promise<{ token: string }> {
  const token = await bypassTenantScope(db, async () =>
    rotateToken(db, await findCurrentSession(db, sessionId), membership),
  );
  return { token: token ?? refuse("signedOutElsewhere") };
}

export const endSessions = (db: Db, which: { uid: string; exceptChainOf?: string }, reason: string) =>
  sql`update session set ended_at = now(), end_reason = ${reason} where user_id = ${which.uid} and ended_at is null
    and chain is distinct from (select chain from session where id = ${which.exceptChainOf ?? null})`.execute(db);
export const endSessionChain = (db: Db, sessionId: string, reason: string) =>
  sql`update session set ended_at = now(), end_reason = ${reason}
    where chain = (select chain from session where id = ${sessionId}) and ended_at is null`.execute(db);

interface SessionRow {
  id: string;
  user_id: string;
  token_hash: string;
  sid_hash: string | null;
  kind: "browser" | "api";
  institution_id: string | null;
  authority_id: number;
  nick_name: string;
  suspended: boolean;
  member: boolean;
  expired: boolean;
  ended_at: string | null;
  late: boolean;
  half: boolean;
  rotated: boolean;
  locked: boolean;
  factor_missing: boolean;
  time_zone: string | null;
  country: string | null;
}

/**
 * Authenticates requests by their session. A row is trusted for half a second, so that a burst of calls reads it once
 * and an ended session is refused within one second everywhere, without a message between processes. The rows of a
 * person whose sessions changed are read again at once: the page that is notified of a new role asks for it within
 * milliseconds, and only once.
 */
export function createAuthenticator(database: Database, config: Config, live: Pick<Live, "observe">): Authenticate {
  const cached = new LRUCache<string, { row: Promise<SessionRow | undefined>; until: number; uid?: string }>({
    max: 5000,
  });
  live.observe("session", (uid) => {
    for (const [hash, entry] of cached) if (!uid || !entry.uid || entry.uid === uid) cached.delete(hash);
  });
  const read = (hash: string): Promise<SessionRow | undefined> => {
    // The time is taken before the query: a slow result is an old one.
    const now = Date.now();
    const known = cached.get(hash);
    if (known && known.until > now) return known.row;
    const row = readSession(database, hash);
    const entry: NonNullable<ReturnType<typeof cached.get>> = { row, until: now + 500 };
    cached.set(hash, entry);
    const forget = () => void (cached.get(hash) === entry && cached.delete(hash));
    // Do not keep an unknown session: it may exist a moment later.
    row.then((found) => (found ? void (entry.uid = found.user_id) : forget()), forget);
    return row;
  };
  return async (request, reply, mode) => {
    const token = readToken(request);
    if (!token) return null;
    const row = (await read(secretHash(token))) ?? refuse("unknownSession");
    await requireValidSession(database, row, mode);
    const sid = readCookie(request, sessionCookieName(config, request));
    if (row.sid_hash && (!sid || secretHash(sid) !== row.sid_hash)) refuse("unknownSession");
    if (row.half && !row.rotated && !row.locked && mode !== "stays" && mode !== "upload")
      await renewToken(database, row, reply);
    return toPrincipal(row);
  };
}

const readToken = (request: FastifyRequest): string | undefined => {
  const { token, authorization } = request.headers;
  if (typeof token === "string" && token !== "") return token;
  return authorization?.startsWith("Bearer ") ? authorization.slice(7) : undefined;
};

const readSession = async (database: Database, hash: string): Promise<SessionRow | undefined> => {
  const [row] = await database.queryAsSystem(
    sql<SessionRow>`${prepared} select s.id, s.user_id, s.token_hash, s.sid_hash, s.kind, s.institution_id, s.authority_id, u.nick_name,
        u.suspended_at is not null as suspended, s.expires_at < now() as expired, s.ended_at,
        s.rotated_at is not null as rotated,
        s.rotated_at < now() - make_interval(secs => ${accountRules.rotationGrace}) as late,
        now() > s.created_at + (s.expires_at - s.created_at) / 2 as half,
        ${isStillMember} as member, ${isLocked} as locked,
        coalesce(home.require_factor, false) and not arcada_two_steps(s.user_id) as factor_missing,
        home.time_zone, home.country
      from session s join users u on u.id = s.user_id left join institution home on home.id = s.institution_id
      where s.token_hash = ${hash}`,
  );
  return row;
};

async function requireValidSession(
  database: Database,
  row: SessionRow,
  mode: AuthenticationMode | undefined,
): Promise<void> {
  if (row.ended_at) refuse("signedOutElsewhere");
  if (row.suspended) refuse("accountSuspended");
  if (row.late) {
    // A replaced token is used after its grace period: someone kept a copy. The whole chain ends.
    if (mode !== "stays" && mode !== "upload") await database.asSystem((db) => endSessionChain(db, row.id, "replayed"));
    refuse("signedOutElsewhere");
  }
  if (row.expired) refuse("sessionExpired");
  if (!row.member) refuse("signedOutElsewhere");
  if (row.locked && mode !== "whileLocked" && mode !== "upload") refuse("sessionLocked");
}

async function renewToken(database: Database, row: SessionRow, reply: FastifyReply): Promise<void> {
  const token = await database.asSystem((db) => rotateToken(db, row.id));
  row.rotated = true;
  if (token) reply.header("new-token", token);
}

const toPrincipal = (row: SessionRow): Principal => ({
  sessionId: row.id,
  ...pickColumns(row, "token_hash", "kind", "factor_missing"),
  uid: row.user_id,
  name: row.nick_name,
  iid: row.institution_id,
  role: findRole(row.authority_id),
  timeZone: row.country === null ? utcZone : resolveZone({ time_zone: row.time_zone, country: row.country }),
});
