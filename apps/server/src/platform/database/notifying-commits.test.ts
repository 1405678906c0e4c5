import pg from "pg";
import type { Call } from "@arcada/contract/kernel/call";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { startReplicatedPostgres } from "@arcada/testing/setup/replicated-postgres";
import { cleanUpAfterFile } from "@arcada/testing/setup/file-cleanup";
import { notifyClients } from "../events/events.ts";
import { runIdempotently } from "../http/idempotency.ts";
import type { MemberContext } from "../http/request-context.ts";
import { defineQueue, openJobs } from "../jobs/jobs.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import { openDatabase } from "./database.ts";
import type { Database, Db } from "./database.ts";
import { migrate } from "./migrate.ts";

const queue = defineQueue<{ n: number }>("test.notifying");
let admin: pg.Client;
let database: Database;
let jobs: Jobs;
beforeAll(async () => {
  const servers = await startReplicatedPostgres();
  cleanUpAfterFile(() => servers.stop());
  const { connection } = servers.primary;
  await migrate(connection);
  admin = new pg.Client(connection);
  await admin.connect();
  cleanUpAfterFile(() => admin.end());
  database = openDatabase(connection, 4);
  cleanUpAfterFile(() => database.close());
  jobs = await openJobs(connection, { isWorker: false });
  // The queue is made with its first job.
  await database.asSystem((db) => jobs.send(db, queue, { n: 0 }));
  cleanUpAfterFile(() => jobs.stop());
}, 120_000);

const works: Record<string, (db: Db) => Promise<unknown>> = {
  "a notification of open clients": (db) => notifyClients(db, { service: true }, "order", newId()),
  "a job": (db) => jobs.send(db, queue, { n: 1 }),
};

it.each(Object.entries(works))(
  "a transaction with %s keeps no other one waiting until it is on the disk, and is acknowledged only then",
  { timeout: 60_000 },
  async (_name, work) => {
    const before = await countCommitted();
    // PostgreSQL waits for a synchronous standby in the same place: without one, as long as the test likes.
    await setStandby("nobody");
    onTestFinished(() => setStandby(""));
    let acknowledged = 0;
    const running = [1, 2, 3].map(async () => {
      await database.asSystem(async (db) => {
        await work(db);
        await db.insertInto("users").values({ id: newId(), nick_name: "committed" }).execute();
      });
      acknowledged += 1;
    });
    await expect.poll(countCommitted, { timeout: 10_000 }).toBe(before + 3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(acknowledged).toBe(0);
    await setStandby("");
    await Promise.all(running);
    expect(acknowledged).toBe(3);
  },
);

it("a transaction that notifies nobody at once is not read before it is on the disk", { timeout: 60_000 }, async () => {
  const before = await countCommitted();
  await setStandby("nobody");
  onTestFinished(() => setStandby(""));
  const running = database.asSystem(async (db) => {
    await jobs.send(db, queue, { n: 2 }, { afterSeconds: 60 });
    await db.insertInto("users").values({ id: newId(), nick_name: "committed" }).execute();
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await countCommitted()).toBe(before);
  await setStandby("");
  await running;
  expect(await countCommitted()).toBe(before + 1);
});

it("a command that is sent again is not acknowledged before the first one", { timeout: 60_000 }, async () => {
  const uid = newId();
  await database.asSystem((db) => db.insertInto("users").values({ id: uid, nick_name: "sender" }).execute());
  const request = { headers: { "idempotency-key": "once" } };
  const route = { call: { ...orderCalls.step, isIdempotent: true } as Call };
  const command = () =>
    database.asSystem((db) => {
      const context = { db, request, principal: { uid } } as unknown as MemberContext;
      return runIdempotently(route, context, {}, async () => {
        await notifyClients(db, { service: true }, "order", newId());
        return { answer: 1 };
      });
    });
  await setStandby("nobody");
  onTestFinished(() => setStandby(""));
  const acknowledged: number[] = [];
  const first = command().then(() => acknowledged.push(1));
  const isCommitted = async () =>
    (await admin.query("select from idempotency where user_id = $1 and answer is not null", [uid])).rowCount;
  await expect.poll(isCommitted, { timeout: 10_000 }).toBe(1);
  const second = command().then(() => acknowledged.push(2));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(acknowledged).toEqual([]);
  await setStandby("");
  await Promise.all([first, second]);
});

async function countCommitted(): Promise<number> {
  const { rows } = await admin.query("select count(*)::int as count from users where nick_name = 'committed'");
  return rows[0].count;
}

async function setStandby(name: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${name}'`);
  await admin.query("select pg_reload_conf()");
  const read = async () => (await admin.query("show synchronous_standby_names")).rows[0].synchronous_standby_names;
  await expect.poll(read).toBe(name);
}
