import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { StartError } from "../runtime/config.ts";

const folder = path.join(import.meta.dirname, "../../../migrations");
const lockKey = 0x61726361;

/** Lists the migrations of this program, in their order. */
export async function listMigrations(): Promise<{ name: string; sha256: string; sql: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name), "utf8");
      return { name, sha256: createHash("sha256").update(sql).digest("hex"), sql };
    }),
  );
}

/**
 * Migrates the database to this version: plain SQL files in the order of their names, each in a transaction, one
 * process at a time. `only` names those to apply; without it, all are.
 */
export async function migrate(connection: pg.PoolConfig, only?: ReadonlySet<string>): Promise<string[]> {
  const client = await connect(connection);
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await client.query(
      "create table if not exists migration (name text primary key, sha256 text not null, at timestamptz not null default now())",
    );
    return await applyMissing(client, only);
  } finally {
    await client.end();
  }
}

/**
 * Makes sure that this version's commands fit the database: an empty one is migrated. One that lacks migrations is not
 * touched, because a server of an earlier version may be using it.
 */
export async function requireMigrated(connection: pg.PoolConfig): Promise<void> {
  const done = await readApplied(connection);
  if (done === null) return void (await migrate(connection));
  const files = (await listMigrations()).map(({ name }) => name);
  const unknown = done.filter((name) => !files.includes(name));
  if (unknown.length > 0) throw newerDatabase(unknown);
  if (files.some((name) => !done.includes(name)))
    throw new StartError("The database has not been migrated to this version. Start the server once, then try again.");
}

/** Returns the names of the applied migrations; null for an empty database. */
async function readApplied(connection: pg.PoolConfig): Promise<string[] | null> {
  const client = await connect(connection);
  try {
    const { rows } = await client.query<{ exists: boolean }>("select to_regclass('migration') is not null as exists");
    if (!rows[0]!.exists) return null;
    return (await client.query<{ name: string }>("select name from migration")).rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

const newerDatabase = (unknown: string[]): StartError =>
  new StartError(`The database is newer than this program: it knows ${unknown.join(", ")}.`);

async function connect(connection: pg.PoolConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect().catch((error: Error & { code?: string }) => {
    throw new StartError(
      `The database cannot be reached (${error.code ?? error.message}). Does it run, and is DATABASE_URL right?`,
    );
  });
  return client;
}

async function applyMissing(client: pg.Client, only: ReadonlySet<string> | undefined): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>("select name, sha256 from migration");
  const done = new Map(rows.map((row) => [row.name, row.sha256]));
  const migrations = await listMigrations();
  const files = migrations.map(({ name }) => name);
  // Databases of the time before the baseline know other files, and no upgrade leads from them to the baseline.
  if (done.size > 0 && !done.has(files[0]!))
    throw new StartError(
      "This database was created by a version of Arcada before 1.0, whose data cannot be upgraded. Start with empty data: a new folder in DATA_DIR and, where DATABASE_URL is set, a new database.",
    );
  const unknown = [...done.keys()].filter((name) => !files.includes(name));
  if (unknown.length > 0) throw newerDatabase(unknown);
  const applied: string[] = [];
  for (const { name, sha256, sql } of migrations) {
    if (only && !only.has(name)) continue;
    if (done.has(name)) {
      if (done.get(name) !== sha256) throw new StartError(`Migration ${name} was changed after it had been applied.`);
      continue;
    }
    await client.query("begin");
    try {
      await client.query(sql);
      await client.query("insert into migration (name, sha256) values ($1, $2)", [name, sha256]);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error });
    }
    applied.push(name);
  }
  return applied;
}
