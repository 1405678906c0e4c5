import path from "node:path";
import pg from "pg";
import { present } from "@arcada/testing/require-present";
import type { Product } from "@arcada/testing/setup/product-process";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { listProcessTree, readCpuMs } from "./compare-runs.ts";
import { readProportionalMemory } from "./process-memory.ts";

/** The usage since the start: ms of processor time, commits, bytes; `at` in seconds. */
export interface Usage {
  at: number;
  server: number;
  database: number;
  commits: number;
  wal: number;
  rows: number;
}

export class CostMeter {
  readonly #product: Product;
  readonly #database: pg.Client;
  readonly #postmaster: number;
  readonly #stopDatabase: () => Promise<void>;
  private constructor(product: Product, database: pg.Client, stopDatabase: () => Promise<void>) {
    this.#product = product;
    this.#database = database;
    this.#stopDatabase = stopDatabase;
    this.#postmaster = product.postmasterPid();
  }

  static async open(product: Product): Promise<CostMeter> {
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    const database = new pg.Client(postgres.connection);
    await database.connect();
    return new CostMeter(product, database, () => postgres.stop());
  }
  async close(): Promise<void> {
    await this.#database.end();
    await this.#stopDatabase();
  }

  /** Returns the processor time (ms) of the server without its database, and of the database. */
  readProcessor(): { server: number; database: number } {
    const database = readCpuMs([this.#postmaster]) ?? 0;
    const own = readCpuMs([this.#product.pid]) ?? 0;
    // The database is a child of the product that started it.
    const isChild = listProcessTree([this.#product.pid]).includes(this.#postmaster);
    return { server: isChild ? own - database : own, database };
  }

  async read(): Promise<Usage> {
    const { rows } = await this.#database.query<{ wal: string; rows: string; commits: string }>(
      `select pg_current_wal_insert_lsn() - '0/0' as wal, pg_database_size(current_database()) as rows,
        (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
    );
    const [row] = rows;
    const processor = this.readProcessor();
    return {
      at: performance.now() / 1000,
      ...processor,
      commits: Number(row?.commits),
      wal: Number(row?.wal),
      rows: Number(row?.rows),
    };
  }

  /**
   * Returns the usage of each second in which nobody asks for anything: of four periods the one with the least processor
   * time, because the database also vacuums what came before. The tables grow by work alone.
   */
  async measureIdle(seconds = 6): Promise<Usage> {
    let least: Usage | undefined;
    for (let period = 0; period < 4; period++) {
      const before = await this.read();
      await pause(seconds);
      const after = await this.read();
      const each = (pick: keyof Usage) => (after[pick] - before[pick]) / (after.at - before.at);
      const [server, database, commits] = [each("server"), each("database"), each("commits")];
      if (!least || server + database < least.server + least.database)
        least = { at: 1, server, database, commits, wal: 0, rows: 0 };
    }
    return present(least, "quietest period");
  }

  /**
   * Waits until the work that a request leaves to jobs has ended: two seconds with less processor time than a job
   * needs, 30 s at most, since a busy machine never gives a quiet second.
   */
  async waitUntilQuiet(): Promise<void> {
    let quiet = 0;
    for (let second = 0; second < 30 && quiet < 2; second++) {
      const before = this.readProcessor();
      await pause(1);
      const after = this.readProcessor();
      quiet = after.server + after.database - before.server - before.database < 120 ? quiet + 1 : 0;
    }
  }

  /** Returns the memory (MB) of server and database, shared pages counted once. */
  readMemory(): number {
    return readProportionalMemory([this.#product.pid, this.#postmaster]);
  }
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
