import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { shareRules, type SharedKind } from "@arcada/contract/share/share.rules";
import type { GuestSession } from "../platform/http/request-context.ts";
import type { Config } from "../platform/runtime/config.ts";
import { cookieName, readCookie, setCookie } from "../platform/http/cookies.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { FindValidHolders, ValidHolder } from "../platform/live/address-holders.ts";
import { newId, newSecret, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { secret } from "../platform/runtime/services.ts";
import { hashAddress } from "./share-secrets.ts";
import { isLinkActive, isSubjectAvailable, subjectAndPatientJoins, type ShareRow } from "./share.store.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";
import type { Row } from "../tables/row.ts";

interface GuestRequest {
  config: Config;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Begins a new guest session: the page receives one half of its secret, a cookie that scripts cannot read contains the
 * other.
 */
export async function beginGuestSession(
  db: Db,
  { institution_id, id }: Pick<ShareRow, "institution_id" | "id">,
  { config, request, reply }: GuestRequest,
): Promise<string> {
  const guestSessionId = newId();
  const [token, cookie] = [newSecret(), newSecret()];
  await sql`insert into share_visit (id, institution_id, share_id, token_hash, cookie_hash, expires_at)
    values (${guestSessionId}, ${institution_id}, ${id}, ${secretHash(token)}, ${secretHash(cookie)},
      now() + make_interval(mins => ${shareRules.visitMinutes}))`.execute(db);
  setCookie(
    reply,
    config,
    request,
    cookieName(config, request, guestCookieName(guestSessionId)),
    cookie,
    shareRules.visitMinutes * 60,
  );
  return `${guestSessionId}.${token}`;
}

/** Each guest session has its own cookie: two links may be open at the same time. */
const guestCookieName = (guestSessionId: string): string => `visit-${guestSessionId.slice(0, 13)}`;

interface GuestSessionRow {
  institution_id: string;
  house_id: string;
  share_id: string;
  kind: SharedKind;
  thing_id: string;
  label: string;
  nameless: boolean;
  may_download: boolean;
  created_at: string;
  expires_at: string;
  is_over: boolean;
  opens: boolean;
}

/**
 * Authenticates the visitor of a link. Reads the database each time: a cancelled link shows nothing to the next
 * request.
 */
export const guestAuthenticator =
  (database: Database, config: Config) =>
  async (request: FastifyRequest): Promise<GuestSession> => {
    const [id = "", token = ""] = String(request.headers.visit ?? "").split(".");
    if (!/^[0-9a-f-]{36}$/.test(id) || token === "") return refuse("shareVisitOver");
    const cookie = readCookie(request, cookieName(config, request, guestCookieName(id))) ?? "";
    const row = await database.asSystem(async (db) => {
      const { rows } =
        await sql<GuestSessionRow>`select h.institution_id, h.house_id, v.share_id, h.kind, h.thing_id, h.label, h.nameless, h.may_download,
          h.created_at, least(v.expires_at, h.expires_at) as expires_at,
          v.ended_at is not null or v.expires_at <= now() as is_over, ${isLinkActive} and ${isSubjectAvailable} as opens
        from share_visit v join share h on h.institution_id = v.institution_id and h.id = v.share_id ${subjectAndPatientJoins}
        where v.id = ${id} and v.token_hash = ${secretHash(token)} and v.cookie_hash = ${secretHash(cookie)}`.execute(
          db,
        );
      return rows[0];
    });
    if (!row || row.is_over) return refuse("shareVisitOver");
    if (!row.opens) return refuse("shareGone");
    return {
      id,
      tokenHash: secretHash(token),
      iid: row.institution_id,
      sharedBy: row.house_id,
      ...pickColumns(row, "share_id", "kind", "thing_id", "label", "may_download"),
      isDeidentified: row.nameless,
      visitorMark: hashAddress(secret(), row.share_id, request.ip),
      since: row.created_at,
      until: row.expires_at,
    };
  };

/** Returns the guest sessions that are still valid: file addresses that a visitor received end with the link. */
export const findActiveGuestSessions =
  (database: Database): FindValidHolders<ValidHolder> =>
  (guestSessionIds) =>
    database.asSystem(async (db) => {
      const { rows } =
        await sql<ActiveGuestSession>`select v.id, v.institution_id, v.token_hash, v.cookie_hash, h.kind, h.thing_id from share_visit v
        join share h on h.institution_id = v.institution_id and h.id = v.share_id ${subjectAndPatientJoins}
        where v.id = any(${guestSessionIds}::uuid[]) and v.ended_at is null and v.expires_at > now() and ${isLinkActive} and ${isSubjectAvailable}`.execute(
          db,
        );
      return new Map(rows.map((row) => [row.id, toReader(row)]));
    });

type ActiveGuestSession = Row<"share_visit", "id" | "institution_id" | "token_hash" | "cookie_hash"> &
  Row<"share", "kind" | "thing_id">;
const toReader = (row: ActiveGuestSession): ValidHolder => ({
  tokenHash: row.token_hash,
  cookie: { name: guestCookieName(row.id), hash: row.cookie_hash },
  tenantScope: { system: false, iid: row.institution_id, uid: null },
  shared: { kind: row.kind, id: row.thing_id },
});

export const endGuestSession = (db: Db, { id, iid }: GuestSession) =>
  sql`update share_visit set ended_at = now() where institution_id = ${iid} and id = ${id}`.execute(db);
