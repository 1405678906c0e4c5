import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import type { TestDatabase } from "@arcada/testing/setup/test-database";
import { claimDueDeliveries } from "../../apps/server/src/integrations/webhook.queue.ts";
import { defineQueue, openJobs } from "../../apps/server/src/platform/jobs/jobs.ts";
import type { Queue } from "../../apps/server/src/platform/jobs/jobs.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";

const many = process.env.ARCADA_PROOF === "full" ? 1000 : 100;

let world: TestDatabase;
beforeAll(async () => {
  world = await createTestDatabase();
});

type Named = { name: string };
const named = (count: number, name: string): Named[] => Array.from({ length: count }, () => ({ name }));

/**
 * Queues jobs, works on them one at a time until so many are done, and returns their names in that order.
 * @param whenDone is called after each job, and may send more
 */
async function work(
  queue: Queue<Named>,
  send: (add: (jobs: Named[], options?: object) => Promise<void>) => Promise<void>,
  { until, whenDone = async () => {} }: { until: number; whenDone?: (done: number, name: string) => Promise<void> },
): Promise<string[]> {
  const jobs = await openJobs(world.connection, { onError: () => {} });
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  await send((list, options = {}) =>
    world.database.asSystem((db) => jobs.sendPipelined(db, queue, list, { group: list[0].name, ...options })),
  );
  await jobs.work(queue, async ({ name }) => {
    if (order.length >= until) return resolve();
    order.push(name);
    await whenDone(order.length, name);
  });
  await promise;
  await jobs.stop(0);
  return order;
}

describe("the jobs of a queue", () => {
  it(`take turns between institutions although one queued ${many} first`, async () => {
    const order = await work(
      defineQueue<Named>("fair.turns"),
      async (add) => {
        await add(named(many, "large"));
        await add(named(4, "small"));
      },
      { until: 12 },
    );
    expect(order.slice(0, 8).toSorted()).toEqual([...named(4, "large"), ...named(4, "small")].map(({ name }) => name));
    expect(new Set(order.slice(8))).toEqual(new Set(["large"]));
  });

  it("let an institution in at once that comes while another works through its backlog", async () => {
    const queue = defineQueue<Named>("fair.late");
    let adds: (jobs: Named[]) => Promise<void> = async () => {};
    const order = await work(
      queue,
      async (add) => {
        adds = add;
        await add(named(many, "large"));
      },
      { until: 40, whenDone: async (done) => void (done === 20 && (await adds(named(6, "late")))) },
    );
    expect(order.slice(0, 20)).toEqual(named(20, "large").map(({ name }) => name));
    // The two alternate: neither starves.
    expect(order.slice(20, 32).filter((name) => name === "late")).toHaveLength(6);
  });

  it("let a job for which a person waits overtake the bulk of the same institution", async () => {
    const queue = defineQueue<Named>("fair.bulk");
    const order = await work(
      queue,
      async (add) => {
        await add(named(many, "bulk"), { isBulk: true, group: "clinic" });
        await add(named(1, "person"), { group: "clinic" });
      },
      { until: 3 },
    );
    expect(order).toEqual(["person", "bulk", "bulk"]);
  });

  it("let bulk have its turns although other institutions always have a job waiting", async () => {
    let add: (jobs: Named[]) => Promise<void> = async () => {};
    const order = await work(
      defineQueue<Named>("fair.starving"),
      async (send) => {
        add = send;
        await send(named(10, "bulk"), { isBulk: true });
        for (const name of ["one", "two", "three"]) await send(named(1, name));
      },
      // A sender whose job is done sends the next one, so that two of the others wait at any time.
      { until: 20, whenDone: async (_, name) => void (name !== "bulk" && (await add(named(1, name)))) },
    );
    const turns = order.flatMap((name, at) => (name === "bulk" ? [at] : []));
    expect(turns).toHaveLength(5);
    expect(Math.max(...turns.map((at, n) => at - (turns[n - 1] ?? -1) - 1))).toBeLessThanOrEqual(3);
  });
});

describe("the deliveries to webhooks", () => {
  it("of an institution whose receivers are dead leave the slots of the others free", async () => {
    const [large, small] = [await createClinician(world.database), await createClinician(world.database)];
    await insertDeliveries({ ...large, endpoints: webhookRules.max, each: 10, isFailing: true });
    await insertDeliveries({ ...small, endpoints: 1, each: 10, isFailing: false });
    const claimed = await claimDueDeliveries(world.database, 64);
    const of = (iid: string) => claimed.filter((one) => one.iid === iid);
    expect(of(large.iid)).toHaveLength(16);
    expect(new Set(of(large.iid).map(({ webhook }) => webhook)).size).toBe(16);
    expect(of(small.iid)).toHaveLength(webhookRules.atOnce);
    expect(await claimDueDeliveries(world.database, 64)).toEqual([]);
  });

  it("for a busy endpoint take no slot from those for another one", async () => {
    const [older, younger] = [await createClinician(world.database), await createClinician(world.database)];
    await insertDeliveries({ ...older, endpoints: 1, each: 10, isFailing: true });
    expect(await claimDueDeliveries(world.database, 64)).toHaveLength(1);
    await insertDeliveries({ ...younger, endpoints: 1, each: 10, isFailing: false });
    expect((await claimDueDeliveries(world.database, 1)).map(({ iid }) => iid)).toEqual([younger.iid]);
    await claimDueDeliveries(world.database, 64);
  });

  it("take turns between institutions when few slots are free", async () => {
    const [large, small] = [await createClinician(world.database), await createClinician(world.database)];
    await insertDeliveries({ ...large, endpoints: 8, each: 10, isFailing: false });
    await insertDeliveries({ ...small, endpoints: 1, each: 10, isFailing: false });
    const claimed = await claimDueDeliveries(world.database, 4);
    expect(claimed).toHaveLength(4);
    expect(claimed.filter(({ iid }) => iid === small.iid)).toHaveLength(2);
  });
});

interface Endpoints {
  iid: string;
  uid: string;
  endpoints: number;
  each: number;
  isFailing: boolean;
}
async function insertDeliveries({ iid, uid, endpoints, each, isFailing }: Endpoints): Promise<void> {
  await world.database.asSystem(async (db) => {
    for (let n = 0; n < endpoints; n++) {
      const id = newId();
      await sql`insert into webhook (institution_id, id, name, url, events, secret, created_by, failing_since)
        values (${iid}, ${id}, ${`hook ${n}`}, 'http://127.0.0.1:9/', '{}', '', ${uid}, case when ${isFailing} then now() end)`.execute(
        db,
      );
      await sql`insert into webhook_delivery (institution_id, webhook_id, id, event, body)
        select ${iid}, ${id}, gen_random_uuid(), 'order.moved', '{}' from generate_series(1, ${each}::int)`.execute(db);
    }
  });
}
