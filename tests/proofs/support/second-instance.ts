import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { openDatabase } from "../../../apps/server/src/platform/database/database.ts";
import { startPostgres } from "../../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { TestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

/** Another instance of the product, a process with its own database and store, and its operator. */
export class SecondInstance {
  readonly product: Product;
  readonly #closing: (() => Promise<unknown>)[] = [];
  #there: TestServer | undefined;
  #operator: AnyTestUser | undefined;
  constructor(environment: Record<string, string> = {}) {
    this.product = new Product(environment);
  }

  async start(): Promise<void> {
    await this.product.start();
    const attached = await startPostgres({ folder: path.join(this.product.folder, "postgres") });
    const database = openDatabase(attached.connection, 3);
    this.#closing.push(
      () => attached.stop(),
      () => database.close(),
    );
    this.#there = new TestServer({
      database,
      connection: attached.connection,
      served: new Set(),
      address: this.product.address,
      dicomPort: null,
      hl7Port: null,
      healthAddress: null,
      demoClosed: [],
      stop: async () => {},
    });
    this.#operator = await this.#there.createUser("operator");
  }
  async remove(): Promise<void> {
    for (const close of this.#closing.splice(0).toReversed()) await close();
    await this.product.remove();
  }
  get there(): TestServer {
    return present(this.#there, "#there");
  }
  get operator(): AnyTestUser {
    return present(this.#operator, "#operator");
  }

  /** All rows and files of the other instance, but what belongs to the import itself and to sessions. */
  async countEverything(): Promise<Record<string, number>> {
    const ignoredTables = [
      "arrival",
      "audit",
      "audit_anchor",
      "audit_epoch",
      "idempotency",
      "session",
      "readiness",
      "repeated_task",
      "login_failure",
      "ticket",
      "code_key",
    ];
    const { rows } = await this.there.running.database.asSystem((db) =>
      sql<{
        name: string;
      }>`select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname <> 'migration'`.execute(
        db,
      ),
    );
    const counts: Record<string, number> = {};
    for (const { name } of rows.filter((row) => !ignoredTables.includes(row.name)))
      counts[name] = await this.there.running.database.asSystem(
        async (db) =>
          (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)}`.execute(db)).rows[0].n,
      );
    const listFiles = (at: string) =>
      readdirSync(path.join(this.product.folder, at), { recursive: true, withFileTypes: true });
    counts["(files)"] = listFiles("files").filter((entry) => entry.isFile()).length;
    counts["(parts)"] = listFiles("uploads").filter((entry) => entry.isFile()).length;
    return counts;
  }

  runCli(...words: string[]) {
    const environment = { ...process.env, DATA_DIR: this.product.folder, LOG_LEVEL: "silent" };
    return promisify(execFile)(process.execPath, [cliFile, ...words], { env: environment });
  }
}
const cliFile = path.join(import.meta.dirname, "../../../apps/server/src/cli.ts");
