import { roles } from "@arcada/contract/kernel/roles";
import { screens } from "@arcada/contract/screens";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import type { EventData } from "../../platform/events/events.ts";
import { queueEmail } from "../../platform/mail/email-queue.ts";
import { countEmail } from "../../platform/mail/message-limits.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { translate } from "../../platform/text/texts.ts";
import { parseTarget, findUserByTarget } from "../account.store.ts";
import { initStatus } from "../profile/complete-account.ts";
import type { institutionOpened } from "../../institution/institution.events.ts";

/**
 * Subscriber: opens the account of an institution's first manager on behalf of after-sales. It has no password and
 * opens to anyone who can read the mailbox, by a code that is sent there.
 */
export async function createFirstManagerAccount(
  db: Db,
  domainEvent: EventData<typeof institutionOpened>,
): Promise<void> {
  const { user, email, personName, type, institutionName, language, by } = domainEvent;
  const target = parseTarget(email, "");
  await countEmail(db, target.value);
  const opener = await bypassTenantScope(db, async () => {
    if (await findUserByTarget(db, target)) refuse("accountTaken", { email: "accountTaken" });
    await db
      .insertInto("users")
      .values({ id: user, nick_name: personName, user_name: personName, language, init_status: initStatus[type] })
      .execute();
    await db
      .insertInto("contact")
      .values({ user_id: user, kind: "email", value: target.value, country_code: null })
      .execute();
    return db.selectFrom("users").select("nick_name").where("id", "=", by).executeTakeFirstOrThrow();
  });
  const role = type === "clinic" ? roles.clinicAdmin : roles.factoryAdmin;
  await queueEmail(db, {
    to: target.value,
    language,
    name: "accountOpened",
    values: {
      institution: institutionName,
      opener: opener.nick_name,
      role: translate(language, "common", `role.${role === roles.clinicAdmin ? "clinicAdmin" : "factoryAdmin"}`),
    },
    link: screens.forgot.path,
  });
}
