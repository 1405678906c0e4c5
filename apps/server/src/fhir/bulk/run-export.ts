import { Readable } from "node:stream";
import type { Resource } from "@medplum/fhirtypes";
import { readInstitutionZone } from "../../domain/institution-time-zone.ts";
import {
  dropExportFiles,
  findExport,
  insertExportFile,
  listExportFiles,
  updateExport,
  type ExportFile,
  type ExportJobRow,
} from "../../data-export/export-job.writes.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { defineQueue, type Jobs } from "../../platform/jobs/jobs.ts";
import { lockStore, markUnneeded } from "../../platform/storage/blob-references.ts";
import { files, jobs } from "../../platform/runtime/services.ts";
import { resourceDefinitions } from "../resources/resource-definitions.ts";
import { listResources, type BulkReader } from "./list-resources.ts";

const exportQueue = defineQueue<ExportKey>("fhir.export");
export interface ExportKey {
  iid: string;
  id: string;
}

/** A file ends with the page after which it has this size or number of lines. */
const fileLimits = { bytes: 50_000_000, lines: 50_000 } as const;

export const registerExports = (queue: Jobs, database: Database): Promise<void> =>
  queue.work(exportQueue, (key, signal) => runExport(database, key, signal), {
    onDeadLetter: (key) =>
      database.asSystem(async (db) => {
        await updateExport(db, key, ["waiting", "running"], { state: "failed", refusal: "internal" });
        await dropExportFiles(db, key.iid, key.id);
      }),
  });

export const enqueueExport = (db: Db, key: ExportKey) => jobs().send(db, exportQueue, key, { group: key.iid });

/** Somebody cancelled it, or another run of the job has finished it. */
class ExportOver extends Error {}

/**
 * Writes the files of an export. A job whose process died begins anew, and so does one whose process stood still for so
 * long that another one took it over: only a run that finds its own files alone ends the export.
 */
export async function runExport(database: Database, key: ExportKey, signal: AbortSignal): Promise<void> {
  const row = await database.asSystem(async (db) => {
    if (!(await updateExport(db, key, ["waiting", "running"], { state: "running", progress: 0 }))) return undefined;
    await dropExportFiles(db, key.iid, key.id);
    return findExport(db, key.iid, key.id);
  });
  if (!row?.request) return;
  try {
    const written = await writeFiles(await toReader(database, row), row, signal);
    await database.asSystem((db) => finishExport(db, key, written));
  } catch (error) {
    // The files are dropped already, if somebody cancelled it, or belong to the run that ended it.
    if (!(error instanceof ExportOver)) throw error;
  }
}

/** Throws if a file is not of this run, or is gone: the job is then tried again. */
async function finishExport(db: Db, key: ExportKey, written: readonly ExportFile[]): Promise<void> {
  const { iid, id } = key;
  if (!(await updateExport(db, key, ["running"], { state: "done", progress: 1 }))) return;
  // Content that an earlier export had is perhaps deleted between its write and its row.
  await lockStore(db, iid, "shared");
  const toText = (list: readonly ExportFile[]): string =>
    list.map(({ place, type, sha256 }) => `${place} ${type} ${sha256}`).join("\n");
  if (toText(await listExportFiles(db, iid, id)) !== toText(written)) throw new Error("two runs of one export");
  for (const { sha256 } of written)
    if ((await files().bytes("converted", iid, sha256)) === null) throw new Error("a file of the export is gone");
}

async function toReader(database: Database, row: ExportJobRow): Promise<BulkReader> {
  const { institution_id: iid, created_by: uid, request, language } = row;
  const { type, timeZone } = await database.asSystem(async (db) => ({
    ...(await db.selectFrom("institution").select("type").where("id", "=", iid).executeTakeFirstOrThrow()),
    timeZone: await readInstitutionZone(db, iid),
  }));
  return {
    database,
    iid,
    uid,
    role: type === "clinic" ? "clinicAdmin" : "factoryAdmin",
    timeZone,
    language: language === "zh" ? "zh" : "en",
    base: request?.base ?? "",
    since: request?.since ?? null,
  };
}

async function writeFiles(reader: BulkReader, row: ExportJobRow, signal: AbortSignal): Promise<ExportFile[]> {
  const { iid, database } = reader;
  const key = { iid, id: row.id };
  const wanted = resourceDefinitions.filter(({ type }) => row.request?.types.includes(type));
  const written: ExportFile[] = [];
  for (const [at, definition] of wanted.entries()) {
    const pages = listResources(reader, definition);
    for (;;) {
      const lines = await nextLines(pages);
      if (lines === null) break;
      const counted = { lines: 0 };
      const { sha256, bytes } = await files().put("converted", iid, Readable.from(fillFile(lines, pages, counted)));
      signal.throwIfAborted();
      const file = { place: written.length + 1, type: definition.type, sha256, bytes, lines: counted.lines };
      const progress = (at + 0.5) / wanted.length;
      if (!(await database.asSystem((db) => addFile(db, key, file, progress)))) throw new ExportOver();
      written.push(file);
    }
  }
  return written;
}

/** False: the export has ended. Its content is then deleted, unless something else refers to it. */
async function addFile(db: Db, key: ExportKey, file: ExportFile, progress: number): Promise<boolean> {
  const isWanted = await updateExport(db, key, ["running"], { progress });
  if (isWanted) await insertExportFile(db, key, file);
  else await markUnneeded(db, key.iid, [{ area: "converted", sha256: file.sha256 }]);
  return isWanted;
}

/** Returns the next page that has resources; null at the end. */
async function nextLines(pages: AsyncGenerator<Resource[]>): Promise<Buffer[] | null> {
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return null;
    if (value.length > 0) return value.map(toLine);
  }
}

/** One file: the first page, and further ones until a limit. */
async function* fillFile(
  first: Buffer[],
  pages: AsyncGenerator<Resource[]>,
  counted: { lines: number },
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for (let lines: Buffer[] | null = first; lines !== null; lines = await nextLines(pages)) {
    for (const line of lines) {
      counted.lines += 1;
      bytes += line.length;
      yield line;
    }
    if (counted.lines >= fileLimits.lines || bytes >= fileLimits.bytes) return;
  }
}

const toLine = (resource: Resource): Buffer => Buffer.from(`${JSON.stringify(resource)}\n`);
