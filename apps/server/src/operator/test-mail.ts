import type { Output } from "@arcada/contract/kernel/call";
import type { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { audit } from "../platform/audit/audit.ts";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { sendEmailNow } from "../platform/mail/email.ts";
import { MailError } from "../platform/mail/smtp.ts";

type Outcome = Output<typeof operatorCalls.sendTestMail>;

/** Sends an email to the operator's own address. It holds no connection to the database while the mail server answers. */
export async function sendTestMail(context: ManualTransactionContext<MemberContext>): Promise<Outcome> {
  const { config, language, principal } = context;
  const to = await context.inTransaction(({ db }) =>
    db
      .selectFrom("contact")
      .select("value")
      .where("user_id", "=", principal.uid)
      .where("kind", "=", "email")
      .executeTakeFirst(),
  );
  if (!to) return { to: null, state: "noAddress", reason: null };
  if (!config.SMTP_URL) return { to: to.value, state: "notConfigured", reason: null };
  try {
    await sendEmailNow(config, { to: to.value, language, name: "test" });
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return { to: to.value, state: "failed", reason: error.message };
  }
  await context.inTransaction(({ db, address }) =>
    audit(db, { institution_id: null, user_id: principal.uid, action: "operator.sendTestMail", address }),
  );
  return { to: to.value, state: "sent", reason: null };
}
