import { refuse } from "../platform/http/refuse.ts";
import type { Language } from "@arcada/contract/kernel/languages";
import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";

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
    /** Null for a user who was not asked for it yet. */
    country: string | null;
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
      country: user.country,
      // The first sign-in demands what is missing: the country, or an address that receives email.
      init_status: user.country !== null && user.target.kind === "email" ? 0 : 1,
    })
    .execute();
  const contact = await db
    .insertInto("contact")
    .values({ user_id: id, kind: user.target.kind, value: user.target.value, country_code: user.target.countryCode })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  // Two requests for one address can both have found it free.
  return contact.numInsertedOrUpdatedRows === 1n ? id : refuse("accountTaken");
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
