import type { KeyIn } from "@arcada/texts/keys";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { findDelivery } from "@arcada/contract/notice/notice-presets";
import type { Config } from "../runtime/config.ts";
import { bypassTenantScope } from "../database/database.ts";
import type { Database, Db } from "../database/database.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import { defineDeliveryQueue } from "../backup/held-deliveries.ts";
import { defineQueue } from "../jobs/jobs.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { emailHtml } from "./email-html.ts";
import type { EmailList } from "./email-html.ts";
import { countTextMessage } from "./message-limits.ts";
import { MailError } from "./message-types.ts";
import type { MessageChannel, OutgoingMessage } from "./message-types.ts";
import { maxConnections } from "./smtp.ts";
import { refuse } from "../http/refuse.ts";
import { jobs, mail } from "../runtime/services.ts";
import { logEvent } from "../telemetry/log.ts";
import { translate } from "../text/texts.ts";
import type { Language } from "../text/texts.ts";

/** Entries of letter.json: every email has a subject, a title and a body, and one with a link the text of the link. */
type EntryWith<Part extends string> =
  KeyIn<"letter"> extends infer Key ? (Key extends `${infer Name}.${Part}` ? Name : never) : never;
type EmailName = EntryWith<"subject">;
export type LinkedEmailName = EmailName & EntryWith<"action">;

/** A list of things in an email, each with the path of its page. */
export interface EmailSection {
  heading: string;
  lines: { text: string; link: string | null }[];
}
/** A link is a path of ours, with its query or fragment; it becomes an address under PUBLIC_URL. */
type EmailContent = { name: EmailName; link?: undefined } | { name: LinkedEmailName; link: string };
export type QueuedEmail = EmailContent & {
  to: string;
  language: Language;
  /** Fill the placeholders of the entry; never contain a patient's name. */
  values?: Record<string, string | number>;
  /** Stand between the body and the link; never contain a patient's name. */
  sections?: EmailSection[];
  /** A text message consists of the body only. */
  channel?: MessageChannel;
  /** The instant from which the email is worthless: if it is late by then, it is not sent. */
  until?: string;
  /** Set if a first attempt may have arrived already. */
  id?: string;
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

/**
 * Sends an email after this transaction has been committed, and retries while the mail server is down. A text message
 * beyond the daily limits is not sent.
 */
export async function queueEmail(db: Db, { about, ...email }: Email): Promise<void> {
  if (about && !(await isWanted(db, about))) return;
  const full = email.channel === "sms" ? await countTextMessage(db, email.to) : null;
  if (full) logEmail(email.name, `not sent: the daily limit of text messages is reached (${full})`);
  else await queueEmails(db, [email]);
}
/** Does the same for all recipients of one notice: each email waits separately. */
export const queueEmails = (db: Db, emails: readonly QueuedEmail[]): Promise<void> =>
  jobs().sendPipelined(db, queue, emails, retryOptions);

async function isWanted(db: Db, { kind, user }: NonNullable<Email["about"]>): Promise<boolean> {
  const chosen = await bypassTenantScope(db, () =>
    db
      .selectFrom("users as u")
      .leftJoin("notice_preference as p", "p.user_id", "u.id")
      .leftJoin("notice_switch as s", (join) => join.onRef("s.user_id", "=", "u.id").on("s.kind", "=", kind))
      .select(["p.preset", "p.mail", "s.site", "s.email"])
      .where("u.id", "=", user)
      .executeTakeFirst(),
  );
  const { mail = null, ...choice } = chosen ?? { preset: null, site: null, email: null };
  // The daily email contains the others.
  return (mail ?? "now") === "now" && findDelivery(kind, choice).isEmailed;
}

const directSendMs = 4000;

/**
 * Sends an email at once; if the mail server does not answer soon, the email is queued with the others, under the same
 * id. Resolves when it is sent or queued; refuses `textRefused` if the provider does not take a text message at all.
 */
export async function sendEmail(database: Database, config: Config, email: QueuedEmail): Promise<void> {
  const message = { ...email, id: newId() };
  try {
    await withTimeout(directSendMs, (signal) => mail().send(renderEmail(message, publicAddress(config)), signal));
  } catch (error) {
    if (email.channel === "sms" && error instanceof MailError && error.isPermanent) {
      logEmail(message.id, `given up: ${error.message}`);
      refuse("textRefused");
    }
    await database.asSystem((db) => queueEmails(db, [message]));
  }
}

/** Sends an email without the queue: the caller learns of a MailError. */
export const sendEmailNow = (config: Config, email: QueuedEmail): Promise<void> =>
  mail().send(renderEmail({ ...email, id: newId() }, publicAddress(config)));

async function withTimeout(ms: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const signal = AbortSignal.timeout(ms);
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new MailError("mail too slow", false)), { once: true });
  });
  await Promise.race([work(signal), timeout]);
}

// An address that does not exist now will not exist in a minute; five attempts are enough for a temporary fault of a
// server.
const maxRefusedAttempts = 5;
/** Every attempt of a text message may cost money, so a provider's refusal is not questioned. */
const isFinalAttempt = ({ isPermanent }: MailError, { channel }: QueuedEmail, attempt: number): boolean =>
  isPermanent && (channel === "sms" || attempt >= maxRefusedAttempts);

/** Processes the queued emails; called by the processes that work on jobs. */
export const registerEmailJobs = (working: Jobs, config: Config): Promise<void> => {
  const sendWhenReachable = createRecovery(working);
  return working.work(
    queue,
    async (email, _, { id, attempt }) => {
      if (email.until !== undefined && Date.parse(email.until) < Date.now()) return logEmail(id, "too late to be sent");
      try {
        await mail().send(renderEmail({ id, ...email }, publicAddress(config)));
      } catch (error) {
        if (error instanceof MailError && error.isAway) sendWhenReachable();
        if (!(error instanceof MailError && isFinalAttempt(error, email, attempt))) throw error;
        logEmail(id, `given up: ${error.message}`);
      }
    },
    { teamSize: maxConnections },
  );
};

/** The waits between the looks at a mail server that is away: each is twice as long as the one before, up to a limit. */
const probeWaits = { firstMs: 1000, longestMs: 5000 } as const;
/** Pauses that were ended once within this time are ended again only after a longer wait, twice as long each time. */
const calmMs = retryOptions.patience.longestWaitSeconds * 1000;

/**
 * Returns a function that ends the pauses of the emails that wait as soon as the mail server is back: after an hour
 * without it, their next attempts would be ten minutes away. One look follows the other until the server is back,
 * refuses our sign-in, or the process stops working.
 */
function createRecovery(working: Jobs): () => void {
  let isLooking = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let ended = { at: 0, nextMs: 0 };
  working.onStop(() => {
    isStopped = true;
    clearTimeout(timer);
  });
  const lookAfter = (ms: number): void => {
    if (!isStopped) timer = setTimeout(() => void look(ms), ms).unref();
  };
  const look = async (ms: number): Promise<void> => {
    const state = await mail()
      .probe()
      .catch(() => "away" as const);
    if (isStopped) return;
    if (state === "away") return lookAfter(Math.min(2 * ms, probeWaits.longestMs));
    isLooking = false;
    if (state !== "reachable") return;
    const isCalm = Date.now() - ended.at > calmMs;
    ended = { at: Date.now(), nextMs: Math.min(2 * (isCalm ? probeWaits.firstMs : ended.nextMs), calmMs) };
    // Emails that the server itself refused for now keep their spacing.
    await working.retryNow(queue, { isAway: true }).catch(() => {});
  };
  return () => {
    if (isLooking) return;
    isLooking = true;
    lookAfter(Date.now() - ended.at > calmMs ? probeWaits.firstMs : ended.nextMs);
  };
}

/** The log does not contain the recipient. */
const logEmail = (emailId: string, message: string): void => logEvent("warn", `letter ${emailId}`, message);

/** Returns the address under which people reach this product. */
export const publicAddress = (config: Config): string =>
  (config.PUBLIC_URL ?? `http://${config.HOST === "127.0.0.1" ? "localhost" : config.HOST}:${config.PORT}`).replace(
    /\/$/,
    "",
  );

function renderEmail(queued: QueuedEmail & { id: string }, address: string): OutgoingMessage {
  const { id, to, language, values = {}, channel = "email", sections = [], ...content } = queued;
  const t = (key: KeyIn<"letter">) => translate(language, "letter", key, values);
  const { name } = content;
  const [subject, title, body] = [t(`${name}.subject`), t(`${name}.title`), t(`${name}.body`)];
  const message = { id, channel, to, language, name, values, subject };
  if (channel === "sms") return { ...message, text: body.replaceAll("\n\n", " ") };
  const link =
    content.link === undefined ? null : { url: `${address}${content.link}`, label: t(`${content.name}.action`) };
  const foot = t("foot");
  const lists = sections.map(({ heading, lines }) => ({
    heading,
    lines: lines.map((line) => ({ text: line.text, url: line.link && `${address}${line.link}` })),
  }));
  const text = [
    title,
    body,
    ...lists.map(formatSection),
    ...(link ? [`${link.label}: ${link.url}`] : []),
    "--",
    foot,
  ].join("\n\n");
  const html = emailHtml({ language, title, body, foot, link, sections: lists });
  return { ...message, text, html };
}

const formatSection = ({ heading, lines }: EmailList): string =>
  [heading, ...lines.map(({ text, url }) => `- ${text}${url ? `\n  ${url}` : ""}`)].join("\n");
