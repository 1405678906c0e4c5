import { createHash } from "node:crypto";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { uniqueNames, toSafeFileName, type OpenArchive } from "../../platform/http/zip-archive-routes.ts";
import type { Database } from "../../platform/database/database.ts";
import { readSanitizedChunks } from "../../platform/http/file-routes.ts";
import type { AcquireBuffer } from "../../platform/storage/file-store.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { readInstitutionZone } from "../../domain/institution-time-zone.ts";
import type { ZipEntry } from "../../platform/storage/zip-writer.ts";
import {
  findPatientDownload,
  listPatientFiles,
  loadPatientRows,
  type PatientFile,
  type PatientRows,
} from "./patient-archive.store.ts";
import { buildBundle } from "./fhir-bundle.ts";

/**
 * Opens the archive of everything of one patient, packed while it is read. The reader's rights are checked again at the
 * time of the download.
 */
export const openPatientArchive =
  (database: Database): OpenArchive =>
  async (iid, id, now) => {
    const { rows, list, zone } = await database.asSystem(async (db) => {
      const { patient_id } = (await findPatientDownload(db, iid, id)) ?? refuse("linkExpired");
      const own = await readInstitutionZone(db, iid);
      return {
        rows: await loadPatientRows(db, iid, patient_id),
        list: await listPatientFiles(db, { iid, zone: own }, patient_id),
        zone: own,
      };
    });
    const { number } = rows.patient[0] ?? refuse("linkExpired");
    return {
      name: `${toSafeFileName(number)} ${localDayIn(zone, now)}.zip`,
      entries: generateEntries({ iid, zone }, rows, list, now),
      known: null,
    };
  };

interface WrittenEntry {
  path: string;
  bytes: number;
  sha256: string;
}

async function* generateEntries(
  { iid, zone }: { iid: string; zone: string },
  rows: PatientRows,
  list: readonly PatientFile[],
  now: Date,
): AsyncGenerator<ZipEntry> {
  const written: WrittenEntry[] = [];
  const paths = assignPaths(list);
  const said = { format: "arcada-patient", version: 1, exportedAt: now.toISOString() };
  yield jsonEntry("patient.json", { ...said, ...rows }, now, written);
  yield jsonEntry("fhir.json", buildBundle(rows, now, zone), now, written);
  for (const [at, file] of list.entries()) yield fileEntry(iid, file, paths[at]!, written);
  yield jsonEntry("manifest.json", { ...said, files: written }, now, []);
}

/** Images in a folder for each study, attachments in one for each visit; names as they came, each once. */
function assignPaths(list: readonly PatientFile[]): string[] {
  const once = uniqueNames();
  const folders = new Map<string, string>();
  return list.map(({ kind, owner, folder, name }) => {
    const known = folders.get(owner) ?? once(`${kind}/${toSafeFileName(folder)}`, "");
    folders.set(owner, known);
    const last = toSafeFileName(name.split(/[\\/]/).at(-1) ?? "") || "file";
    const ending = /\.[A-Za-z0-9]{1,5}$/.exec(last)?.[0] ?? "";
    return once(`${known}/${ending ? last.slice(0, -ending.length) : last}`, ending);
  });
}

function jsonEntry(path: string, content: unknown, at: Date, written: WrittenEntry[]): ZipEntry {
  const bytes = Buffer.from(`${JSON.stringify(content, null, 2)}\n`);
  written.push({ path, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
  return { path, at, bytes: bytes.length, compress: true, open: () => [bytes] };
}

/** DICOM files leave with an empty preamble, so their hash is computed while they are sent. */
function fileEntry(iid: string, file: PatientFile, path: string, written: WrittenEntry[]): ZipEntry {
  const { area, sha256, bytes } = file;
  const content = { area, iid, sha256 };
  async function* read(lend: AcquireBuffer): AsyncGenerator<Uint8Array> {
    const hash = createHash("sha256");
    for await (const part of readSanitizedChunks(files(), content, { start: 0, end: bytes - 1 }, lend)) {
      hash.update(part);
      yield part;
    }
    written.push({ path, bytes, sha256: hash.digest("hex") });
  }
  return { path, at: new Date(file.created_at), bytes, open: read };
}
