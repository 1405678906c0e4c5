import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import type { Archive, OpenArchive } from "../../platform/http/zip-archive-routes.ts";
import type { Database } from "../../platform/database/database.ts";
import { readSanitizedChunks } from "../../platform/http/file-routes.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { translate, type Language } from "../../platform/text/texts.ts";
import { readInstitutionZone } from "../../domain/institution-time-zone.ts";
import { computeZipLength, type ZipEntry } from "../../platform/storage/zip-writer.ts";
import { makeDeidentifiedCopy, deriveKey } from "../deidentify/deidentified-copy.ts";
import type { SerializedDeidentifyOptions } from "../deidentify/deidentify-worker-message.ts";
import {
  findDownload,
  listPackedFiles,
  updateDownloadState,
  type DownloadRow,
  type PackedFile,
} from "./download.store.ts";
import { findSharedFiles, type SharedFiles } from "../deidentify/deidentified-order-files.ts";
import { archiveName, assignArchivePaths } from "./archive-paths.ts";

/** Opens the archive of a prepared study download; nothing of it is kept. */
export const openStudyArchive =
  (database: Database): OpenArchive =>
  async (iid, id, now) => {
    const {
      row,
      list,
      bringing: sharedFiles,
      zone,
    } = await database.asSystem(async (db) => {
      const prepared = (await findDownload(db, iid, id)) ?? refuse("linkExpired");
      return {
        row: prepared,
        zone: await readInstitutionZone(db, iid),
        list: await listPackedFiles(db, prepared.owner_id, prepared.studies),
        bringing: prepared.order_id === null ? null : await findSharedFiles(db, prepared.order_id),
      };
    });
    const language = row.language as Language;
    const deidentifyOptions = sharedFiles
      ? sharedFilesOptions(row, sharedFiles)
      : row.nameless && list[0]
        ? researchOptions(row, list[0])
        : null;
    const paths = assignArchivePaths(list, {
      language,
      zone,
      isNameless: deidentifyOptions !== null,
      showsDates: deidentifyOptions === null || deidentifyOptions.dates === "kept",
    });
    const today = localDayIn(zone, now);
    const entries = list.map((file, at) => sourceEntry(row, file, paths[at]!));
    return {
      name: archiveName(sharedFiles?.number ?? deidentifyOptions?.pseudonym ?? list[0]?.patient_name ?? "", today),
      entries: withProgress(
        database,
        row,
        deidentifyOptions ? deidentifiedEntries(row, { list, paths, manner: deidentifyOptions, language }) : entries,
      ),
      known: deidentifyOptions ? null : wholeArchiveInfo(list, entries),
    };
  };

function wholeArchiveInfo(list: readonly PackedFile[], entries: readonly ZipEntry[]): Archive["known"] {
  const bytes = computeZipLength(entries);
  const fingerprint = JSON.stringify(entries.map(({ path, at }, place) => [path, at, list[place]!.sha256]));
  return bytes === null ? null : { bytes, tag: createHash("sha256").update(fingerprint).digest("hex") };
}

/** Records the progress in the download's row. */
async function* withProgress(
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
      await updateDownloadState(database, row, "running", done);
    }
    isWhole = true;
  } finally {
    await updateDownloadState(database, row, isWhole ? "done" : "failed", isWhole ? row.files : done);
  }
}

const sourceEntry = (row: DownloadRow, file: PackedFile, path: string): ZipEntry => ({
  path,
  at: new Date(file.created_at),
  bytes: file.bytes,
  open: (lend) =>
    readSanitizedChunks(
      files(),
      { area: "originals", iid: row.owner_id, sha256: file.sha256 },
      { start: 0, end: file.bytes - 1 },
      lend,
    ),
});

interface DeidentifiedEntries {
  list: readonly PackedFile[];
  paths: readonly string[];
  manner: SerializedDeidentifyOptions;
  language: Language;
}
/** Files that cannot be de-identified are left out, and listed at the end. */
async function* deidentifiedEntries(
  row: DownloadRow,
  { list, paths, manner: deidentifyOptions, language }: DeidentifiedEntries,
): AsyncGenerator<ZipEntry> {
  const leftOut: string[] = [];
  for (const [at, file] of list.entries()) {
    const path = paths[at]!;
    const copy = await makeDeidentifiedCopy({ iid: row.owner_id, sha256: file.sha256 }, deidentifyOptions).catch(
      (error: unknown) => {
        if (error instanceof Refused && error.refusal !== "notFound") return null;
        throw error;
      },
    );
    if (!copy) {
      leftOut.push(path);
      continue;
    }
    try {
      const { size } = await stat(copy.path);
      const open = () => createReadStream(copy.path, { highWaterMark: 256 * 1024 });
      yield { path, at: new Date(file.created_at), bytes: size, open };
    } finally {
      await copy.discard();
    }
  }
  if (leftOut.length === 0) return;
  const text = Buffer.from(leftOut.join("\r\n"));
  const path = `${translate(language, "study", "download.leftOut")}.txt`;
  yield { path, at: new Date(), bytes: text.length, open: () => [text] };
}

/** Another institution gets what its order permits: de-identified if names are hidden, or if it asks for that. */
const sharedFilesOptions = (
  { nameless }: DownloadRow,
  { masked, manner: deidentifyOptions }: SharedFiles,
): SerializedDeidentifyOptions | null => (masked || nameless ? deidentifyOptions : null);

/**
 * The same patient under the same pseudonym is the same in every archive; under different pseudonyms nobody can link
 * them.
 */
function researchOptions(row: DownloadRow, { patient_id, study_id, known }: PackedFile): SerializedDeidentifyOptions {
  const iid = row.institution_id;
  const patient = patient_id ?? study_id;
  const pseudonym = row.nameless?.pseudonym ?? `P-${deriveKey("pseudonym", iid, patient).slice(0, 8).toUpperCase()}`;
  const dates = row.nameless?.dates ?? "removed";
  return {
    key: deriveKey("research", iid, pseudonym),
    pseudonym,
    dates: dates === "moved" ? -dateShiftDays(deriveKey("days", iid, patient)) : dates,
    device: false,
    descriptions: true,
    known,
  };
}

/** 1 to 365. */
const dateShiftDays = (key: string): number => 1 + (Number.parseInt(key.slice(0, 8), 16) % 365);
