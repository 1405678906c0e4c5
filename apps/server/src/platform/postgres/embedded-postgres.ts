import { existsSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { StartError } from "../runtime/config.ts";
import {
  folderError,
  makeCluster,
  clusterOwner,
  type ClusterPaths,
  clusterPaths,
  prepareFolder,
} from "./make-cluster.ts";
import {
  findLauncher,
  changeOwner,
  readLastErrors,
  type Launcher,
  prepareSocketFolder,
  shortenLog,
} from "./unprivileged-launcher.ts";
import { openArchiveFolder } from "./wal-folder-of-cluster.ts";
import { withExclusiveLock } from "./exclusive-lock.ts";
import { databaseSettings } from "./embedded-postgres-settings.ts";
import { refuseDuringUpgrade, undoUpgrade } from "./exchange-upgraded-cluster.ts";
import type { Binaries } from "./find-binaries.ts";
import { NamespaceClaim } from "./claim-cluster.ts";
import { isAlive, isPostmaster, isOrphanPostmaster, readPid, findPostmaster, waitUntil } from "./postmaster.ts";

export interface EmbeddedPostgres {
  /** For pg.Pool and pg.Client: the database `arcada` as its owner, over a socket that no other user can open. */
  connection: { host: string; port: number; user: string; database: string };
  mode: Launcher["mode"];
  /** True if it was running already: another process of ours uses it, or one died and left it. */
  wasRunning: boolean;
  /** Leaves the database; the last of the processes that use it stops it. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  folder: string;
  log?: (line: string) => void;
  /** Settings that override ours; they apply for the process that starts the cluster. */
  settings?: Record<string, string>;
  /** The programs to use; by default, those of this version of Arcada. */
  programs?: Binaries;
  /** Starts the cluster for this process alone, which holds its lock already: nobody else can join. */
  alone?: boolean;
  /** Finished segments of the WAL are copied into this folder, after these seconds at the latest. */
  archive?: { folder: string; seconds: number } | undefined;
  /** Called when nothing is left to do but to wait for the database. It may be called again. */
  onLaunch?: (() => void) | undefined;
}

/**
 * Starts, or joins, the PostgreSQL cluster in this folder and supervises it until `stop`: if it is killed from outside,
 * it is started again. Throws a StartError with one sentence if the person who starts Arcada can fix the cause.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const paths = clusterPaths(options.folder, options.alone);
  prepareFolder(paths);
  if (!options.alone) refuseDuringUpgrade(paths.folder);
  const supervisor = new Supervisor(paths, findLauncher(options.programs), options);
  await supervisor.join();
  const { connection, mode, wasRunning } = supervisor;
  return { connection, mode, wasRunning, stop: () => supervisor.leave() };
}

// Every process that uses the cluster holds this lock shared; a process that can take it exclusively is the last.
const presenceLock = 0x61726364;
// Our statements end after 30 seconds, so a backend that outlived its postmaster has ended by then.
const backendTimeoutMs = 40_000;

class Supervisor {
  wasRunning = false;
  readonly mode: Launcher["mode"];
  readonly connection: EmbeddedPostgres["connection"];
  readonly #places: ClusterPaths;
  readonly #launcher: Launcher;
  readonly #claim: NamespaceClaim;
  readonly #options: PostgresOptions;
  #present: pg.Client | undefined;
  #leaving = false;
  #joining: Promise<void> = Promise.resolve();

  constructor(paths: ClusterPaths, launcher: Launcher, options: PostgresOptions) {
    this.#places = paths;
    this.#launcher = launcher;
    this.#claim = new NamespaceClaim(`${paths.folder}.claim`);
    this.#options = options;
    this.mode = launcher.mode;
    this.connection = { host: paths.socket, port: 5432, user: clusterOwner, database: "arcada" };
  }

  join(): Promise<void> {
    this.#joining = withExclusiveLock(this.#places.lock, () => this.#bringUp()).catch((error: unknown) => {
      throw error instanceof StartError ? error : folderError(this.#places.folder, (error as Error).message);
    });
    return this.#joining;
  }

  async leave(): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    await this.#joining.catch(() => {});
    const last = this.#present !== undefined && (await isLast(this.#present));
    // The lock stays ours until the end: a process that arrives now is rejected by the closing database and starts it
    // again.
    if (last) await this.#shutDown();
    await this.#present?.end().catch(() => {});
    this.#claim.release({ isLast: last });
  }

  async #bringUp(): Promise<void> {
    const { folder } = this.#places;
    await this.#claim.take();
    if (!this.#options.alone) await undoUpgrade(folder);
    if (makeCluster(this.#places, this.#launcher)) this.#say(`made a database in ${folder}`);
    for (const end = Date.now() + backendTimeoutMs; ; await sleep(50)) {
      this.wasRunning = findPostmaster(folder) !== undefined;
      const failure = this.wasRunning ? undefined : await this.#startPostmaster();
      const present = failure === undefined ? await this.#arrive() : undefined;
      if (present) return this.#watch(present);
      if (failure !== undefined && !transientFailures.test(failure)) throw folderError(folder, failure);
      if (Date.now() > end) throw folderError(folder, failure ?? `it does not answer (see ${this.#places.log})`);
    }
  }

  /** Starts the postmaster; returns the reason if it ended at once. */
  async #startPostmaster(): Promise<string | undefined> {
    const { folder, log, socket } = this.#places;
    await removeStaleFiles(this.#places);
    prepareSocketFolder(this.#launcher, socket);
    changeOwner(this.#launcher, folder);
    shortenLog(log);
    const settings = Object.entries({
      ...databaseSettings(this.#launcher.major),
      ...this.#prepareArchive(),
      ...this.#options.settings,
    }).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    const started = this.#launcher.start("postgres", ["-D", folder, "-k", socket, ...settings], log);
    this.#options.onLaunch?.();
    const ready = () => findPostmaster(folder)?.ready ?? false;
    await waitUntil(() => ready() || started.ended(), 10 * backendTimeoutMs);
    return ready() ? undefined : readLastErrors(log) || guessFailure(folder);
  }

  #prepareArchive(): Record<string, string> {
    const { archive } = this.#options;
    if (!archive) return {};
    openArchiveFolder(this.#places.folder, archive.folder);
    changeOwner(this.#launcher, archive.folder);
    return {
      archive_mode: "on",
      // Part of PostgreSQL since version 15: it needs no shell, and flushes each file before its name appears.
      archive_library: "basic_archive",
      "basic_archive.archive_directory": archive.folder,
      archive_timeout: `${archive.seconds}s`,
    };
  }

  /** Connects and takes the presence lock; undefined while the database starts or closes. */
  async #arrive(): Promise<pg.Client | undefined> {
    const client = new pg.Client({
      ...this.connection,
      database: "postgres",
      connectionTimeoutMillis: 5000,
      application_name: "presence",
    });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query("select pg_advisory_lock_shared($1)", [presenceLock]);
      const { rowCount } = await client.query("select from pg_database where datname = $1", [this.connection.database]);
      if (rowCount === 0) await client.query(`create database ${this.connection.database}`);
      return client;
    } catch {
      await client.end().catch(() => {});
      return undefined;
    }
  }

  #watch(present: pg.Client): void {
    this.#present = present;
    this.#say(`database ${this.wasRunning ? "joined" : "started"} (${this.mode})`);
    present.once("end", () => {
      if (!this.#leaving) void this.#rejoin();
    });
  }

  async #rejoin(): Promise<void> {
    this.#say("the database ended: starting it again");
    this.#present = undefined;
    for (let pause = 200; !this.#leaving; pause = Math.min(pause * 2, 10_000)) {
      try {
        return await this.join();
      } catch (error) {
        this.#say((error as Error).message);
        await sleep(pause, undefined, { ref: false });
      }
    }
  }

  async #shutDown(): Promise<void> {
    const { folder, socket } = this.#places;
    const pid = findPostmaster(folder)?.pid;
    if (!pid) return;
    // SIGINT is the fast shutdown of PostgreSQL: it ends the sessions, writes everything to disk, and exits.
    process.kill(pid, "SIGINT");
    const gone = await waitUntil(() => !isAlive(pid), backendTimeoutMs);
    if (gone) rmSync(socket, { recursive: true, force: true });
    this.#say(gone ? "database stopped" : `the database is still closing (process ${pid})`);
  }

  #say(line: string): void {
    this.#options.log?.(line);
  }
}

// Failures that pass by themselves: another process was faster, or the backends of a killed postmaster have not all
// ended yet.
const transientFailures =
  /lock file [^\n]{1,300} already exists|pre-existing shared memory|is another postmaster|could not bind/i;
/** Removes what a killed postmaster left and PostgreSQL itself would mistake for a running one. */
async function removeStaleFiles({ folder, socket }: ClusterPaths): Promise<void> {
  const pidFile = path.join(folder, "postmaster.pid");
  if (existsSync(pidFile) && !findPostmaster(folder)) rmSync(pidFile, { force: true });
  const socketLock = path.join(socket, ".s.PGSQL.5432.lock");
  const holder = readPid(socketLock);
  if (!holder) return;
  if (isOrphanPostmaster(holder)) {
    process.kill(holder, "SIGQUIT");
    await waitUntil(() => !isAlive(holder), 5000);
  }
  if (!isPostmaster(holder, folder)) rmSync(socketLock, { force: true });
}

// The log is on the same disk: if that is full, it stays empty.
const guessFailure = (folder: string): string =>
  statfsSync(folder).bavail === 0 ? "No space left on device" : "it ended without a word";

async function isLast(present: pg.Client): Promise<boolean> {
  try {
    await present.query("select pg_advisory_unlock_shared($1)", [presenceLock]);
    const { rows } = await present.query<{ last: boolean }>("select pg_try_advisory_lock($1) as last", [presenceLock]);
    return rows[0]?.last ?? false;
  } catch {
    return false;
  }
}
