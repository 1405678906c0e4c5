import { Readable } from "node:stream";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import type { Database, Db } from "../platform/database/database.ts";
import type { StorageArea, FileStore } from "../platform/storage/file-store.ts";
import { refuse, Refused } from "../platform/http/refuse.ts";
import { translatorOf } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";
import { archiveFileNames, tablePath } from "./archive-manifest.ts";
import type { ArchiveFile, Manifest } from "./archive-manifest.ts";
import { archiveTables, readOnlyTables } from "./archive-tables.ts";
import type { ArchiveTable } from "./archive-tables.ts";
import { contactColumns, referencedInstitutions, personColumns, referencedPeople } from "./archive-references.ts";
import { ZipWriter } from "./zip-writer.ts";

export interface ExportOptions {
  database: Database;
  files: FileStore;
  iid: string;
  language: Language;
  /** Receives the progress, 0 to 1; an error that it throws ends the export. */
  onProgress: (progress: number) => Promise<void>;
}

/** Passes an institution's data as a zip archive to `take`, which reads the stream to its end. */
export async function writeArchive<T>(options: ExportOptions, take: (stream: Readable) => Promise<T>): Promise<T> {
  const zip = new ZipWriter();
  const taken = take(zip.stream).catch((error: Error) => {
    zip.fail(error);
    throw error;
  });
  const written = writeContents(zip, options).catch((error: Error) => {
    zip.fail(error);
    throw error;
  });
  const [first, second] = await Promise.allSettled([written, taken]);
  // The first error caused the other one. A refusal is more precise than a broken stream.
  const errors = [first, second].flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  if (errors.length > 0) throw errors.find((error) => error instanceof Refused) ?? errors[0]!;
  return (second as PromiseFulfilledResult<T>).value;
}

async function writeContents(zip: ZipWriter, options: ExportOptions): Promise<void> {
  const { institution, tables, wanted, exportedAt } = await options.database.asSystem((db) =>
    writeTables(db, zip, options),
  );
  const { files, lacking: missing } = await writeFiles(zip, options, wanted);
  const manifest: Manifest = {
    format: "arcada-institution",
    version: dataExportRules.formatVersion,
    exportedAt,
    institution,
    tables,
    files,
    lacking: missing,
  };
  await zip.add(archiveFileNames.readme, writeEntry(buildReadme(options.language, manifest)), { compress: true });
  await zip.add(archiveFileNames.manifest, writeEntry(JSON.stringify(manifest)), { compress: true });
  zip.end();
}

async function* writeEntry(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

interface ReferencedFile {
  area: StorageArea;
  sha256: string;
  of: string[];
}

/** All rows as they are at one moment, and which files they name. */
async function writeTables(db: Db, zip: ZipWriter, { iid, onProgress }: ExportOptions) {
  await sql`set transaction isolation level repeatable read, read only`.execute(db);
  await sql`set local statement_timeout = 0`.execute(db);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
  const at = sql<string>`${sql.lit(iid)}::uuid`;
  const found = await db
    .selectFrom("institution")
    .select(["id", "name", "number", "type"])
    .where("id", "=", iid)
    .where("stub", "=", false)
    .executeTakeFirst();
  const institution = found ?? refuse("institutionUnknown");
  const tables: Manifest["tables"] = {};
  const put = async (name: string, columns: string[], query: RawBuilder<unknown>) => {
    const count = { rows: 0 };
    const stored = await zip.add(tablePath(name), generateLines(db, query, count), { compress: true });
    tables[name] = { ...count, ...stored, columns };
    await onProgress((rowsShare * Object.keys(tables).length) / (archiveTables.length + readOnlyTables.length + 3));
  };
  for (const table of [...archiveTables, ...readOnlyTables]) {
    const columns = await listColumns(db, table);
    await put(table.name, columns, rowsQuery(table, at));
  }
  await put("users", personColumns, referencedPeople(at));
  await put(
    "contact",
    contactColumns,
    sql`select to_jsonb(c)::text as line from contact c
    join membership m on m.user_id = c.user_id where m.institution_id = ${at} and m.state = 'normal' order by c.user_id, c.kind`,
  );
  await put("other_institution", ["id", "number", "name", "type", "country"], referencedInstitutions(at));
  return { institution, tables, wanted: await listReferencedFiles(db, at, iid), exportedAt: new Date().toISOString() };
}

const rowsShare = 0.1;
const sourceTable = (table: ArchiveTable & { of?: string }): string => table.of ?? table.name;
const rowsQuery = (table: ArchiveTable, at: RawBuilder<string>) =>
  sql`select (to_jsonb(t) - ${sql.lit(`{${(table.without ?? []).join(",")}}`)}::text[])::text as line
    from ${sql.table(sourceTable(table))} t where ${table.rows(at)} order by ${sql.raw(table.order)}`;

async function listColumns(db: Db, table: ArchiveTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${sourceTable(table)}::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !table.without?.includes(name));
}

/** Rows as lines of JSON, some hundred at a time. */
async function* generateLines(db: Db, query: RawBuilder<unknown>, count: { rows: number }): AsyncGenerator<Buffer> {
  await sql`declare leaving no scroll cursor for ${query}`.execute(db);
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch 200 from leaving`.execute(db);
    if (rows.length === 0) break;
    count.rows += rows.length;
    for (const { line } of rows) yield Buffer.from(`${line}\n`);
  }
  await sql`close leaving`.execute(db);
}

/** Every file that the rows name, each content once. */
async function listReferencedFiles(db: Db, at: RawBuilder<string>, iid: string): Promise<ReferencedFile[]> {
  const named = archiveTables.flatMap((table) =>
    (table.files ?? []).map(
      ({ column, area, owner, when }) =>
        sql`select ${sql.lit(area)} as area, t.${sql.ref(column)} as sha256, t.${sql.ref(owner)} as owner
          from ${sql.table(table.name)} t where ${table.rows(at)} and t.${sql.ref(column)} is not null ${when ? sql`and ${when}` : sql``}`,
    ),
  );
  const { rows } = await sql<ReferencedFile>`select area, sha256, array_agg(distinct owner::text) as of
    from (${sql.join(named, sql` union all `)}) named group by area, sha256 order by area, sha256`.execute(db);
  // The institution's own store first: that is where the file is looked for.
  return rows.map((row) => ({ ...row, of: row.of.toSorted((one) => (one === iid ? -1 : 1)) }));
}

async function writeFiles(
  zip: ZipWriter,
  { files, iid, onProgress }: ExportOptions,
  wanted: readonly ReferencedFile[],
) {
  const written: ArchiveFile[] = [];
  const missing: Manifest["lacking"] = [];
  for (const [place, { area, sha256, of }] of wanted.entries()) {
    const path = `${area}/${sha256}`;
    const owner = await findOwner(files, area, sha256, of.length > 0 ? of : [iid]);
    if (!owner) {
      missing.push({ path, why: "missing" });
      continue;
    }
    const reportShare = (share: number) => onProgress(rowsShare + ((1 - rowsShare) * (place + share)) / wanted.length);
    await reportShare(0);
    const source = withProgress(await files.read(area, owner.id, sha256), owner.bytes, reportShare);
    // Images and volumes are compressed already; compressing them again would cost minutes and gain little.
    const stored = await zip.add(path, source, { compress: false, bytes: owner.bytes });
    if (stored.sha256 !== sha256) missing.push({ path, why: "damaged" });
    written.push({ path, area, of, ...stored });
  }
  return { files: written, lacking: missing };
}

/** A volume takes minutes: the export can be stopped in between. */
async function* withProgress(
  source: AsyncIterable<Uint8Array>,
  all: number,
  hear: (share: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    yield chunk;
    bytes += chunk.length;
    await hear(Math.min(1, bytes / Math.max(1, all)));
  }
}

async function findOwner(files: FileStore, area: StorageArea, sha256: string, owners: readonly string[]) {
  for (const id of owners) {
    const bytes = await files.bytes(area, id, sha256);
    if (bytes !== null) return { id, bytes };
  }
  return null;
}

function buildReadme(language: Language, { institution, exportedAt, lacking: missing }: Manifest): string {
  const t = translatorOf(language, "leaving");
  return [
    t("readme.title"),
    t("readme.organisation", { name: institution.name, number: institution.number }),
    t("readme.time", { time: exportedAt.slice(0, 16).replace("T", " ") }),
    t("readme.care"),
    t("readme.manifest"),
    t("readme.tables"),
    t("readme.originals"),
    t("readme.converted"),
    t("readme.import"),
    ...(missing.length > 0 ? [t("readme.lacking", { count: missing.length })] : []),
    "",
  ].join("\r\n\r\n");
}
