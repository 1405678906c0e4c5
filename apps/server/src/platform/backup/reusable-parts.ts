import { z } from "zod";
import { writePart } from "./backup-parts.ts";
import type { BackupPart, BackupPlace } from "./backup-parts.ts";
import { readTargetText, writeTargetText } from "../backup-target/backup-target.ts";
import { packEntries } from "./pack-files-into-stream.ts";
import type { PackEntry } from "./pack-files-into-stream.ts";

const folder = "database";
const note = z.object({
  part: z.object({ name: z.string(), bytes: z.number(), sha256: z.string() }),
  /** The files in the part, their sizes and the times of their last changes. */
  content: z.string(),
  /** The time before the first of them was read, and of the last change of any, in milliseconds. */
  readAt: z.number(),
  changedAt: z.number(),
});
type Note = z.output<typeof note>;

/** A clock of files may be as coarse as that of FAT: changes within this time of the reading may be missing. */
const clockMs = 2000;

/** Writes the parts of a database's files, and uses those that an interrupted backup in the same folder has written. */
export interface PartWriter {
  write(entries: readonly PackEntry[]): Promise<BackupPart>;
  reused: number;
}

/**
 * Begins, or goes on with, the parts of a backup. A part of an earlier attempt is what would be read now if its files
 * have not been written to since: the checkpoint at the start of a backup writes everything that was in memory before.
 */
export async function openPartWriter(place: BackupPlace, backup: string): Promise<PartWriter> {
  const { notes, names } = await readNotes(place, backup);
  let number = 0;
  const nextName = (): string => {
    for (;;) {
      const name = `${folder}/${String(number++).padStart(5, "0")}.pack.zst`;
      if (!names.has(name)) return name;
    }
  };
  const writer: PartWriter = {
    reused: 0,
    async write(entries) {
      const content = describe(entries);
      const found = notes.get(content);
      if (found) {
        writer.reused += 1;
        return found.part;
      }
      const readAt = Date.now();
      const part = await writePart(place, backup, nextName(), packEntries(entries));
      const changedAt = Math.max(0, ...entries.map((entry) => ("changedAt" in entry ? (entry.changedAt ?? 0) : 0)));
      await writeNote(place, backup, { part, content, readAt, changedAt });
      return part;
    },
  };
  return writer;
}

const describe = (entries: readonly PackEntry[]): string =>
  entries
    .map((entry) => {
      if ("folder" in entry) return `${entry.path}/`;
      return "text" in entry ? `${entry.path} ${entry.text}` : `${entry.path} ${entry.bytes} ${entry.changedAt}`;
    })
    .join("\n");

const noteName = (backup: string, part: string): string => `${backup}/${part}${noteSuffix}`;
const noteSuffix = ".json";

/** A note is signed: what it says of a part becomes true for the whole backup. */
async function writeNote({ target, key }: BackupPlace, backup: string, content: Note): Promise<void> {
  const text = JSON.stringify(content);
  // The part must be on the disk before the note says so.
  await target.flush();
  await writeTargetText(target, noteName(backup, content.part.name), JSON.stringify({ text, mac: key?.sign(text) }));
}

async function readNotes(
  { target, key }: BackupPlace,
  backup: string,
): Promise<{ notes: Map<string, Note>; names: Set<string> }> {
  const notes = new Map<string, Note>();
  const names = new Set<string>();
  for await (const files of target.list(`${backup}/${folder}`))
    for (const { name } of files) {
      names.add(name.slice(backup.length + 1));
      if (!name.endsWith(noteSuffix)) continue;
      const found = parseNote(await readTargetText(target, name), key);
      if (found && found.changedAt < found.readAt - clockMs && (await isThere(target, backup, found.part)))
        notes.set(found.content, found);
    }
  return { notes, names };
}

const isThere = async (target: BackupPlace["target"], backup: string, part: BackupPart): Promise<boolean> =>
  (await target.size(`${backup}/${part.name}`)) === part.bytes;

function parseNote(text: string | null, key: BackupPlace["key"]): Note | null {
  try {
    const { text: content, mac } = JSON.parse(text ?? "") as { text: string; mac?: string };
    return key && mac !== key.sign(content) ? null : note.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

/** Removes what an interrupted attempt left in the folder of a backup and the backup does not need. */
export async function removeOtherParts(
  { target }: BackupPlace,
  backup: string,
  parts: readonly BackupPart[],
): Promise<void> {
  const needed = new Set(parts.map(({ name }) => `${backup}/${name}`));
  for await (const files of target.list(`${backup}/${folder}`))
    for (const { name } of files) if (!needed.has(name)) await target.remove(name);
}
