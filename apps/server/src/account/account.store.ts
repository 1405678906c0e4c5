import type { Language } from "@arcada/contract/kernel/languages";
import { sql, type RawBuilder } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Database, Db } from "../platform/database/database.ts";
import { newId, newSecret, secretHash } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { limitedAddress } from "../platform/security/limited-address.ts";

/** The destination of a code or a sign-in: a phone number with its country, or an email address. */
export interface ContactTarget {
  kind: "phone" | "email";
  value: string;
  countryCode: string | null;
}
export const parseTarget = (account: string, countryCode: string): ContactTarget =>
  account.includes("@")
    ? { kind: "email", value: account.trim().toLowerCase(), countryCode: null }
    : {
        kind: "phone",
        value: `+${countryCode.replace("+", "")}${account.trim()}`,
        countryCode: `+${countryCode.replace("+", "")}`,
      };
export const targetKey = (target: ContactTarget): string => `${target.kind}:${target.value}`;

export const findUserByTarget = (db: Db, target: ContactTarget) =>
  db
    .selectFrom("users")
    .innerJoin("contact", "contact.user_id", "users.id")
    .select(["users.id", "users.password_hash", "users.suspended_at", "users.nick_name"])
    .where("contact.kind", "=", target.kind)
    .where("contact.value", "=", target.value)
    .executeTakeFirst();

/**
 * Returns the instant from which this contact may reset the password, if it is still to come. Someone who binds a
 * contact of their own to another person's account must not get its password at once. The contact with which an account
 * was created was bound in the same transaction and may reset it from the first moment.
 */
export async function findResetDate(db: Db, target: ContactTarget): Promise<string | null> {
  const delay = sql`make_interval(days => ${accountRules.contactDays}::int)`;
  const found = await db
    .selectFrom("contact as c")
    .innerJoin("users as u", "u.id", "c.user_id")
    .select(sql<string>`to_char(c.verified_at + ${delay}, 'YYYY-MM-DD HH24:MI "UTC"')`.as("day"))
    .where("c.kind", "=", target.kind)
    .where("c.value", "=", target.value)
    .where(sql<boolean>`c.verified_at > now() - ${delay} and c.verified_at <> u.created_at`)
    .executeTakeFirst();
  return found?.day ?? null;
}

export async function insertUser(
  db: Db,
  user: {
    target: ContactTarget;
    /** Null for a user who signs in at an identity provider; such a user has not agreed to our terms yet either. */
    passwordHash: string | null;
    nickName: string;
    intendedRole: string | null;
    language: Language;
  },
): Promise<string> {
  const id = newId();
  await db
    .insertInto("users")
    .values({
      id,
      nick_name: user.nickName,
      user_name: user.nickName,
      password_hash: user.passwordHash,
      intended_role: user.intendedRole,
      language: user.language,
      ...(user.passwordHash !== null && {
        terms_version: accountRules.legalVersion,
        agreed_at: new Date().toISOString(),
      }),
      // The first sign-in demands the country and the email address.
      init_status: 1,
    })
    .execute();
  await db
    .insertInto("contact")
    .values({ user_id: id, kind: user.target.kind, value: user.target.value, country_code: user.target.countryCode })
    .execute();
  return id;
}

export const setPassword = (db: Db, uid: string, hash: string) =>
  db.updateTable("users").set({ password_hash: hash }).where("id", "=", uid).execute();

/** Changes the password; false if it was changed meanwhile. Hashing is slow, and it must not undo a reset. */
export async function replacePasswordIfUnchanged(
  db: Db,
  uid: string,
  before: string | null,
  hash: string,
): Promise<boolean> {
  const changed = await sql`update users set password_hash = ${hash}
    where id = ${uid} and password_hash is not distinct from ${before}`.execute(db);
  return changed.numAffectedRows === 1n;
}

/** Serialises the attempts: guesses sent at once would all find the same few failures. */
export const lockAttempts = (db: Db, target: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`password ${target}`}, 0))`.execute(db);
/**
 * Counts the failures since the window began: of this account, of this address, and of this account within the hour.
 */
export async function countFailures(db: Db, target: string, from: string) {
  const address = limitedAddress(from);
  const count = (condition: RawBuilder<boolean>) => sql<number>`count(*) filter (where ${condition})::int`;
  const isInWindow = sql`at > now() - make_interval(secs => ${accountRules.failuresWindow})`;
  return db
    .selectFrom("login_failure")
    .select([
      count(sql`target = ${target} and ${isInWindow}`).as("account"),
      count(sql`address = ${address} and ${isInWindow}`).as("address"),
      count(sql`target = ${target}`).as("hour"),
    ])
    .where(sql<boolean>`(target = ${target} or address = ${address}) and at > now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
}
export async function insertFailure(db: Db, target: string, address: string): Promise<number> {
  const made = db
    .insertInto("login_failure")
    .values({ target, address: limitedAddress(address) })
    .returning("id");
  return (await made.executeTakeFirstOrThrow()).id;
}
export const deleteFailure = (db: Db, id: number) => db.deleteFrom("login_failure").where("id", "=", id).execute();
export const deleteFailures = (db: Db, target: string, address?: string) =>
  sql`delete from login_failure where target = ${target}
    and (${address ?? null}::text is null or address = ${address === undefined ? null : limitedAddress(address)})`.execute(
    db,
  );

export async function isKnownDevice(db: Db, uid: string, device: string | undefined): Promise<boolean> {
  if (!device) return false;
  const row = await db
    .selectFrom("known_device")
    .select("at")
    .where("user_id", "=", uid)
    .where("device_hash", "=", secretHash(device))
    .executeTakeFirst();
  return row !== undefined;
}
export const rememberDevice = (db: Db, uid: string, device: string) =>
  db
    .insertInto("known_device")
    .values({ user_id: uid, device_hash: secretHash(device) })
    .onConflict((conflict) => conflict.columns(["user_id", "device_hash"]).doUpdateSet({ at: sql`now()` }))
    .execute();

/**
 * Forgets the known browsers of a user, except this one. After a password change they count as unknown again: anyone
 * who signed in with the old password may have been a thief.
 */
export const deleteKnownDevices = (db: Db, uid: string, except?: string) =>
  sql`delete from known_device where user_id = ${uid} and device_hash is distinct from ${except === undefined ? null : secretHash(except)}`.execute(
    db,
  );

/** Makes a single-use secret for `data`; the database keeps its hash. */
export async function issueTicket(
  db: Db,
  kind: string,
  target: string,
  data: Record<string, unknown>,
  seconds: number,
  secret = newSecret(),
): Promise<string> {
  await sql`insert into ticket (hash, kind, target, data, expires_at) values (${secretHash(secret)}, ${kind}, ${target},
    ${JSON.stringify(data)}, now() + make_interval(secs => ${seconds}))`.execute(db);
  return secret;
}
/** Redeems a ticket; null if it is unknown, of another kind, used or too old. */
export const redeemTicket = (db: Db, kind: string, secret: string) =>
  db
    .updateTable("ticket")
    .set({ used_at: sql`now()` })
    .where("hash", "=", secretHash(secret))
    .where("kind", "=", kind)
    .where("used_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .returning(["target", "data"])
    .executeTakeFirst();

/** Refuses a secret that cannot be redeemed, before slow work is done for its bearer. */
export async function requireTicket(db: Db, kind: string, secret: string): Promise<void> {
  const found = await db
    .selectFrom("ticket")
    .select("hash")
    .where("hash", "=", secretHash(secret))
    .where("kind", "=", kind)
    .where("used_at", "is", null)
    .where("expires_at", ">", sql<string>`now()`)
    .executeTakeFirst();
  if (!found) refuse("ticketSpent");
}

/** True for the first call with this hash: a proof that was presented once cannot be presented again. */
export async function spendOnce(db: Db, once: { kind: string; hash: string; seconds: number }): Promise<boolean> {
  const inserted = await sql`insert into ticket (hash, kind, target, expires_at, used_at)
    values (${once.hash}, ${once.kind}, '', now() + make_interval(secs => ${once.seconds}), now()) on conflict do nothing`.execute(
    db,
  );
  return inserted.numAffectedRows === 1n;
}

/** Deletes addresses and spent secrets: no limit counts attempts older than a day. */
export const deleteSpentSecrets = (database: Database) =>
  database.asSystem(async (db) => {
    await sql`delete from login_failure where at < now() - interval '1 day'`.execute(db);
    await sql`delete from verification where created_at < now() - interval '1 day'`.execute(db);
    await sql`delete from ticket where expires_at < now() - interval '1 day'`.execute(db);
  });
