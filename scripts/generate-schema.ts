import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { migrate } from "../apps/server/src/platform/database/migrate.ts";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { readCatalogue } from "./schema/catalogue.ts";
import { renderRowTypes } from "./schema/row-types.ts";
import { renderSchemaSql } from "./schema/schema-sql.ts";

const root = path.join(import.meta.dirname, "..");

/** The files that follow from a migrated database, by their place in the repository. Run this file to write them. */
export async function generateSchemaFiles(connection: pg.PoolConfig): Promise<Record<string, string>> {
  const catalogue = await readCatalogue(connection);
  return {
    "apps/server/schema.sql": renderSchemaSql(catalogue),
    "apps/server/src/tables/schema.generated.ts": renderRowTypes(catalogue, narrowedColumns()),
  };
}

/** The keys of `ColumnTypes`. */
const narrowedColumns = (): string[] =>
  [
    ...readFileSync(path.join(root, "apps/server/src/tables/column-types.ts"), "utf8").matchAll(/^ {2}"(\w+\.\w+)":/gm),
  ].map((found) => found[1]!);

async function writeSchemaFiles(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-schema-"));
  const embedded = await startPostgres({ folder: path.join(folder, "postgres"), settings: { fsync: "off" } });
  try {
    await migrate(embedded.connection);
    for (const [file, content] of Object.entries(await generateSchemaFiles(embedded.connection)))
      writeFileSync(path.join(root, file), content);
  } finally {
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await writeSchemaFiles();
