import { spawn } from "node:child_process";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import type { TestDatabase } from "@arcada/testing/setup/test-database";
import { defineQueue, openJobs } from "./jobs.ts";
import type { Jobs } from "./jobs.ts";

const queues = {
  hopeless: defineQueue<{ n: number }>("hopeless"),
  keyed: defineQueue<{ n: number }>("keyed"),
  long: defineQueue("long"),
  many: defineQueue<{ n: number }>("many"),
  mortal: defineQueue<{ n: number }>("mortal"),
  patient: defineQueue("patient"),
  shaky: defineQueue("shaky"),
  single: defineQueue<{ n: number }>("single"),
  told: defineQueue<{ n: number }>("told"),
  undone: defineQueue<{ n: number }>("undone"),
};

let world: TestDatabase;
let jobs: Jobs;
const errors: string[] = [];
beforeAll(async () => {
  world = await createTestDatabase();
  jobs = await openJobs(world.connection, { onError: (error) => errors.push((error as Error).message) });
});
afterAll(() => jobs.stop(1));

const inTransaction = <T>(work: Parameters<TestDatabase["database"]["as"]>[1]): Promise<T> =>
  world.database.as({ system: false, iid: null, uid: null }, work) as Promise<T>;
const until = (what: () => boolean, timeout = 20_000) =>
  vi.waitFor(() => expect(what()).toBe(true), { timeout, interval: 20 });

/** Counts the statements with which workers look for the next job of a queue. */
const countLookups = (calls: readonly unknown[][], queue: string): number =>
  calls.filter(([text]) => typeof text === "string" && text.includes("SKIP LOCKED") && text.includes(`'${queue}'`))
    .length;
/** Waits until no worker of the queue "single" has looked for a job for a while. */
async function untilQuiet(calls: readonly unknown[][]): Promise<void> {
  for (let before = -1; before !== countLookups(calls, "single"); await pause(300))
    before = countLookups(calls, "single");
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a job", () => {
  it("runs soon after the transaction that sent it, and never before", async () => {
    const seen: { at: number; attempt: number }[] = [];
    await jobs.work(
      queues.told,
      async (_data, _signal, run) => void seen.push({ at: Date.now(), attempt: run.attempt }),
    );
    let committed = 0;
    await inTransaction(async (db) => {
      await jobs.send(db, queues.told, { n: 1 });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(seen).toEqual([]);
      committed = Date.now();
    });
    await until(() => seen.length === 1);
    expect(seen[0].attempt).toBe(1);
    expect(seen[0].at).toBeGreaterThanOrEqual(committed);
    expect(seen[0].at - committed).toBeLessThan(1500);
  });

  it("of a transaction that was rolled back never runs", async () => {
    const seen: number[] = [];
    await jobs.work(queues.undone, async ({ n }) => void seen.push(n));
    await expect(
      inTransaction(async (db) => {
        await jobs.send(db, queues.undone, { n: 1 });
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    await inTransaction((db) => jobs.send(db, queues.undone, { n: 2 }));
    await until(() => seen.length > 0);
    expect(seen).toEqual([2]);
    expect((await jobs.counts()).find((row) => row.name === "undone")).toMatchObject({ waiting: 0, dead: 0 });
  });

  it("with a key is not sent twice while the first still waits", async () => {
    await inTransaction(async (db) => {
      expect(await jobs.send(db, queues.keyed, { n: 1 }, { singletonKey: "a" })).not.toBeNull();
      expect(await jobs.send(db, queues.keyed, { n: 2 }, { singletonKey: "a" })).toBeNull();
      expect(await jobs.send(db, queues.keyed, { n: 3 }, { singletonKey: "b" })).not.toBeNull();
      expect(await jobs.send(db, queues.keyed, { n: 4 })).not.toBeNull();
      expect(await jobs.send(db, queues.keyed, { n: 5 })).not.toBeNull();
    });
    const seen: number[] = [];
    await jobs.work(queues.keyed, async ({ n }) => void seen.push(n), { teamSize: 2 });
    await until(() => seen.length === 4);
    expect(seen.toSorted((a, b) => a - b)).toEqual([1, 3, 4, 5]);
  });

  it("of two hundred keeps the workers busy instead of waiting for the next poll", async () => {
    const seen = new Set<number>();
    await inTransaction(async (db) => {
      for (let n = 0; n < 200; n++) await jobs.send(db, queues.many, { n });
    });
    const began = Date.now();
    await jobs.work(queues.many, async ({ n }) => void seen.add(n), { teamSize: 2 });
    await until(() => seen.size === 200);
    expect(Date.now() - began).toBeLessThan(15_000);
  });

  it("is looked for by one worker of a team of four, by it again, and by the next one once it was found", async () => {
    const seen: number[] = [];
    await jobs.work(queues.single, async ({ n }) => void seen.push(n), { teamSize: 4 });
    const queries = vi.spyOn(pg.Pool.prototype, "query");
    onTestFinished(() => queries.mockRestore());
    const lookups: number[] = [];
    for (const n of [1, 2, 3]) {
      await untilQuiet(queries.mock.calls);
      queries.mockClear();
      await inTransaction((db) => jobs.send(db, queues.single, { n }));
      await until(() => seen.includes(n));
      await untilQuiet(queries.mock.calls);
      lookups.push(countLookups(queries.mock.calls, "single"));
    }
    // A poll of all queues wakes the whole team if it finds the job first.
    expect(Math.min(...lookups)).toBe(3);
  });

  it("that throws is retried", async () => {
    const attempts: number[] = [];
    await jobs.work(queues.shaky, async (_data, _signal, run) => {
      attempts.push(run.attempt);
      if (run.attempt < 2) throw new Error("not yet");
    });
    await inTransaction((db) => jobs.send(db, queues.shaky, {}));
    await until(() => attempts.length === 2);
    expect(attempts).toEqual([1, 2]);
    expect(errors).toContain("not yet");
  });

  it("that always fails is passed to the dead-letter handler with its reason", async () => {
    const dead: unknown[] = [];
    await jobs.work(queues.hopeless, () => Promise.reject(new Error("never")), {
      onDeadLetter: async (data, job) => void dead.push([data, job.error]),
    });
    const id = await inTransaction<string>((db) => jobs.send(db, queues.hopeless, { n: 7 }));
    // Its attempts spread over minutes: the last one is brought forward.
    const bring = `update pgboss.job set retry_limit = 0 where id = '${id}'`;
    await vi.waitFor(
      async () => {
        const owner = new pg.Client(world.connection);
        await owner.connect();
        await owner.query(bring);
        await owner.query(`update pgboss.job set start_after = now() where id = '${id}' and state = 'retry'`);
        await owner.end();
        expect(dead).toEqual([[{ n: 7 }, "never"]]);
      },
      { timeout: 25_000, interval: 500 },
    );
    expect((await jobs.counts()).find((row) => row.name === "hopeless")).toMatchObject({ dead: 1, waiting: 0 });
  });

  it("of a killed worker runs again elsewhere", async () => {
    const fixture = path.join(
      import.meta.dirname,
      "../../../../../packages/testing/src/workers/job-holding-process.ts",
    );
    const child = spawn(process.execPath, [fixture], {
      env: { ...process.env, JOB_WORKER: JSON.stringify(world.connection) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said: string[] = [];
    child.stdout.on("data", (bytes: Buffer) => said.push(bytes.toString()));
    await until(() => said.join("").includes("ready"));
    await inTransaction((db) => jobs.send(db, queues.mortal, { n: 1 }));
    await until(() => said.join("").includes("begun"));
    child.kill("SIGKILL");
    const killed = Date.now();
    const seen: number[] = [];
    await jobs.work(queues.mortal, async (_data, _signal, run) => void seen.push(run.attempt));
    await until(() => seen.length > 0, 28_000);
    expect(seen).toEqual([2]);
    expect(Date.now() - killed).toBeLessThan(25_000);
  });

  it.runIf(process.env.ARCADA_PROOF === "full")(
    "is not repeated if the database does not receive its end for a while",
    { timeout: 120_000 },
    async () => {
      const owner = new pg.Client(world.connection);
      await owner.connect();
      const [begun, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let runs = 0;
      await jobs.work(queues.patient, () => {
        runs++;
        begun.resolve();
        return ends.promise;
      });
      await inTransaction((db) => jobs.send(db, queues.patient, {}));
      await begun.promise;
      await owner.query("begin");
      await owner.query("lock table pgboss.job_common in access exclusive mode");
      // A poll for work waits on every connection.
      await vi.waitFor(
        async () => {
          const { rows } = await owner.query("select count(*)::int as many from pg_locks where not granted");
          expect(rows[0]).toEqual({ many: 4 });
        },
        { timeout: 30_000, interval: 200 },
      );
      ends.resolve();
      await new Promise((resolve) => setTimeout(resolve, 15_000));
      await owner.query("rollback");
      await owner.end();
      await vi.waitFor(
        async () =>
          expect((await jobs.counts()).find(({ name }) => name === "patient")).toMatchObject({ waiting: 0, active: 0 }),
        { timeout: 60_000, interval: 500 },
      );
      expect(runs).toBe(1);
      expect(errors.filter((error) => error.includes("timeout exceeded"))).toEqual([]);
    },
  );

  it("is notified when the process stops, and runs again afterwards", async () => {
    const other = await openJobs(world.connection, { onError: () => {} });
    let reason = "";
    const begun = Promise.withResolvers<void>();
    await other.work(queues.long, (_data, signal) => {
      begun.resolve();
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error((reason = String(signal.reason))))),
      );
    });
    await inTransaction((db) => jobs.send(db, queues.long, {}));
    await begun.promise;
    await other.stop(1);
    expect(reason).toContain("the process stops");
    const seen: number[] = [];
    await jobs.work(queues.long, async (_data, _signal, run) => void seen.push(run.attempt));
    await until(() => seen.length > 0);
    expect(seen).toEqual([2]);
  });
});

it("keeps the tenant-scoped roles from reading the data of jobs", async () => {
  const { sql } = await import("kysely");
  await expect(inTransaction((db) => sql`select data from pgboss.job`.execute(db))).rejects.toThrow(
    "permission denied",
  );
  await expect(inTransaction((db) => sql`delete from pgboss.job_common`.execute(db))).rejects.toThrow(
    "permission denied",
  );
});

it("open beside a long transaction that has sent a job, and wait for none of its locks", async () => {
  const writer = new pg.Client(world.connection);
  await writer.connect();
  onTestFinished(() => writer.end());
  await writer.query("begin; lock table pgboss.job_common in row exclusive mode");
  const further = await openJobs(world.connection, { isWorker: false });
  await further.stop(1);
});
