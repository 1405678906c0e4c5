import type { Output } from "@arcada/contract/kernel/call";
import type {
  CheckState,
  InstallationCheck,
  installationCalls,
} from "@arcada/contract/operator/installation-checks.calls";
import { audit } from "../platform/audit/audit.ts";
import type { ManualTransactionContext, MemberContext } from "../platform/http/request-context.ts";
import { sendEmailNow } from "../platform/mail/email-queue.ts";
import { MailError } from "../platform/mail/message-types.ts";
import type { Db } from "../platform/database/database.ts";
import type { Config } from "../platform/runtime/config.ts";
import { checkBackups } from "./backup-health.ts";

export interface InstallationState {
  name: InstallationCheck;
  state: CheckState;
}

/** Compares the instance with what an installation needs before real people use it. */
export async function checkInstallation(db: Db, config: Config, now: Date): Promise<InstallationState[]> {
  const backups = await checkBackups(db, config, now);
  const done = (isDone: boolean): CheckState => (isDone ? "done" : "missing");
  const { PUBLIC_URL, SMTP_URL, SMS_URL, SECRET_KEY, ARCADA_DEMO } = config;
  const states: Record<InstallationCheck, CheckState> = {
    demo: done(!ARCADA_DEMO),
    publicUrl: done(PUBLIC_URL !== undefined),
    https: done(PUBLIC_URL?.startsWith("https:") === true),
    mail: done(SMTP_URL !== undefined),
    sms: SMS_URL === undefined ? "off" : "done",
    // A key that the server made lies beside the data, so a copy of the folder contains both.
    secretKey: done(SECRET_KEY !== undefined),
    // Arcada cannot see the backups of other programs.
    backup:
      backups.warning === "notConfigured"
        ? "unknown"
        : done(!["failed", "old", "noneYet"].includes(backups.warning ?? "")),
  };
  return Object.entries(states).map(([name, state]) => ({ name: name as InstallationCheck, state }));
}

type Outcome = Output<typeof installationCalls.sendTestMail>;

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
