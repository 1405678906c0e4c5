import { sql } from "kysely";
import type { SetupPurpose } from "@arcada/contract/account/setup.calls";
import { setupRules } from "@arcada/contract/account/setup.calls";
import { roles } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import type { Database, Db } from "../../platform/database/database.ts";
import { secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { issueTicket, redeemTicket } from "../ticket.writes.ts";

const ticketKind = "setup";

export interface SetupLink {
  purpose: SetupPurpose;
  /** The account that the link is for; null if its first user chooses it. */
  account: string | null;
  /** The user whose password it sets. */
  uid: string | null;
}

/** Creates a one-time link; the database keeps only a hash of its secret. Returns its path. */
export async function createSetupLink(db: Db, link: SetupLink): Promise<string> {
  const secret = await issueTicket(db, ticketKind, link.account ?? "", { ...link }, setupRules.linkSeconds);
  return `${screens.setup.path}#${secret}`;
}

/** Returns the path of a link for the first operator; null if the installation has an operator. */
export const createFirstOperatorLink = (database: Database): Promise<string | null> =>
  database.asSystem(async (db) =>
    (await hasOperator(db)) ? null : createSetupLink(db, { purpose: "first", account: null, uid: null }),
  );

/** Returns what a link is for. Refuses `setupExpired`, `setupUsed`, or `setupDone` if an operator exists meanwhile. */
export async function requireSetupLink(db: Db, secret: string): Promise<SetupLink> {
  const found =
    (await db
      .selectFrom("ticket")
      .select(["data", "used_at", sql<boolean>`expires_at <= now()`.as("expired")])
      .where("hash", "=", secretHash(secret))
      .where("kind", "=", ticketKind)
      .executeTakeFirst()) ?? refuse("setupExpired");
  const link = found.data as unknown as SetupLink;
  if (link.purpose === "first" && (await hasOperator(db))) refuse("setupDone");
  if (found.used_at !== null) refuse("setupUsed");
  if (found.expired) refuse("setupExpired");
  return link;
}

/**
 * Redeems a link. Concurrent callers wait for each other, so that of two people at the page, with one link or with two,
 * only the first becomes the first operator.
 */
export async function redeemSetupLink(db: Db, secret: string): Promise<SetupLink> {
  await lockOperators(db);
  const link = await requireSetupLink(db, secret);
  if (!(await redeemTicket(db, ticketKind, secret))) refuse("setupUsed");
  return link;
}

/** Holds until the end of the transaction: whoever adds or suspends an operator decides alone. */
export const lockOperators = (db: Db) =>
  sql`select pg_advisory_xact_lock(hashtextextended('operators', 0))`.execute(db);

/** A suspended operator, such as that of a closed demonstration, cannot administer the installation. */
export const hasOperator = async (db: Db, except: string | null = null): Promise<boolean> => {
  const { rows } = await sql`select from membership m join users u on u.id = m.user_id
    where m.institution_id is null and m.authority_id = ${roles.operator.authorityId} and m.state = 'normal'
      and u.suspended_at is null and u.id is distinct from ${except}::uuid limit 1`.execute(db);
  return rows.length > 0;
};
