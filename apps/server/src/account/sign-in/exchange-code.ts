import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { AuthenticatedContext, Context, ActiveMembership } from "../../platform/http/request-context.ts";
import { audit } from "../../platform/audit/audit.ts";
import { readCookie } from "../../platform/http/cookies.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse, refuseAndKeep } from "../../platform/http/refuse.ts";
import { issueTicket, redeemTicket } from "../ticket.writes.ts";
import { providerCookieName, sessionCookieName } from "../session/cookie-names.ts";
import { isLocked, isStillMember } from "../session/session-validity.ts";
import { startUserSession, signIn } from "./sign-in.ts";
import type { Column } from "../../tables/row.ts";
import { findLaunchableMember, findKeyInstitution, isKeyValid } from "./find-launchable-member.ts";

/**
 * The content of an exchange code: a sign-in at an identity provider, a session of the same person, or an API key of a
 * program that may open the product as them.
 */
interface ExchangeContent {
  provider?: string;
  browser?: string;
  session?: string;
  key?: string;
}

export async function issueExchangeCode(
  { db, principal, address, requestId }: AuthenticatedContext,
  uid: string,
  data: ExchangeContent,
): Promise<{ code: string; expiresIn: number }> {
  const code = await bypassTenantScope(db, () =>
    issueTicket(db, "exchange", uid, { ...data }, accountRules.exchangeSeconds),
  );
  await audit(db, {
    institution_id: principal.iid,
    user_id: principal.uid,
    action: "account.exchangeCode",
    subject: uid,
    address,
    request_id: requestId,
  });
  return { code, expiresIn: accountRules.exchangeSeconds };
}

/** Trades a code for a session. A code that was refused is spent as well. */
export async function redeemExchangeCode(context: Context, code: string): Promise<{ token: string }> {
  const { db, config, request } = context;
  const ticket = (await redeemTicket(db, "exchange", code)) ?? refuse("exchangeSpent");
  const { provider, browser, session, key } = ticket.data as ExchangeContent;
  const signInUser = { uid: ticket.target, remember: false };
  if (provider) {
    const cookie = readCookie(request, providerCookieName(config, request));
    if (browser && secretHash(cookie ?? "") !== browser) refuseAndKeep("exchangeSpent");
    return signIn(context, { ...signInUser, action: "signIn.provider" });
  }
  // Someone at a locked screen may be able to start the other program; only the owner may open the lock.
  if (await hasLockedSession(context, signInUser.uid)) refuseAndKeep("sessionLocked");
  if (key) {
    const isGood =
      (await isKeyValid(db, key)) &&
      (await findLaunchableMember(db, await findKeyInstitution(db, key), signInUser.uid)) === signInUser.uid;
    if (!isGood) refuseAndKeep("exchangeSpent");
    return signIn(context, { ...signInUser, action: "signIn.launch" });
  }
  const membership = session ? await findSessionMembership(db, session) : null;
  if (!membership) return refuseAndKeep("exchangeSpent");
  // The session that made the code has presented all factors already.
  return startUserSession(context, { ...signInUser, action: "signIn.exchange", membership });
}

/** Returns the active membership of the session that made a code; null if the session has ended or is locked. */
async function findSessionMembership(db: Db, id: string): Promise<ActiveMembership | null> {
  const { rows } = await bypassTenantScope(db, () =>
    sql<{
      iid: Column<"session", "institution_id">;
      authorityId: Column<"session", "authority_id">;
    }>`select s.institution_id as iid, s.authority_id as "authorityId" from session made
      join session s on s.chain = made.chain and s.ended_at is null and s.rotated_at is null
      where made.id = ${id} and s.expires_at > now() and not ${isLocked} and ${isStillMember}`.execute(db),
  );
  return rows[0] ?? null;
}

async function hasLockedSession({ db, config, request }: Context, uid: string): Promise<boolean> {
  const sid = readCookie(request, sessionCookieName(config, request));
  if (!sid) return false;
  const { rows } = await bypassTenantScope(db, () =>
    sql`select from session s where s.user_id = ${uid} and s.sid_hash = ${secretHash(sid)} and s.ended_at is null
      and s.rotated_at is null and s.expires_at > now() and ${isLocked}`.execute(db),
  );
  return rows.length > 0;
}
