import { sql } from "kysely";
import pg from "pg";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startReplicatedPostgres } from "@arcada/testing/setup/replicated-postgres";
import type { ReplicatedPostgres } from "@arcada/testing/setup/replicated-postgres";
import { cleanUpAfterFile } from "@arcada/testing/setup/file-cleanup";
import { setup } from "@arcada/testing/setup/test-server";
import { createClinician } from "@arcada/testing/setup/test-database";
import { present } from "@arcada/testing/require-present";
import { openDatabase } from "./database.ts";
import type { Database, Db } from "./database.ts";
import { migrate } from "./migrate.ts";
import { readConfig } from "../runtime/config.ts";
import { platformGauges } from "../telemetry/platform-gauges.ts";

let servers: ReplicatedPostgres;
beforeAll(async () => {
  servers = await startReplicatedPostgres();
  cleanUpAfterFile(() => servers.stop());
  await migrate(servers.primary.connection);
}, 120_000);

const delayed = { toleratesDelay: true } as const;
/** True where the server that answers is a replica. */
const answersAsReplica = async (db: Db) =>
  (await sql<{ replica: boolean }>`select pg_is_in_recovery() as replica`.execute(db)).rows[0]?.replica;

describe("a read that tolerates delay", () => {
  it("is answered by the replica, and every other transaction by the primary", async () => {
    const database = await openWithReplica();
    const system = { system: true } as const;
    expect(await database.as(system, answersAsReplica, delayed)).toBe(true);
    expect(await database.as(system, answersAsReplica)).toBe(false);
    expect(await database.queryAsSystem(sql`select pg_is_in_recovery() as replica`)).toEqual([{ replica: false }]);
  });

  it("shows its delay among the figures of the process, by which an alert tells that it is not used", async () => {
    const services = { config: readConfig({}), database: await openWithReplica() };
    const figures = await present(platformGauges(services)[0]).read();
    expect(present(figures.arcada_database_replica_delay_seconds)[0]?.value).toBeLessThan(10);
  });

  it("sees the rows of its own organisation alone, on the replica as well", async () => {
    const database = await openWithReplica();
    const [{ iid: mine, uid }, { iid: theirs }] = [await createClinician(database), await createClinician(database)];
    for (const iid of [mine, theirs])
      await database.asSystem((db) =>
        db.insertInto("patient_counter").values({ institution_id: iid, last: 1, living: 1 }).execute(),
      );
    const readCounters = async (db: Db) => ({
      replica: await answersAsReplica(db),
      rows: (await db.selectFrom("patient_counter").select("institution_id").execute()).map(
        (row) => row.institution_id,
      ),
    });
    const read = () => database.as({ system: false, iid: mine, uid }, readCounters, delayed);
    await expect.poll(read).toEqual({ replica: true, rows: [mine] });
  });

  it("is repeated on the primary if it would write, or does not find what it asks for", async () => {
    const database = await openWithReplica();
    const { iid } = await createClinician(database);
    const seen: (boolean | undefined)[] = [];
    const work = async (db: Db) => {
      seen.push(await answersAsReplica(db));
      await db.insertInto("patient_counter").values({ institution_id: iid, last: 1, living: 1 }).execute();
      return "written";
    };
    expect(await database.as({ system: true }, work, delayed)).toBe("written");
    expect(seen).toEqual([true, false]);
  });

  it("is answered by the primary while the replica is behind, and by the replica when it has caught up", async () => {
    const database = await openWithReplica();
    const replica = await connect(servers.replica.connection);
    const read = () => database.as({ system: true }, answersAsReplica, delayed);
    await replica.query("select pg_wal_replay_pause()");
    await database.asSystem((db) => sql`select pg_logical_emit_message(false, 'arcada', 'news')`.execute(db));
    await expect.poll(read, { timeout: 20_000 }).toBe(false);
    await replica.query("select pg_wal_replay_resume()");
    await replica.end();
    await expect.poll(read, { timeout: 20_000 }).toBe(true);
  });

  it("is answered by the primary when the replica does not follow any primary", async () => {
    const database = await openWithReplica(servers.primary.connection);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(present(database.replica).isUsable()).toBe(false);
    expect(await database.as({ system: true }, answersAsReplica, delayed)).toBe(false);
  });

  it("is answered by the primary when the replica's cluster is another one", async () => {
    // The other primary has written less than the replica has replayed of its own.
    const other = await startReplicatedPostgres();
    onTestFinished(() => other.stop());
    const owner = await connect(other.primary.connection);
    await owner.query("create role arcada_app");
    await owner.end();
    const database = await openWithReplica(servers.replica.connection, other.primary.connection);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(present(database.replica).isUsable()).toBe(false);
  }, 120_000);

  it("is answered by the primary when the replica is asked for another database of the cluster", async () => {
    const database = await openWithReplica({ ...servers.replica.connection, database: "postgres" });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(present(database.replica).isUsable()).toBe(false);
  });
});

describe("a call", () => {
  it("tolerates delay where it shows figures, and not where people look for what they entered", async () => {
    const { server, clinic } = await setup();
    const { database } = server.running;
    const as = database.as.bind(database);
    const asked: boolean[] = [];
    database.as = (scope, work, options) => {
      asked.push(options?.toleratesDelay ?? false);
      return as(scope, work, options);
    };
    onTestFinished(() => void (database.as = as));
    await clinic.call("dashboard.period", { from: "2026-01-01", to: "2026-01-31" });
    await clinic.call("order.list", {});
    expect(asked).toEqual([true, false]);
  });
});

/** Waits until the replica is used, unless another server is given instead of it. */
async function openWithReplica(given?: pg.PoolConfig, primary = servers.primary.connection): Promise<Database> {
  const connection = given ?? servers.replica.connection;
  const database = openDatabase(primary, 3, { replica: { connection, maxDelaySeconds: 3 } });
  onTestFinished(() => database.close());
  if (!given) await expect.poll(() => present(database.replica).isUsable(), { timeout: 20_000 }).toBe(true);
  return database;
}

async function connect(connection: pg.PoolConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}
