import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { findRole } from "@arcada/contract/kernel/roles";
import { intersectScopes, readResourceScopes } from "@arcada/contract/smart/smart-scopes";
import { smartRules } from "@arcada/contract/smart/smart.rules";
import { resolveZone } from "../domain/institution-time-zone.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";
import type { Database, Db } from "../platform/database/database.ts";
import type { Principal } from "../platform/http/request-context.ts";
import { createRateLimiter } from "../platform/http/rate-limit.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Authenticate } from "../platform/http/serve-calls.ts";
import type { FindValidHolders, ValidHolder } from "../platform/live/address-holders.ts";
import { secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { holdsRole } from "./grant.store.ts";

/**
 * Adds authentication by the access tokens of apps; requests without one go to `others`. An endpoint that apps may use
 * names the scope "fhir", and asks `demandAppAccess` about each record.
 */
export function authenticateApps(database: Database, others: Authenticate): Authenticate {
  const admit = createRateLimiter({
    perSecond: smartRules.requestsPerSecond,
    burstSeconds: 60,
    maxAddresses: 20_000,
  });
  return async (request, reply, mode, scopes = []) => {
    const token = readAccessToken(request);
    if (token === null)
      return others(
        request,
        reply,
        mode,
        scopes.filter((scope) => scope !== "fhir"),
      );
    const row = (await database.asSystem((db) => findToken(db, secretHash(token)))) ?? refuse("appTokenUnknown");
    if (!scopes.includes("fhir")) refuse("appNotHere");
    // By the app and its person: a backend service makes as many approvals as it likes.
    const waitMs = admit(`${row.app_id} ${row.user_id ?? ""}`, performance.now());
    if (waitMs > 0) {
      reply.header("retry-after", String(Math.ceil(waitMs / 1000)));
      refuse("tooManyRequests");
    }
    return toPrincipal(row);
  };
}

/** A session's token takes precedence: a page that has both acts for the person. */
function readAccessToken({ headers }: FastifyRequest): string | null {
  if (typeof headers.token === "string" && headers.token !== "") return null;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  return bearer?.startsWith(smartRules.accessPrefix) ? bearer : null;
}

/** The valid access tokens, each with the person's present state. It is read at every request: an end counts at once. */
const selectLiveTokens = (db: Db) =>
  db
    .selectFrom("smart_token as t")
    .innerJoin("smart_grant as g", "g.id", "t.grant_id")
    .innerJoin("smart_app as a", "a.id", "g.app_id")
    .innerJoin("institution as i", "i.id", "g.institution_id")
    .innerJoin("users as u", (join) => join.on(sql<boolean>`u.id = coalesce(g.user_id, g.app_id)`))
    .select(["t.id", "t.hash", "t.scopes", "t.grant_id", "g.institution_id", "g.user_id", "g.authority_id"])
    .select(["g.patient_id", "g.app_id", "a.name as app_name", "u.nick_name", "i.time_zone", "i.country"])
    .select("a.scopes as registered")
    .select(sql<boolean>`i.require_factor and not arcada_two_steps(u.id)`.as("factor_missing"))
    .where("t.kind", "=", "access")
    .where("t.expires_at", ">", sql<string>`now()`)
    .where("g.ended_at", "is", null)
    .where("a.revoked_at", "is", null)
    .where("u.suspended_at", "is", null)
    .where(holdsRole);

const findToken = (db: Db, hash: string) => selectLiveTokens(db).where("t.hash", "=", hash).executeTakeFirst();
type TokenRow = NonNullable<Awaited<ReturnType<typeof findToken>>>;

const toPrincipal = (row: TokenRow): Principal => ({
  sessionId: row.id,
  tokenHash: row.hash,
  uid: row.user_id ?? row.app_id,
  name: row.nick_name,
  iid: row.institution_id,
  role: findRole(row.authority_id),
  kind: "app",
  timeZone: resolveZone(row),
  factorMissing: row.user_id !== null && row.factor_missing,
  app: {
    id: row.app_id,
    name: row.app_name,
    ...pickColumns(row, "patient_id"),
    // A scope that the registration has lost meanwhile is lost for every token.
    scopes: readResourceScopes(intersectScopes(row.scopes, row.registered)),
  },
});

/** Returns the access tokens that are still valid: an address of a file that an app was given ends with its token. */
export const findActiveTokens =
  (database: Database): FindValidHolders<ValidHolder> =>
  (ids) =>
    database.asSystem(async (db) => {
      const rows = await selectLiveTokens(db).where("t.id", "in", ids).execute();
      return new Map(
        rows.map((row) => [
          row.id,
          {
            tokenHash: row.hash,
            cookie: null,
            tenantScope: { system: false, iid: row.institution_id, uid: row.user_id ?? row.app_id },
            shared: null,
          },
        ]),
      );
    });
