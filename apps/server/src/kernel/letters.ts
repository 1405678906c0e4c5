import { sql } from "kysely";
import { letterRules, noticeRules } from "@arcada/contract/notice/notice.calls";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import type { Config } from "./config.ts";
import { beyondWall } from "./db.ts";
import type { Database, Db } from "./db.ts";
import { keyedHash } from "./ids.ts";
import type { Jobs } from "./jobs.ts";
import { letterHtml } from "./letter-html.ts";
import { MailError, mailLines } from "./mail.ts";
import { refuse } from "./refuse.ts";
import { jobs, mail, secret } from "./services.ts";
import { textOf } from "./texts.ts";
import type { Language } from "./texts.ts";

/**
 * One e-mail. `name` is an entry of texts/<language>/letter.json with `subject`, `title`, `body` and, where there is a
 * link, `action`; `values` fill their placeholders: no patient's name among them.
 */
export interface Letter {
  to: string;
  language: Language;
  name: string;
  values?: Record<string, string | number>;
  /** A path of ours, with its query or fragment; it becomes an address under PUBLIC_URL. */
  link?: string;
  /** By text message it is the body alone. */
  channel?: "email" | "sms";
  /** When it is worth nothing any more, as an instant: a letter that is late by then does not leave. */
  until?: string;
  /** What this user is told by it: it stays away where they do not want this kind by e-mail. */
  about?: { kind: NoticeKind; user: string };
}

const queue = "letter";
// A mail server that is away for days loses nothing: about three days of tries, ten minutes apart at most. Letters hold
// codes and secrets of invitations: what has left is forgotten soon.
const waiting = { patience: { tries: 450, longestWaitSeconds: 600 }, keepSeconds: 300 } as const;

/** Leaves when this transaction has been committed, and again and again while the mail server is away. */
export async function postLetter(db: Db, { about, ...letter }: Letter): Promise<void> {
  if (!about || (await isWanted(db, about))) await postLetters(db, [letter]);
}
/** The same for all who are told of one thing: each letter waits for itself. */
export const postLetters = (db: Db, letters: readonly Omit<Letter, "about">[]): Promise<void> =>
  jobs().sendUnseen(db, queue, letters, waiting);

/**
 * Counts an e-mail that a person causes to an address of their choice, over all organisations. Refuses `recipientFull`;
 * whether the address belongs to an account makes no difference.
 */
export async function countLetter(db: Db, to: string): Promise<void> {
  const recipient = keyedHash(secret(), "letter recipient", to.trim().toLowerCase());
  const counted = await beyondWall(db, () =>
    // oxlint-disable-next-line arcada/zoned-dates -- a limit for an address anywhere: any day will do
    sql`with gone as (delete from letter_count where (day, recipient) in (
          select day, recipient from letter_count where day < current_date - 1 limit 100 for update skip locked))
      insert into letter_count as c (day, recipient, sent) values (current_date, ${recipient}, 1)
      on conflict (day, recipient) do update set sent = c.sent + 1 where c.sent < ${letterRules.aDayToOne}`.execute(db),
  );
  if (counted.numAffectedRows === 0n) refuse("recipientFull", { email: "recipientFull" });
}

async function isWanted(db: Db, { kind, user }: NonNullable<Letter["about"]>): Promise<boolean> {
  const chosen = await beyondWall(db, () =>
    db
      .selectFrom("notice_switch")
      .select("email")
      .where("user_id", "=", user)
      .where("kind", "=", kind)
      .executeTakeFirst(),
  );
  return chosen?.email ?? noticeRules.emailed.includes(kind);
}

const soonMs = 4000;

/** Leaves at once; where the mail server does not answer soon it waits with the others. Resolves when it is gone or kept. */
export async function sendLetter(database: Database, config: Config, letter: Letter): Promise<void> {
  try {
    await within(soonMs, mail().send(written(letter, publicAddress(config))));
  } catch {
    await database.asSystem((db) => postLetter(db, letter));
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MailError("mail too slow", false)), ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// An address that does not exist today does not exist in a minute; five tries are enough for a server's bad moment.
const refusedTries = 5;

/** Takes the letters that wait; called by the processes that work. */
export const registerLetters = (working: Jobs, config: Config): Promise<void> =>
  working.work<Letter>(
    queue,
    async (letter, _, { id, attempt }) => {
      if (letter.until !== undefined && Date.parse(letter.until) < Date.now()) return note(id, "too late to be sent");
      try {
        await mail().send({ id, ...written(letter, publicAddress(config)) });
      } catch (error) {
        if (!(error instanceof MailError && error.forGood && attempt >= refusedTries)) throw error;
        note(id, `given up: ${error.message}`);
      }
    },
    { teamSize: mailLines },
  );

/** For whom it was stands nowhere in the log. */
const note = (letter: string, message: string): void =>
  console.error(JSON.stringify({ level: "warn", about: `letter ${letter}`, message }));

/** The address under which people reach this product. */
export const publicAddress = (config: Config): string =>
  (config.PUBLIC_URL ?? `http://${config.HOST === "127.0.0.1" ? "localhost" : config.HOST}:${config.PORT}`).replace(
    /\/$/,
    "",
  );

function written({ to, language, name, values, link, channel = "email" }: Letter, address: string) {
  const say = (part: string) => textOf(language, "letter", `${name}.${part}`, values);
  const [subject, title, body] = [say("subject"), say("title"), say("body")];
  if (channel === "sms") return { channel, to, subject, text: body.replaceAll("\n\n", " ") };
  const url = link === undefined ? null : `${address}${link}`;
  const foot = textOf(language, "letter", "foot");
  const text = [title, body, ...(url ? [`${say("action")}: ${url}`] : []), "--", foot].join("\n\n");
  const html = letterHtml({
    language,
    title,
    body,
    foot,
    link: url === null ? null : { url, label: say("action") },
  });
  return { channel, to, subject, text, html };
}
