import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import nodemailer from "nodemailer";
import type { Config } from "../runtime/config.ts";
import { newId } from "../runtime/ids.ts";

interface StoredEmail {
  channel: "email" | "sms";
  to: string;
  subject: string;
  text: string;
  /** The same text for clients that show HTML. */
  html?: string | undefined;
  at: string;
}
/** An email that is sent again carries the same `id`, so that a mailbox can recognise the duplicate. */
type OutgoingEmail = Omit<StoredEmail, "at"> & { id?: string };
export interface Mail {
  /** Throws MailError. */
  send(email: OutgoingEmail): Promise<void>;
  /** Returns the emails in the file outbox, newest first; none if emails are really sent. */
  outbox(): Promise<StoredEmail[]>;
  /** Closes the connections to the mail server. */
  close(): void;
}

/** The reason why an email was not sent. The server's own message is not kept: it names the address. */
export class MailError extends Error {
  override name = "MailError";
  /** True if the server refuses this email for this address permanently. */
  readonly isPermanent: boolean;
  constructor(message: string, isPermanent: boolean) {
    super(message);
    this.isPermanent = isPermanent;
  }
}

/** The number of emails that one process sends at once. */
export const maxConnections = 4;
// The library's own limits are minutes long: a silent server would block every connection.
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const;

/**
 * Opens the mail service. Email is sent by SMTP if it is configured. Everything else (text messages, all messages
 * without SMTP) is written to a folder.
 */
export function openMail(config: Config): Mail {
  const folder = path.join(config.dataDir, "outbox");
  const transport = config.SMTP_URL
    ? nodemailer.createTransport({ url: config.SMTP_URL, pool: true, maxConnections: maxConnections, ...limits })
    : null;
  return {
    async send({ id, ...email }) {
      if (transport && email.channel === "email")
        await transport
          .sendMail({
            from: config.MAIL_FROM,
            to: email.to,
            subject: email.subject,
            text: email.text,
            html: email.html,
            // The header keeps out-of-office replies from answering a machine.
            headers: { "auto-submitted": "auto-generated" },
            ...(id && { messageId: `<${id}@${domainOf(config.MAIL_FROM)}>` }),
          })
          .catch((error: SmtpError) => {
            throw toMailError(error);
          });
      else await writeToOutbox(folder, { ...email, at: new Date().toISOString() });
    },
    outbox: () => readOutbox(folder),
    close: () => transport?.close(),
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}
const toMailError = ({ code = "", command = "", responseCode, message }: SmtpError): MailError => {
  // A refusal of the sender, the sign-in or the connection has to be fixed on our side, and the email waits for that.
  const refused = (command === "RCPT TO" || command === "DATA") && (responseCode ?? 0) >= 500;
  const noAddress = code === "EENVELOPE" && /^(Invalid recipient|No recipients)/.test(message);
  return new MailError(["mail", code, command, responseCode].filter(Boolean).join(" "), refused || noAddress);
};
const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";

async function writeToOutbox(folder: string, email: StoredEmail): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${newId()}.json`);
  await writeFile(`${file}.part`, JSON.stringify(email), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

const outboxLimit = 50;
async function readOutbox(folder: string): Promise<StoredEmail[]> {
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .toReversed()
    .slice(0, outboxLimit);
  return Promise.all(
    newest.map(async (name) => JSON.parse(await readFile(path.join(folder, name), "utf8")) as StoredEmail),
  );
}
