import { sql } from "kysely";
import type { KeyIn } from "@arcada/texts/keys";
import { emailRules, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { Config } from "../runtime/config.ts";
import { bypassTenantScope } from "../database/database.ts";
import type { Database, Db } from "../database/database.ts";
import { keyedHash } from "../runtime/ids.ts";
import { defineDeliveryQueue } from "../backup/held-deliveries.ts";
import { defineQueue } from "../jobs/jobs.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { emailHtml } from "./email-templates.ts";
import { MailError, maxConnections } from "./smtp.ts";
import { refuse } from "../http/refuse.ts";
import { jobs, mail, secret } from "../runtime/services.ts";
import { logEvent } from "../telemetry/log.ts";
import { translate } from "../text/texts.ts";
import type { Language } from "../text/texts.ts";

/** Entries of letter.json: every email has a subject, a title and a body, and one with a link the text of the link. */
type EntryWith<Part extends string> =
  KeyIn<"letter"> extends infer Key ? (Key extends `${infer Name}.${Part}` ? Name : never) : never;
type EmailName = EntryWith<"subject">;
export type LinkedEmailName = EmailName & EntryWith<"action">;

/** A link is a path of ours, with its query or fragment; it becomes an address under PUBLIC_URL. */
type EmailContent = { name: EmailName; link?: undefined } | { name: LinkedEmailName; link: string };
export type QueuedEmail = EmailContent & {
  to: string;
  language: Language;
  /** Fill the placeholders of the entry; never contain a patient's name. */
  values?: Record<string, string | number>;
  /** A text message consists of the body only. */
  channel?: "email" | "sms";
  /** The instant from which the email is worthless: if it is late by then, it is not sent. */
  until?: string;
};
export type Email = QueuedEmail & {
  /** The user and the kind of notice: the email is not sent if the user does not want this kind by email. */
  about?: { kind: NoticeKind; user: string };
};

const queue = defineQueue<QueuedEmail>("letter");
/** Emails that waited at the moment of a restored backup; the queue's own tables belong to the database's owner. */
export const emailDeliveries = defineDeliveryQueue(
  null,
  "pgboss.job",
  ["start_after", "keep_until"],
  `name = '${queue.name}' and state in ('created', 'retry')`,
);
// A mail server that is down for days loses nothing: retries last about three days, ten minutes apart at most. Emails
// contain codes and secrets of invitations, so the data of a sent one is deleted soon.
const retryOptions = { patience: { tries: 450, longestWaitSeconds: 600 }, keepSeconds: 300 } as const;

/** Sends an email after this transaction has been committed, and retries while the mail server is down. */
export async function queueEmail(db: Db, { about, ...email }: Email): Promise<void> {
  if (!about || (await isWanted(db, about))) await queueEmails(db, [email]);
}
/** Does the same for all recipients of one notice: each email waits separately. */
export const queueEmails = (db: Db, emails: readonly QueuedEmail[]): Promise<void> =>
  jobs().sendPipelined(db, queue, emails, retryOptions);

/**
 * Counts an email that a person sends to an address of their choice, over all institutions. Refuses `recipientFull`,
 * regardless of whether the address belongs to an account.
 */
export async function countEmail(db: Db, to: string): Promise<void> {
  const recipient = keyedHash(secret(), "letter recipient", to.trim().toLowerCase());
  const counted = await bypassTenantScope(db, () =>
    // oxlint-disable-next-line arcada/zoned-dates -- a limit for an address anywhere: any day will do
    sql`with gone as (delete from letter_count where (day, recipient) in (
          select day, recipient from letter_count where day < current_date - 1 limit 100 for update skip locked))
      insert into letter_count as c (day, recipient, sent) values (current_date, ${recipient}, 1)
      on conflict (day, recipient) do update set sent = c.sent + 1 where c.sent < ${emailRules.maxPerDayAndAddress}`.execute(
      db,
    ),
  );
  if (counted.numAffectedRows === 0n) refuse("recipientFull", { email: "recipientFull" });
}

async function isWanted(db: Db, { kind, user }: NonNullable<Email["about"]>): Promise<boolean> {
  const chosen = await bypassTenantScope(db, () =>
    db
      .selectFrom("notice_switch")
      .select("email")
      .where("user_id", "=", user)
      .where("kind", "=", kind)
      .executeTakeFirst(),
  );
  return chosen?.email ?? noticeRules.emailed.includes(kind);
}

const directSendMs = 4000;

/**
 * Sends an email at once; if the mail server does not answer soon, the email is queued with the others. Resolves when
 * it is sent or queued.
 */
export async function sendEmail(database: Database, config: Config, email: Email): Promise<void> {
  try {
    await withTimeout(directSendMs, mail().send(renderEmail(email, publicAddress(config))));
  } catch {
    await database.asSystem((db) => queueEmail(db, email));
  }
}

/** Sends an email without the queue: the caller learns of a MailError. */
export const sendEmailNow = (config: Config, email: Email): Promise<void> =>
  mail().send(renderEmail(email, publicAddress(config)));

async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MailError("mail too slow", false)), ms);
  });
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

// An address that does not exist now will not exist in a minute; five attempts are enough for a temporary fault of a
// server.
const maxRefusedAttempts = 5;

/** Processes the queued emails; called by the processes that work on jobs. */
export const registerEmailJobs = (working: Jobs, config: Config): Promise<void> =>
  working.work(
    queue,
    async (email, _, { id, attempt }) => {
      if (email.until !== undefined && Date.parse(email.until) < Date.now()) return logEmail(id, "too late to be sent");
      try {
        await mail().send({ id, ...renderEmail(email, publicAddress(config)) });
      } catch (error) {
        if (!(error instanceof MailError && error.isPermanent && attempt >= maxRefusedAttempts)) throw error;
        logEmail(id, `given up: ${error.message}`);
      }
    },
    { teamSize: maxConnections },
  );

/** The log does not contain the recipient. */
const logEmail = (emailId: string, message: string): void => logEvent("warn", `letter ${emailId}`, message);

/** Returns the address under which people reach this product. */
export const publicAddress = (config: Config): string =>
  (config.PUBLIC_URL ?? `http://${config.HOST === "127.0.0.1" ? "localhost" : config.HOST}:${config.PORT}`).replace(
    /\/$/,
    "",
  );

function renderEmail({ to, language, values, channel = "email", ...content }: QueuedEmail, address: string) {
  const t = (key: KeyIn<"letter">) => translate(language, "letter", key, values);
  const { name } = content;
  const [subject, title, body] = [t(`${name}.subject`), t(`${name}.title`), t(`${name}.body`)];
  if (channel === "sms") return { channel, to, subject, text: body.replaceAll("\n\n", " ") };
  const link =
    content.link === undefined ? null : { url: `${address}${content.link}`, label: t(`${content.name}.action`) };
  const foot = t("foot");
  const text = [title, body, ...(link ? [`${link.label}: ${link.url}`] : []), "--", foot].join("\n\n");
  const html = emailHtml({ language, title, body, foot, link });
  return { channel, to, subject, text, html };
}
