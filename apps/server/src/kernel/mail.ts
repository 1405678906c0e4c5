import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import nodemailer from "nodemailer";
import type { Config } from "./config.ts";
import { newId } from "./ids.ts";

interface Letter {
  channel: "email" | "sms";
  to: string;
  subject: string;
  text: string;
  /** The same words for readers that show HTML. */
  html?: string | undefined;
  at: string;
}
/** A letter that is sent again carries the same `id`, so that a mailbox can know the second for the first. */
type Outgoing = Omit<Letter, "at"> & { id?: string };
export interface Mail {
  /** Throws MailError. */
  send(letter: Outgoing): Promise<void>;
  /** What the file outbox holds, newest first; empty when letters really leave. */
  outbox(): Promise<Letter[]>;
  /** Lets the mail server's connections go. */
  close(): void;
}

/** Why a letter did not leave. The server's own words are not kept: they name the address. */
export class MailError extends Error {
  override name = "MailError";
  /** The server has answered for good that it does not take this letter for this address. */
  readonly forGood: boolean;
  constructor(message: string, forGood: boolean) {
    super(message);
    this.forGood = forGood;
  }
}

/** How many letters may be on their way at once from one process. */
export const mailLines = 4;
// Its own limits are minutes long: a server that says nothing would hold every line.
const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const;

/** E-mail leaves by SMTP when configured. What cannot leave (text messages, everything without SMTP) lies in a folder. */
export function openMail(config: Config): Mail {
  const folder = path.join(config.dataDir, "outbox");
  const transport = config.SMTP_URL
    ? nodemailer.createTransport({ url: config.SMTP_URL, pool: true, maxConnections: mailLines, ...limits })
    : null;
  return {
    async send({ id, ...letter }) {
      if (transport && letter.channel === "email")
        await transport
          .sendMail({
            from: config.MAIL_FROM,
            to: letter.to,
            subject: letter.subject,
            text: letter.text,
            html: letter.html,
            // So that nobody's holiday answers a machine.
            headers: { "auto-submitted": "auto-generated" },
            ...(id && { messageId: `<${id}@${domainOf(config.MAIL_FROM)}>` }),
          })
          .catch((error: SmtpError) => {
            throw mailError(error);
          });
      else await keep(folder, { ...letter, at: new Date().toISOString() });
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
const mailError = ({ code = "", command = "", responseCode, message }: SmtpError): MailError => {
  // An answer about the sender, the sign-in or the connection is ours to mend, and the letter waits for that.
  const refused = (command === "RCPT TO" || command === "DATA") && (responseCode ?? 0) >= 500;
  const noAddress = code === "EENVELOPE" && /^(Invalid recipient|No recipients)/.test(message);
  return new MailError(["mail", code, command, responseCode].filter(Boolean).join(" "), refused || noAddress);
};
const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? "localhost";

async function keep(folder: string, letter: Letter): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${newId()}.json`);
  await writeFile(`${file}.part`, JSON.stringify(letter), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

const shown = 50;
async function readOutbox(folder: string): Promise<Letter[]> {
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .toReversed()
    .slice(0, shown);
  return Promise.all(newest.map(async (name) => JSON.parse(await readFile(path.join(folder, name), "utf8")) as Letter));
}
