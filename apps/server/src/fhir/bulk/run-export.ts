import { Readable } from "node:stream";
import type { Resource } from "@medplum/fhirtypes";
import { readInstitutionZone } from "../../domain/institution-time-zone.ts";
import {
  dropExportFiles,
  findExport,
  insertExportFile,
  updateExport,
  type ExportJobRow,
} from "../../data-export/export-job.writes.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { defineQueue, type Jobs } from "../../platform/jobs/jobs.ts";
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

export const enqueueExport = (db: Db, key: ExportKey) => jobs().send(db, exportQueue, key);

/** Somebody cancelled it. */
class ExportCancelled extends Error {}

/** Writes the files of an export. A job whose process died begins anew. */
async function runExport(database: Database, key: ExportKey, signal: AbortSignal): Promise<void> {
  const row = await database.asSystem(async (db) => {
    if (!(await updateExport(db, key, ["waiting", "running"], { state: "running", progress: 0 }))) return undefined;
    await dropExportFiles(db, key.iid, key.id);
    return findExport(db, key.iid, key.id);
  });
  if (!row?.request) return;
  try {
    await writeFiles(await toReader(database, row), row, signal);
    await database.asSystem((db) => updateExport(db, key, ["running"], { state: "done", progress: 1 }));
  } catch (error) {
    if (!(error instanceof ExportCancelled)) throw error;
    await database.asSystem((db) => dropExportFiles(db, key.iid, key.id));
  }
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

async function writeFiles(reader: BulkReader, row: ExportJobRow, signal: AbortSignal): Promise<void> {
  const { iid, database } = reader;
  const key = { iid, id: row.id };
  const wanted = resourceDefinitions.filter(({ type }) => row.request?.types.includes(type));
  let place = 0;
  for (const [at, definition] of wanted.entries()) {
    const pages = listResources(reader, definition);
    for (;;) {
      const lines = await nextLines(pages);
      if (lines === null) break;
      const counted = { lines: 0 };
      const { sha256, bytes } = await files().put("converted", iid, Readable.from(fillFile(lines, pages, counted)));
      signal.throwIfAborted();
      place += 1;
      const file = { place, type: definition.type, sha256, bytes, lines: counted.lines };
      const isWanted = await database.asSystem(async (db) => {
        // A cancelled export does not get another file; its content stays without a row, and is deleted.
        if (!(await updateExport(db, key, ["running"], { progress: (at + 0.5) / wanted.length }))) return false;
        await insertExportFile(db, key, file);
        return true;
      });
      if (!isWanted) throw new ExportCancelled();
    }
  }
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
