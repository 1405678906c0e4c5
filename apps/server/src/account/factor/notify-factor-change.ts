import type { AuthenticatedContext } from "../../platform/http/request-context.ts";
import { queueEmail } from "../../platform/mail/email-queue.ts";
import { parseLanguage, translate } from "../../platform/text/texts.ts";
import { recordFactorChange } from "./factor-proof.ts";

type FactorChange =
  | "totpOn"
  | "totpOff"
  | "recoveryRenewed"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "passkeySecondOn"
  | "passkeySecondOff"
  | "identityRemoved";

/** Notifies the owner by email too: the change may have been made by someone at an unattended screen. */
export async function notifyFactorChange(context: AuthenticatedContext, change: FactorChange): Promise<void> {
  const { db, principal } = context;
  await recordFactorChange(context, `factor.${change}`);
  const owner = await db
    .selectFrom("users")
    .innerJoin("contact", "contact.user_id", "users.id")
    .select(["users.language", "contact.value"])
    .where("users.id", "=", principal.uid)
    .where("contact.kind", "=", "email")
    .executeTakeFirst();
  if (!owner) return;
  const language = parseLanguage(owner.language);
  await queueEmail(db, {
    to: owner.value,
    language,
    name: "factorChanged",
    values: { change: translate(language, "letter", `factorChanged.what.${change}`) },
    link: "/profile/index",
  });
}
