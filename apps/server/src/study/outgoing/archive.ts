import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { Database } from "../../kernel/db.ts";
import { openHarmless } from "../../kernel/file-routes.ts";
import { Refused } from "../../kernel/refuse.ts";
import { files } from "../../kernel/services.ts";
import { textOf, type Language } from "../../kernel/texts.ts";
import { keyFor, withClean } from "./clean.ts";
import type { Manner } from "./clean-task.ts";
import { filesOf, moveDownload, type DownloadRow, type PackedFile } from "./download.store.ts";
import { bringingOf, type Bringing } from "./order-copy.ts";
import { archiveName, packedPaths } from "./names.ts";

/** An archive that is written as it is read; `name` is what its reader sees. */
export interface Archive {
  name: string;
  stream: Readable;
}

/** Begins to pack what a download was prepared for; nothing of it is kept. */
export async function openArchive(database: Database, row: DownloadRow, now: Date): Promise<Archive> {
  const { list, bringing } = await database.asSystem(async (db) => ({
    list: await filesOf(db, row.owner_id, row.studies),
    bringing: row.order_id === null ? null : await bringingOf(db, row.order_id),
  }));
  const language = row.language as Language;
  const manner = bringing ? brought(row, bringing) : row.nameless && list[0] ? mannerOf(row, list[0]) : null;
  const paths = packedPaths(list, {
    language,
    isNameless: manner !== null,
    showsDates: manner === null || manner.dates === "kept",
  });
  const zip = new ZipFile();
  const stream = zip.outputStream as Readable;
  const packing = { database, row, manner, zip, language };
  // Whoever waits for the stream hears of it there; the row says it to whoever asks.
  void pack(packing, list, paths).catch((error: unknown) => stream.destroy(error as Error));
  const today = now.toISOString().slice(0, 10);
  return { name: archiveName(bringing?.number ?? manner?.pseudonym ?? list[0]?.patient_name ?? "", today), stream };
}

interface Packing {
  database: Database;
  row: DownloadRow;
  manner: Manner | null;
  zip: ZipFile;
  language: Language;
}

async function pack(packing: Packing, list: readonly PackedFile[], paths: readonly string[]): Promise<void> {
  const { database, row, zip, language } = packing;
  const leftOut: string[] = [];
  let told = 0;
  let done = 0;
  try {
    for (const [at, file] of list.entries()) {
      if (!(await packed(packing, file, paths[at]!))) leftOut.push(paths[at]!);
      done = at + 1;
      if (Date.now() - told < 500) continue;
      told = Date.now();
      await moveDownload(database, row, "running", done);
    }
    if (leftOut.length > 0)
      zip.addBuffer(Buffer.from(leftOut.join("\r\n")), `${textOf(language, "study", "download.leftOut")}.txt`);
    zip.end();
    await moveDownload(database, row, "done", done);
  } catch (error) {
    await moveDownload(database, row, "failed", done);
    throw error;
  }
}

/** False for a file that names cannot be taken out of: it stays behind. */
async function packed({ row, manner, zip }: Packing, file: PackedFile, path: string): Promise<boolean> {
  const original = { iid: row.owner_id, sha256: file.sha256 };
  const add = async (source: Readable) => {
    const output = zip.outputStream as Readable;
    const gone = () => void source.destroy(new Error("the archive's reader has gone"));
    // What is closed already says so no more, and nobody would read what is given to it.
    if (output.destroyed) gone();
    output.once("close", gone);
    zip.addReadStream(source, path, { compress: false, mtime: new Date(file.created_at) });
    await finished(source);
    output.off("close", gone);
  };
  if (!manner) {
    if (file.bytes > 0)
      await add(await openHarmless(files(), { area: "originals", ...original }, { start: 0, end: file.bytes - 1 }));
    return true;
  }
  try {
    await withClean(original, manner, (at) => add(createReadStream(at, { highWaterMark: 256 * 1024 })));
    return true;
  } catch (error) {
    if (error instanceof Refused && error.refusal !== "notFound") return false;
    throw error;
  }
}

/** Another organisation gets what its order lets it have: without names where they are hidden, or where it asks so. */
const brought = ({ nameless }: DownloadRow, { masked, manner }: Bringing): Manner | null =>
  masked || nameless ? manner : null;

/** The same patient under the same pseudonym is the same in every archive; under another one nobody can tell. */
function mannerOf(row: DownloadRow, { patient_id, study_id, known }: PackedFile): Manner {
  const iid = row.institution_id;
  const patient = patient_id ?? study_id;
  const pseudonym = row.nameless?.pseudonym ?? `P-${keyFor("pseudonym", iid, patient).slice(0, 8).toUpperCase()}`;
  const dates = row.nameless?.dates ?? "removed";
  return {
    key: keyFor("research", iid, pseudonym),
    pseudonym,
    dates: dates === "moved" ? -daysOf(keyFor("days", iid, patient)) : dates,
    device: false,
    descriptions: true,
    known,
  };
}

/** 1 to 365. */
const daysOf = (key: string): number => 1 + (Number.parseInt(key.slice(0, 8), 16) % 365);
