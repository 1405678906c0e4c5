import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import type { DataImport, DataExport } from "@arcada/contract/data-export/data-export.calls";
import { manifestSchema } from "../../../apps/server/src/data-export/archive-manifest.ts";
import { openDatabase } from "../../../apps/server/src/platform/database/database.ts";
import { startPostgres } from "../../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product";
import { TestServer, type TestUser } from "@arcada/testing/setup/setup";
import type { AnyTestUser } from "@arcada/testing/setup/setup";
import { readArchiveText } from "./archive-forgery.ts";
import { present } from "@arcada/testing/present";

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

  /** Imports an archive like the operator's page: announces it, sends it in parts, checks it and imports it. */
  async importArchive(bytes: Uint8Array): Promise<DataImport> {
    let arrival: DataImport = await this.operator.call("leaving.import", { name: "clinic.zip", bytes: bytes.length });
    for (let at = 0; at < bytes.length; at += 100_000) {
      const sent = await fetch(`${this.product.address}/imports/${arrival.id}`, {
        method: "PUT",
        headers: {
          token: this.operator.token,
          "upload-offset": String(at),
          "content-type": "application/offset+octet-stream",
        },
        body: bytes.subarray(at, at + 100_000) as Uint8Array<ArrayBuffer>,
      });
      if (sent.status !== 200) throw new Error(`a piece was refused: ${sent.status} ${await sent.text()}`);
    }
    arrival = await this.waitUntilSettled(arrival.id, ["sending", "checking"]);
    if (arrival.state !== "checked") return arrival;
    await this.operator.call("leaving.arrivalStep", { id: arrival.id, step: "import" });
    return this.waitUntilSettled(arrival.id, ["importing"]);
  }

  async waitUntilSettled(id: string, passingStates: readonly string[]): Promise<DataImport> {
    for (let round = 0; round < 150; round++) {
      const found = present((await this.operator.call("leaving.arrivals", {})).find((one) => one.id === id));
      if (!passingStates.includes(found.state)) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the import does not end: ${this.product.output.slice(-2000)}`);
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
      }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migration'`.execute(
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

/** Everything of the manager's organisation, as the browser gets it. */
export async function exportArchive(manager: TestUser): Promise<Buffer> {
  let exportJob: DataExport = await manager.call("leaving.export", {});
  for (let round = 0; round < 300 && ["waiting", "running"].includes(exportJob.state); round++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    exportJob = await manager.call("leaving.exportJob", { id: exportJob.id });
  }
  if (!exportJob.url) throw new Error(`no archive: ${exportJob.state} ${exportJob.refusal}`);
  return Buffer.from(await (await fetch(`${manager.server.address}${exportJob.url}`)).arrayBuffer());
}

export const readManifest = (bytes: Uint8Array) =>
  manifestSchema.parse(JSON.parse(readArchiveText(bytes, "manifest.json")));
