import { sql } from "kysely";
import type { Database, Db } from "../platform/database/database.ts";
import type { Area, FileStore } from "../platform/storage/file-store.ts";
import { Refused, refuse } from "../platform/http/refuse.ts";
import type { Archive } from "./archive-read.ts";
import type { ArchiveFile } from "./archive.ts";
import { demandFree } from "./import-check.ts";
import { insertRows } from "./import-rows.ts";

export interface Importing {
  database: Database;
  files: FileStore;
  archive: Archive;
  /** The operator who imports it, for the audit log; null: from the command line. */
  by: string | null;
  step: (progress: number) => Promise<void>;
}

/**
 * Imports an institution: its files first, then all rows in one transaction. If anything is wrong, nothing of it
 * remains. Refuses importBroken, importVersion, importExists.
 */
export async function importArchive(importing: Importing): Promise<string> {
  const { database, files, archive } = importing;
  const iid = archive.manifest.institution.id;
  await database.asSystem((db) => demandFree(db, archive.manifest));
  const brought: Brought[] = [];
  try {
    await bringFiles(importing, brought);
    await database.asSystem(async (db) => {
      await sql`set local statement_timeout = 0`.execute(db);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
      await sql`select pg_advisory_xact_lock(hashtextextended(${`arcada import ${iid}`}, 0))`.execute(db);
      await demandFree(db, archive.manifest);
      await loadRows(db, archive);
      await insertRows(db, archive.manifest, importing.by);
    });
    return iid;
  } catch (error) {
    for (const { area, owner, sha256 } of brought) await files.remove(area, owner, sha256);
    throw asRefusal(error);
  }
}

interface Brought {
  area: Area;
  owner: string;
  sha256: string;
}

async function bringFiles({ database, files, archive, step }: Importing, brought: Brought[]): Promise<void> {
  const all = archive.manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const iid = archive.manifest.institution.id;
  const isNew = await database.asSystem(
    async (db) => !(await db.selectFrom("institution").select("id").where("id", "=", iid).executeTakeFirst()),
  );
  for (const file of archive.manifest.files) {
    for (const owner of await storesFor(database, archive, file)) {
      const isThere = (await files.bytes(file.area, owner, file.sha256)) !== null;
      const noted = { area: file.area, owner, sha256: file.sha256 };
      // The store of an unknown institution contains only the leftovers of an interrupted import.
      if (!isThere || (isNew && owner === iid)) brought.push(noted);
      if (isThere) continue;
      const stored = await files.put(file.area, owner, await archive.open(file));
      if (stored.sha256 === file.sha256) continue;
      noted.sha256 = stored.sha256;
      refuse("importBroken");
    }
    done += file.bytes;
    await step((done / Math.max(1, all)) * 0.9);
  }
}

/**
 * Returns the institution's own store, and that of a partner who is known from archives alone. The store of an
 * institution that is active here is never written or searched.
 */
async function storesFor(database: Database, { manifest }: Archive, { of }: ArchiveFile): Promise<string[]> {
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
async function loadRows(db: Db, { manifest, lines }: Archive): Promise<void> {
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
function asRefusal(error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  if (error instanceof Refused || typeof code !== "string" || !/^(22|23)...$/.test(code)) return error;
  return new Refused(code === "23505" ? "importExists" : "importBroken", null, false);
}
