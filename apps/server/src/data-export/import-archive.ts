import { sql } from "kysely";
import type { Database, Db } from "../platform/database/database.ts";
import type { StorageArea, FileStore } from "../platform/storage/file-store.ts";
import { Refused, refuse } from "../platform/http/refuse.ts";
import type { ImportArchive } from "./archive-reader.ts";
import type { ArchiveFile } from "./archive-manifest.ts";
import { requireImportable } from "./import-check.ts";
import { insertRows } from "./import-rows.ts";

export interface ImportOptions {
  database: Database;
  files: FileStore;
  archive: ImportArchive;
  /** The operator who imports it, for the audit log; null: from the command line. */
  by: string | null;
  onProgress: (progress: number) => Promise<void>;
}

/**
 * Imports an institution: its files first, then all rows in one transaction. If anything is wrong, nothing of it
 * remains. Refuses importBroken, importVersion, importExists.
 */
export async function importArchive(options: ImportOptions): Promise<string> {
  const { database, files, archive } = options;
  const iid = archive.manifest.institution.id;
  await database.asSystem((db) => requireImportable(db, archive.manifest));
  const imported: ImportedFile[] = [];
  try {
    await importFiles(options, imported);
    await database.asSystem(async (db) => {
      await sql`set local statement_timeout = 0`.execute(db);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
      await sql`select pg_advisory_xact_lock(hashtextextended(${`arcada import ${iid}`}, 0))`.execute(db);
      await requireImportable(db, archive.manifest);
      await loadArchiveRows(db, archive);
      await insertRows(db, archive.manifest, options.by);
    });
    return iid;
  } catch (error) {
    for (const { area, owner, sha256 } of imported) await files.remove(area, owner, sha256);
    throw toRefusal(error);
  }
}

interface ImportedFile {
  area: StorageArea;
  owner: string;
  sha256: string;
}

async function importFiles(
  { database, files, archive, onProgress }: ImportOptions,
  imported: ImportedFile[],
): Promise<void> {
  const all = archive.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const iid = archive.manifest.institution.id;
  const isNew = await database.asSystem(
    async (db) => !(await db.selectFrom("institution").select("id").where("id", "=", iid).executeTakeFirst()),
  );
  for (const file of archive.manifest.files) {
    for (const owner of await listTargetStores(database, archive, file)) {
      const isThere = (await files.bytes(file.area, owner, file.sha256)) !== null;
      const noted = { area: file.area, owner, sha256: file.sha256 };
      // The store of an unknown institution contains only the leftovers of an interrupted import.
      if (!isThere || (isNew && owner === iid)) imported.push(noted);
      if (isThere) continue;
      const stored = await files.put(file.area, owner, await archive.open(file));
      if (stored.sha256 === file.sha256) continue;
      noted.sha256 = stored.sha256;
      refuse("importBroken");
    }
    done += file.bytes;
    await onProgress((done / Math.max(1, all)) * 0.9);
  }
}

/**
 * Returns the institution's own store, and that of a partner who is known from archives alone. The store of an
 * institution that is active here is never written or searched.
 */
async function listTargetStores(
  database: Database,
  { manifest }: ImportArchive,
  { of }: ArchiveFile,
): Promise<string[]> {
  const iid = manifest.institution.id;
  const others = of.filter((owner) => owner !== iid);
  if (others.length === 0) return [iid];
  const living = await database.asSystem((db) =>
    db.selectFrom("institution").select("id").where("id", "in", others).where("stub", "=", false).execute(),
  );
  const own = of.includes(iid) || living.length > 0 ? [iid] : [];
  return [...own, ...others.filter((owner) => !living.some(({ id }) => id === owner))];
}

/**
 * Loads the lines unchanged into a table of this transaction: the database parses JSON faster than Node and does not
 * block the event loop.
 */
async function loadArchiveRows(db: Db, { manifest, lines }: ImportArchive): Promise<void> {
  await sql`create temp table arriving (source text not null, place int not null, row jsonb not null) on commit drop`.execute(
    db,
  );
  for (const name of Object.keys(manifest.tables)) {
    let place = 0;
    for await (const batch of lines(name)) {
      await sql`insert into arriving select ${name}, ${place} + n, line::jsonb from unnest(${batch}::text[]) with ordinality as lines(line, n)`.execute(
        db,
      );
      place += batch.length;
    }
  }
  await sql`create index on arriving (source, place)`.execute(db);
  await sql`analyze arriving`.execute(db);
}

/**
 * An archive that the database rejects is at fault itself: it has a value of the wrong kind, or a row that points
 * nowhere.
 */
function toRefusal(error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  if (error instanceof Refused || typeof code !== "string" || !/^(22|23)...$/.test(code)) return error;
  return new Refused(code === "23505" ? "importExists" : "importBroken", null, false);
}
