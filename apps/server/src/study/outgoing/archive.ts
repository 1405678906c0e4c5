import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dayIn } from "@arcada/contract/kernel/time-zone";
import type { Archive, OpenArchive } from "../../platform/http/archive-routes.ts";
import type { Database } from "../../platform/database/database.ts";
import { harmlessPieces } from "../../platform/http/file-routes.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { textOf, type Language } from "../../platform/text/texts.ts";
import { zoneOfInstitution } from "../../domain/institution-time-zone.ts";
import { zipLength, type ZipEntry } from "../../platform/storage/zip.ts";
import { cleanCopy, keyFor } from "./clean.ts";
import type { Manner } from "./clean-task.ts";
import { downloadOf, filesOf, moveDownload, type DownloadRow, type PackedFile } from "./download.store.ts";
import { bringingOf, type Bringing } from "./order-copy.ts";
import { archiveName, packedPaths } from "./names.ts";

/** Opens the archive of a prepared study download; nothing of it is kept. */
export const studyArchives =
  (database: Database): OpenArchive =>
  async (iid, id, now) => {
    const { row, list, bringing, zone } = await database.asSystem(async (db) => {
      const prepared = (await downloadOf(db, iid, id)) ?? refuse("linkExpired");
      return {
        row: prepared,
        zone: await zoneOfInstitution(db, iid),
        list: await filesOf(db, prepared.owner_id, prepared.studies),
        bringing: prepared.order_id === null ? null : await bringingOf(db, prepared.order_id),
      };
    });
    const language = row.language as Language;
    const manner = bringing ? brought(row, bringing) : row.nameless && list[0] ? mannerOf(row, list[0]) : null;
    const paths = packedPaths(list, {
      language,
      zone,
      isNameless: manner !== null,
      showsDates: manner === null || manner.dates === "kept",
    });
    const today = dayIn(zone, now);
    const entries = list.map((file, at) => original(row, file, paths[at]!));
    return {
      name: archiveName(bringing?.number ?? manner?.pseudonym ?? list[0]?.patient_name ?? "", today),
      entries: told(database, row, manner ? cleaned(row, { list, paths, manner, language }) : entries),
      whole: manner ? null : wholeOf(list, entries),
    };
  };

function wholeOf(list: readonly PackedFile[], entries: readonly ZipEntry[]): Archive["whole"] {
  const bytes = zipLength(entries);
  const said = JSON.stringify(entries.map(({ path, at }, place) => [path, at, list[place]!.sha256]));
  return bytes === null ? null : { bytes, tag: createHash("sha256").update(said).digest("hex") };
}

/** Records the progress in the download's row. */
async function* told(
  database: Database,
  row: DownloadRow,
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>,
): AsyncGenerator<ZipEntry> {
  let [done, last, isWhole] = [0, 0, false];
  try {
    for await (const entry of entries) {
      yield entry;
      done = Math.min(done + 1, row.files);
      if (Date.now() - last < 500) continue;
      last = Date.now();
      await moveDownload(database, row, "running", done);
    }
    isWhole = true;
  } finally {
    await moveDownload(database, row, isWhole ? "done" : "failed", isWhole ? row.files : done);
  }
}

const original = (row: DownloadRow, file: PackedFile, path: string): ZipEntry => ({
  path,
  at: new Date(file.created_at),
  bytes: file.bytes,
  open: (lend) =>
    harmlessPieces(
      files(),
      { area: "originals", iid: row.owner_id, sha256: file.sha256 },
      { start: 0, end: file.bytes - 1 },
      lend,
    ),
});

interface Cleaning {
  list: readonly PackedFile[];
  paths: readonly string[];
  manner: Manner;
  language: Language;
}
/** Files that cannot be de-identified are left out, and listed at the end. */
async function* cleaned(row: DownloadRow, { list, paths, manner, language }: Cleaning): AsyncGenerator<ZipEntry> {
  const leftOut: string[] = [];
  for (const [at, file] of list.entries()) {
    const path = paths[at]!;
    const copy = await cleanCopy({ iid: row.owner_id, sha256: file.sha256 }, manner).catch((error: unknown) => {
      if (error instanceof Refused && error.refusal !== "notFound") return null;
      throw error;
    });
    if (!copy) {
      leftOut.push(path);
      continue;
    }
    try {
      const { size } = await stat(copy.path);
      const open = () => createReadStream(copy.path, { highWaterMark: 256 * 1024 });
      yield { path, at: new Date(file.created_at), bytes: size, open };
    } finally {
      await copy.drop();
    }
  }
  if (leftOut.length === 0) return;
  const text = Buffer.from(leftOut.join("\r\n"));
  const path = `${textOf(language, "study", "download.leftOut")}.txt`;
  yield { path, at: new Date(), bytes: text.length, open: () => [text] };
}

/** Another institution gets what its order permits: de-identified if names are hidden, or if it asks for that. */
const brought = ({ nameless }: DownloadRow, { masked, manner }: Bringing): Manner | null =>
  masked || nameless ? manner : null;

/**
 * The same patient under the same pseudonym is the same in every archive; under different pseudonyms nobody can link
 * them.
 */
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
