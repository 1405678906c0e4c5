import type { Context } from "../../platform/http/request-context.ts";
import { newId, secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { readCookie, setCookie } from "../../platform/http/cookies.ts";
import { deviceCookieName } from "../session/cookie-names.ts";
import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

/** Records this browser as one from which the user has signed in. */
export async function rememberBrowser(context: Context, uid: string): Promise<void> {
  const name = deviceCookieName(context.config, context.request);
  const device = readCookie(context.request, name) ?? newId();
  setCookie(context.reply, context.config, context.request, name, device, 365 * 86_400);
  await rememberDevice(context.db, uid, device);
}

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
