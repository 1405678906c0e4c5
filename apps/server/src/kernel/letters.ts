import type { Config } from "./config.ts";
import type { Db } from "./db.ts";
import type { Jobs } from "./jobs.ts";
import { letterHtml } from "./letter-html.ts";
import { jobs, mail } from "./services.ts";
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
}

const queue = "letter";

/** Leaves when this transaction has been committed, and again and again while the mail server is away. */
export const postLetter = (db: Db, letter: Letter): Promise<unknown> => jobs().send(db, queue, letter, { patience });

// A mail server that is away for days loses nothing: about three days of tries, ten minutes apart at most.
const patience = { tries: 450, longestWaitSeconds: 600 } as const;

/** Takes the letters that wait; called by the processes that work. */
export const registerLetters = (working: Jobs, config: Config): Promise<void> =>
  working.work<Letter>(queue, (letter) => mail().send(written(letter, publicAddress(config))), {
    teamSize: 2,
  });

/** The address under which people reach this product. */
export const publicAddress = (config: Config): string =>
  (config.PUBLIC_URL ?? `http://${config.HOST === "127.0.0.1" ? "localhost" : config.HOST}:${config.PORT}`).replace(
    /\/$/,
    "",
  );

function written({ to, language, name, values, link }: Letter, address: string) {
  const say = (part: string) => textOf(language, "letter", `${name}.${part}`, values);
  const url = link === undefined ? null : `${address}${link}`;
  const foot = textOf(language, "letter", "foot");
  const text = [say("title"), say("body"), ...(url ? [`${say("action")}: ${url}`] : []), "--", foot].join("\n\n");
  const html = letterHtml({
    language,
    title: say("title"),
    body: say("body"),
    foot,
    link: url === null ? null : { url, label: say("action") },
  });
  return { channel: "email" as const, to, subject: say("subject"), text, html };
}
