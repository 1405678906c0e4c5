import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { CheckedArchive } from "@arcada/contract/data-export/data-export.calls";
import type { Database, Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { ImportArchive } from "./archive-reader.ts";
import type { Manifest } from "./archive-manifest.ts";
import { archiveTables } from "./archive-tables.ts";
import { selectValue } from "../platform/database/select-value.ts";

type OnProgress = (progress: number) => Promise<void>;

/** Reads an archive from end to end and changes nothing. Refuses importBroken, importVersion, importExists. */
export async function checkArchive(
  database: Database,
  archive: ImportArchive,
  onProgress: OnProgress,
): Promise<CheckedArchive> {
  const { manifest } = archive;
  await database.asSystem((db) => requireImportable(db, manifest));
  const contacts: string[] = [];
  for (const name of Object.keys(manifest.tables))
    for await (const lines of archive.lines(name)) if (name === "contact") contacts.push(...lines);
  const all = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  for (const file of manifest.files) {
    const hash = createHash("sha256");
    for await (const chunk of await archive.open(file)) hash.update(chunk as Buffer);
    if (hash.digest("hex") !== file.sha256) refuse("importBroken");
    read += file.bytes;
    await onProgress(read / Math.max(1, all));
  }
  return database.asSystem(async (db) => ({
    institution: manifest.institution,
    exportedAt: manifest.exportedAt,
    tables: Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows])),
    files: manifest.files.length,
    bytes: all,
    lacking: manifest.lacking.length,
    ...(await countMembers(db, contacts)),
  }));
}

/** Demands that the institution does not exist here yet, and that this program knows every column of the archive. */
export async function requireImportable(db: Db, { institution, tables }: Manifest): Promise<void> {
  const here = await db.selectFrom("institution").select("stub").where("id", "=", institution.id).executeTakeFirst();
  if (here && !here.stub) refuse("importExists");
  for (const { name, without = [] } of archiveTables) {
    const columns = tables[name]?.columns ?? [];
    // An archive must not set columns that have a meaning on one instance only.
    if (new Set(columns).size < columns.length || columns.some((column) => without.includes(column)))
      refuse("importVersion");
    const hasUnknownColumn = sql<boolean>`exists (select from unnest(${columns}::text[]) c
      where c not in (select attname from pg_attribute where attrelid = ${name}::regclass and attnum > 0 and not attisdropped))`;
    if (await selectValue(db, hasUnknownColumn)) refuse("importVersion");
  }
}

async function countMembers(db: Db, contacts: readonly string[]): Promise<{ members: number; known: number }> {
  const { rows } = await sql<{ members: number; known: number }>`
    select count(distinct r ->> 'user_id')::int as members, count(distinct r ->> 'user_id') filter (where exists (
      select from contact c where c.kind = r ->> 'kind' and c.value = r ->> 'value'))::int as known
    from unnest(${contacts}::jsonb[]) r`.execute(db);
  return rows[0] ?? { members: 0, known: 0 };
}
