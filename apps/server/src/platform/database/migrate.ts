import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { listMigrations, readReleases } from "./migration-files.ts";
import type { MigrationFile, ReleaseList } from "./migration-files.ts";
import { StartError } from "../runtime/config.ts";

const processLock = 0x61726361;
/**
 * A migration that waits for a table makes everybody behind it wait too, so it gives up soon and tries again. A
 * statement of the server lasts 30 seconds at most.
 */
export const lockWait = { limitMs: 3000, attempts: 20, pauseMs: 500 } as const;

export interface MigrateOptions {
  /** The names of those to apply; without it, all are. */
  only?: ReadonlySet<string>;
  /** The folder of the migrations; by default, this program's. */
  folder?: string | undefined;
}

/**
 * Migrates the database to this version: plain SQL files in the order of their names, each in a transaction, one
 * process at a time. Returns the names of those that were applied.
 */
export const migrate = (connection: pg.PoolConfig, { only, folder }: MigrateOptions = {}): Promise<string[]> =>
  withMigrationLock(connection, async (client) => {
    const missing = await findMissing(client, folder);
    await client.query(bookkeeping);
    const wanted = missing.filter(({ name }) => !only || only.has(name));
    for (const migration of wanted) await applyWhenFree(client, migration);
    return wanted.map(({ name }) => name);
  });

/**
 * Applies what is missing in one transaction and rolls it back. Returns the names and the duration of each. The tables
 * that they change are locked meanwhile.
 */
export const tryMigrations = (
  connection: pg.PoolConfig,
  folder?: string,
): Promise<{ name: string; milliseconds: number }[]> =>
  withMigrationLock(connection, async (client) => {
    const missing = await findMissing(client, folder);
    const tried: { name: string; milliseconds: number }[] = [];
    await client.query("begin");
    try {
      await client.query(bookkeeping);
      for (const migration of missing) {
        const began = performance.now();
        await apply(client, migration);
        await client.query("set constraints all immediate");
        tried.push({ name: migration.name, milliseconds: Math.round(performance.now() - began) });
      }
    } finally {
      await client.query("rollback");
    }
    return tried;
  });

export interface MigrationStatus {
  /** In their order, with the time at which each was applied; null: it is missing. */
  migrations: { name: string; at: Date | null }[];
  /** The newest release whose migrations have all been applied; null: none. */
  release: string | null;
  /** The reason why this program cannot use the database, or null. */
  refusal: string | null;
}

/** Compares the database with the migrations of this program and changes nothing. */
export async function readMigrationStatus(connection: pg.PoolConfig, folder?: string): Promise<MigrationStatus> {
  const client = await connect(connection);
  try {
    const applied = (await readApplied(client)) ?? [];
    const files = await listMigrations(folder);
    const releases = await readReleases(folder);
    const times = new Map(applied.map(({ name, at }) => [name, at]));
    return {
      migrations: files.map(({ name }) => ({ name, at: times.get(name) ?? null })),
      release: findRelease(releases, times)?.version ?? null,
      refusal: findRefusal(applied, files, releases),
    };
  } finally {
    await client.end();
  }
}

/**
 * Makes sure that this version's commands fit the database: an empty one is migrated. One that lacks migrations is not
 * touched, because a server of an earlier version may be using it.
 */
export async function requireMigrated(connection: pg.PoolConfig): Promise<void> {
  const { migrations, refusal } = await readMigrationStatus(connection);
  if (refusal !== null) throw new StartError(refusal);
  if (migrations.every(({ at }) => at === null)) return void (await migrate(connection));
  if (migrations.some(({ at }) => at === null))
    throw new StartError(
      "The database has not been migrated to this version. Start the server once or run admin migrate, then try again.",
    );
}

const bookkeeping =
  "create table if not exists migration (name text primary key, sha256 text not null, at timestamptz not null default now())";

interface AppliedMigration {
  name: string;
  sha256: string;
  at: Date;
}

/** Returns the applied migrations; null for an empty database. */
async function readApplied(client: pg.Client): Promise<AppliedMigration[] | null> {
  const { rows } = await client.query<{ exists: boolean }>("select to_regclass('migration') is not null as exists");
  if (!rows[0]!.exists) return null;
  return (await client.query<AppliedMigration>("select name, sha256, at from migration order by name")).rows;
}

/** Returns the migrations to apply; throws if this program does not fit the database. */
async function findMissing(client: pg.Client, folder: string | undefined): Promise<MigrationFile[]> {
  const applied = (await readApplied(client)) ?? [];
  const files = await listMigrations(folder);
  const refusal = findRefusal(applied, files, await readReleases(folder));
  if (refusal !== null) throw new StartError(refusal);
  const done = new Set(applied.map(({ name }) => name));
  return files.filter(({ name }) => !done.has(name));
}

/** Returns one sentence that says why the database cannot be used or upgraded, or null. */
function findRefusal(
  applied: readonly AppliedMigration[],
  files: readonly MigrationFile[],
  releases: ReleaseList,
): string | null {
  const done = new Map(applied.map(({ name, sha256 }) => [name, sha256]));
  // Databases of the time before the baseline know other files, and no upgrade leads from them to the baseline.
  if (done.size > 0 && !done.has(files[0]!.name))
    return "This database was created by a version of Arcada before 1.0, whose data cannot be upgraded. Start with empty data: a new folder in DATA_DIR and, where DATABASE_URL is set, a new database.";
  const unknown = [...done.keys()].filter((name) => !files.some((file) => file.name === name));
  if (unknown.length > 0)
    return `The database is newer than this program: it knows ${unknown.join(", ")}. Start the version of Arcada that was used last, or a later one.`;
  const changed = files.find(({ name, sha256 }) => done.has(name) && done.get(name) !== sha256);
  if (changed) return `Migration ${changed.name} was changed after it had been applied.`;
  return done.size > 0 ? findAge(releases, done) : null;
}

/** Returns a sentence if the database is older than the oldest release from which this version upgrades. */
function findAge({ upgradesFrom, releases }: ReleaseList, done: ReadonlyMap<string, unknown>): string | null {
  const oldest = releases.findIndex(({ version }) => version === upgradesFrom);
  const needed = releases.slice(0, oldest + 1);
  if (needed.every(({ migrations }) => hasAll(migrations, done))) return null;
  const release = findRelease({ upgradesFrom, releases }, done)?.version ?? "an early version";
  return `The database is that of Arcada ${release}, and this version upgrades from ${upgradesFrom} on: start Arcada ${upgradesFrom} once, then this version.`;
}

const hasAll = (migrations: Record<string, string>, done: ReadonlyMap<string, unknown>): boolean =>
  Object.keys(migrations).every((name) => done.has(name));

function findRelease({ releases }: ReleaseList, done: ReadonlyMap<string, unknown>) {
  const firstMissing = releases.findIndex(({ migrations }) => !hasAll(migrations, done));
  return releases.slice(0, firstMissing < 0 ? undefined : firstMissing).at(-1);
}

async function withMigrationLock<T>(connection: pg.PoolConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(connection);
  try {
    await client.query("select pg_advisory_lock($1)", [processLock]);
    await client.query(`set lock_timeout = ${lockWait.limitMs}`);
    return await work(client);
  } finally {
    await client.end();
  }
}

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

async function applyWhenFree(client: pg.Client, migration: MigrationFile): Promise<void> {
  for (let attemptsLeft = lockWait.attempts - 1; ; attemptsLeft--) {
    await client.query("begin");
    try {
      await apply(client, migration);
      return void (await client.query("commit"));
    } catch (error) {
      await client.query("rollback");
      if (!(error instanceof TableInUseError) || attemptsLeft === 0) throw error;
    }
    await sleep(lockWait.pauseMs);
  }
}

async function apply(client: pg.Client, { name, sha256, sql }: MigrationFile): Promise<void> {
  try {
    await client.query(sql);
    await client.query("insert into migration (name, sha256) values ($1, $2)", [name, sha256]);
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) throw new TableInUseError(name);
    throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error });
  }
}

export const lockNotAvailable = "55P03";

class TableInUseError extends StartError {
  constructor(migration: string) {
    super(
      `Migration ${migration} did not get a table that another transaction keeps: end long transactions, then try again. Nothing of it was applied.`,
    );
  }
}
