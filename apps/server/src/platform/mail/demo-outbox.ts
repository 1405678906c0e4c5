import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { newId } from "../runtime/ids-and-secrets.ts";
import type { SendMessage, StoredMessage } from "./message-types.ts";

interface Outbox {
  send: SendMessage;
  /** Returns the newest messages, newest first. */
  list(): Promise<StoredMessage[]>;
}

/** Messages contain codes and secrets of invitations. The newest stay for a day, as many as a long demonstration reads. */
export const outboxLimits = { keptFiles: 500, keptMs: 24 * 3_600_000, listed: 50 } as const;

/** Writes the messages of the demonstration into a folder, and sweeps the old ones. */
export const openOutbox = (folder: string): Outbox => ({
  async send({ channel, to, subject, text, html }) {
    const stored: StoredMessage = { channel, to, subject, text, html, at: new Date().toISOString() };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${newId()}.json`);
    await writeFile(`${file}.part`, JSON.stringify(stored), { mode: 0o600 });
    await rename(`${file}.part`, file);
    await sweepOutbox(folder);
  },
  async list() {
    const newest = (await listNewestFirst(folder))
      .filter((name) => name.endsWith(".json"))
      .slice(0, outboxLimits.listed);
    return Promise.all(
      newest.map(async (name) => JSON.parse(await readFile(path.join(folder, name), "utf8")) as StoredMessage),
    );
  },
});

/** Deletes the messages beyond the limits, also those that a killed process left half written. */
export async function sweepOutbox(folder: string, now = Date.now()): Promise<void> {
  const files = await listNewestFirst(folder);
  const old = files.filter(
    (name, place) => place >= outboxLimits.keptFiles || now - readTime(name) > outboxLimits.keptMs,
  );
  await Promise.all(old.map((name) => rm(path.join(folder, name), { force: true })));
}

/** Deletes the outbox of an earlier demonstration. */
export const removeOutbox = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

const listNewestFirst = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch((): string[] => [])).toSorted().toReversed();

/** RFC 9562 5.7: the first 48 bits of an id are the milliseconds at which it was made. */
const readTime = (name: string): number => Number.parseInt(name.slice(0, 13).replace("-", ""), 16) || 0;
