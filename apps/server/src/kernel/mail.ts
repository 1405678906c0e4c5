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
export interface Mail {
  send(letter: Omit<Letter, "at">): Promise<void>;
  /** What the file outbox holds, newest first; empty when letters really leave. */
  outbox(): Promise<Letter[]>;
  /** Lets the mail server's connections go. */
  close(): void;
}

/** E-mail leaves by SMTP when configured. What cannot leave (text messages, everything without SMTP) lies in a folder. */
export function openMail(config: Config): Mail {
  const folder = path.join(config.dataDir, "outbox");
  const transport = config.SMTP_URL ? nodemailer.createTransport({ url: config.SMTP_URL, pool: true }) : null;
  return {
    async send(letter) {
      if (transport && letter.channel === "email")
        await transport.sendMail({
          from: config.MAIL_FROM,
          to: letter.to,
          subject: letter.subject,
          text: letter.text,
          html: letter.html,
        });
      else await keep(folder, { ...letter, at: new Date().toISOString() });
    },
    outbox: () => readOutbox(folder),
    close: () => transport?.close(),
  };
}

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
