import type { Language } from "@arcada/contract/kernel/languages";
import type { Db } from "../../platform/database/database.ts";
import { insertUser, findUserByTarget } from "../account.store.ts";
import type { ProviderIdentity } from "./openid-client.ts";

/**
 * Returns the user for an identity: by the provider's subject, else by an email address that the provider has verified,
 * else a new user. Returns null if there is neither a known subject nor a verified address.
 */
export async function findOrCreateUser(db: Db, identity: ProviderIdentity, language: Language): Promise<string | null> {
  const linked = await db
    .selectFrom("identity")
    .select("user_id")
    .where("issuer", "=", identity.issuer)
    .where("subject", "=", identity.subject)
    .executeTakeFirst();
  if (linked) return linked.user_id;
  if (identity.email === null) return null;
  const target = { kind: "email", value: identity.email, countryCode: null } as const;
  const uid =
    (await findUserByTarget(db, target))?.id ??
    (await insertUser(db, {
      target,
      passwordHash: null,
      nickName: identity.name ?? identity.email.replace(/@.*/, ""),
      intendedRole: null,
      country: null,
      language,
    }));
  await db
    .insertInto("identity")
    .values({ issuer: identity.issuer, subject: identity.subject, user_id: uid, email: identity.email })
    .execute();
  return uid;
}
