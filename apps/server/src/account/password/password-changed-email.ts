import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { queueEmail } from "../../platform/mail/email-queue.ts";
import { channelOf } from "../contact-channel.ts";
import { parseLanguage } from "../../platform/text/texts.ts";

/** Notifies the owner of a new password: it ends every other session, and the owner learns the reason here. */
export const emailPasswordChanged = (db: Db, uid: string) =>
  bypassTenantScope(db, async () => {
    const user = await db
      .selectFrom("users")
      .innerJoin("contact", "contact.user_id", "users.id")
      .select(["users.language", "contact.kind", "contact.value"])
      .where("users.id", "=", uid)
      .orderBy("contact.kind")
      .executeTakeFirst();
    if (!user) return;
    const channel = channelOf(user);
    await queueEmail(db, { to: user.value, channel, language: parseLanguage(user.language), name: "passwordChanged" });
  });
