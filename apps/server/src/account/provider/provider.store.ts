import type { Db } from "../../platform/database/database.ts";
import { insertUser, userByTarget } from "../account.store.ts";
import type { Stranger } from "./provider.ts";

/**
 * Returns the user for an identity: by the provider's subject, else by an email address that the provider has verified,
 * else a new user. Returns null if there is neither a known subject nor a verified address.
 */
export async function userOf(db: Db, who: Stranger, language: string): Promise<string | null> {
  const linked = await db
    .selectFrom("identity")
    .select("user_id")
    .where("issuer", "=", who.issuer)
    .where("subject", "=", who.subject)
    .executeTakeFirst();
  if (linked) return linked.user_id;
  if (who.email === null) return null;
  const target = { kind: "email", value: who.email, countryCode: null } as const;
  const uid =
    (await userByTarget(db, target))?.id ??
    (await insertUser(db, {
      target,
      passwordHash: null,
      nickName: who.name ?? who.email.replace(/@.*/, ""),
      intendedRole: null,
      language,
    }));
  await db
    .insertInto("identity")
    .values({ issuer: who.issuer, subject: who.subject, user_id: uid, email: who.email })
    .execute();
  return uid;
}
