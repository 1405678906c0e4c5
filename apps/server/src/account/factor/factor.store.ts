import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { keyedHash } from "../../platform/runtime/ids-and-secrets.ts";
import { selectValue } from "../../platform/database/select-value.ts";

export const findTotp = (db: Db, uid: string) =>
  db.selectFrom("totp").selectAll().where("user_id", "=", uid).executeTakeFirst();

/** Stores a secret for which no code was presented yet, in place of an earlier unconfirmed one. */
export const saveUnconfirmedTotp = (db: Db, uid: string, sealed: string) =>
  sql`insert into totp (user_id, sealed) values (${uid}, ${sealed}) on conflict (user_id)
    do update set sealed = excluded.sealed, last_step = 0, made_at = now() where totp.confirmed_at is null`.execute(db);
/** False if this step or a later one was used already. */
export async function spendTotpStep(db: Db, uid: string, step: number): Promise<boolean> {
  const used = await sql`update totp set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where user_id = ${uid} and last_step < ${step}`.execute(db);
  return used.numAffectedRows === 1n;
}
export const removeTotp = (db: Db, uid: string) => db.deleteFrom("totp").where("user_id", "=", uid).execute();

export async function countRecoveryCodes(db: Db, uid: string): Promise<number> {
  return selectValue(
    db,
    sql<number>`(select count(*)::int from recovery_code where user_id = ${uid} and used_at is null)`,
  );
}
/** Replaces all earlier codes. */
export async function replaceRecoveryCodes(db: Db, uid: string, key: string, codes: string[]): Promise<void> {
  await db.deleteFrom("recovery_code").where("user_id", "=", uid).execute();
  await db
    .insertInto("recovery_code")
    .values(codes.map((code) => ({ user_id: uid, hash: recoveryHash(key, uid, code), used_at: null })))
    .execute();
}
/** Removes every second factor, for an owner who has lost them all. */
export async function deleteFactors(db: Db, uid: string): Promise<void> {
  await removeTotp(db, uid);
  await deleteRecoveryCodes(db, uid);
  await db.deleteFrom("passkey").where("user_id", "=", uid).execute();
  await setPasskeySecond(db, uid, false);
}

export const deleteRecoveryCodes = (db: Db, uid: string) =>
  db.deleteFrom("recovery_code").where("user_id", "=", uid).execute();
export async function spendRecoveryCode(db: Db, uid: string, key: string, code: string): Promise<boolean> {
  const used = await sql`update recovery_code set used_at = now()
    where user_id = ${uid} and hash = ${recoveryHash(key, uid, code)} and used_at is null`.execute(db);
  return used.numAffectedRows === 1n;
}
const recoveryHash = (key: string, uid: string, code: string): string => keyedHash(key, "recovery", uid, code);

export const readPasskeys = (db: Db, uid: string) =>
  db.selectFrom("passkey").selectAll().where("user_id", "=", uid).orderBy("made_at").execute();
export const findPasskey = (db: Db, id: string) =>
  db.selectFrom("passkey").selectAll().where("id", "=", id).executeTakeFirst();
export async function insertPasskey(
  db: Db,
  passkey: { id: string; uid: string; name: string; publicKey: Uint8Array; counter: number; transports: string[] },
): Promise<boolean> {
  const { id, uid, name, publicKey, counter, transports } = passkey;
  const made =
    await sql`insert into passkey (id, user_id, name, public_key, counter, transports) values (${id}, ${uid}, ${name},
      ${Buffer.from(publicKey)}, ${counter}, ${transports}) on conflict do nothing`.execute(db);
  return made.numAffectedRows === 1n;
}
/**
 * False if the counter has not grown: then someone else holds a copy. Authenticators without a counter always report 0.
 */
export async function recordPasskeyUse(db: Db, id: string, counter: number): Promise<boolean> {
  const used = await sql`update passkey set counter = ${counter}, used_at = now()
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`.execute(db);
  return used.numAffectedRows === 1n;
}
export async function deletePasskey(db: Db, uid: string, id: string): Promise<boolean> {
  const gone = await sql`delete from passkey where user_id = ${uid} and id = ${id}`.execute(db);
  return gone.numAffectedRows === 1n;
}
export const setPasskeySecond = (db: Db, uid: string, on: boolean) =>
  db.updateTable("users").set({ passkey_second: on }).where("id", "=", uid).execute();
