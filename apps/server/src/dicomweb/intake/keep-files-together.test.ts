import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { selectValue } from "../../platform/database/select-value.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { uploadParts } from "../../platform/runtime/services.ts";
import { freeBytes } from "../../platform/upload/storage-quota.ts";
import { beginIntake, findKnownContents, lockWaitingFiles, recordIntake } from "./intake.store.ts";
import { identifyFile, type IntakeSender, type ReceivedFile } from "./keep-received-files.ts";
import { keepTogether } from "./keep-files-together.ts";

let env: TestSetup;
beforeAll(async () => {
  env = await setup();
});

/** A sender of the clinic, and the number of its transactions. */
function createSender() {
  const owner = { iid: env.clinic.iid, uid: env.clinic.uid };
  const count = { transactions: 0 };
  const sender: IntakeSender = {
    ...owner,
    origin: "dimse",
    as: (work) => {
      count.transactions += 1;
      return env.server.running.database.as({ system: false, ...owner }, work);
    },
  };
  return { sender, count };
}

/** The slices of a small volume, received and read. */
const receiveSlices = (seed: string, slices: number): Promise<ReceivedFile[]> =>
  Promise.all(
    [
      ...createCbctFiles(
        makeHead(seed),
        { id: seed, name: "Li^Na", sex: "F", birthDate: "19900101" },
        { size: { columns: 32, rows: 32, slices, voxel: 4 } },
      ),
    ].map(async ({ bytes }) => {
      const id = newId();
      const file = await uploadParts().open(id);
      await file.write(Buffer.from(bytes));
      await file.sync();
      await file.close();
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return identifyFile({ id, bytes: bytes.length, sha256 }, env.clinic.iid);
    }),
  );

async function vacuumIntake(): Promise<void> {
  const client = new pg.Client(env.server.running.database.direct);
  await client.connect();
  await client.query("vacuum (analyze) intake").finally(() => client.end());
}

describe("files that arrive at the same time", () => {
  it("share the transaction that follows the first one's", { timeout: 30_000 }, async () => {
    const { sender, count } = createSender();
    const slices = await receiveSlices("together", 8);
    const settled = await Promise.all(slices.map((one) => keepTogether(sender, one)));
    expect(settled.map(({ failure }) => failure)).toEqual(slices.map(() => null));
    expect(count.transactions).toBe(2);
  });

  it("share none if the disk needs long for them", { timeout: 30_000 }, async () => {
    const { sender, count } = createSender();
    const slices = await receiveSlices("large", 3);
    const large = slices.map((one) => ({ ...one, file: { ...one.file, bytes: 10 * 1024 * 1024 } }));
    const settled = await Promise.all(large.map((one) => keepTogether(sender, one)));
    expect([settled.map(({ failure }) => failure), count.transactions]).toEqual([[null, null, null], 3]);
  });

  it("are acknowledged only when they would survive a power failure", { timeout: 30_000 }, async () => {
    const { sender } = createSender();
    const slice = present((await receiveSlices("flushed", 1))[0]);
    const flush = Promise.withResolvers<void>();
    const settled = keepTogether(sender, { ...slice, synced: flush.promise });
    expect(await Promise.race([settled, delay(500, "not acknowledged")])).toBe("not acknowledged");
    flush.resolve();
    expect(await settled).toMatchObject({ failure: null });
  });

  it("are kept even if the disk does not take one of them", { timeout: 30_000 }, async () => {
    const { sender } = createSender();
    const slices = await receiveSlices("unflushed", 4);
    const synced = Promise.reject(new Error("EIO"));
    synced.catch(() => {});
    const settled = await Promise.allSettled(
      slices.map((one, at) => keepTogether(sender, at === 2 ? { ...one, synced } : one)),
    );
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  it("are compared with known contents by a search that is not planned for each", async () => {
    const { iid, uid } = env.clinic;
    const file = { id: newId(), bytes: 1, sha256: "a".repeat(64), study: "1.2.3", uid: "1.2.3.4" };
    const plans = await env.server.running.database.as({ system: false, iid, uid }, async (db) => {
      await beginIntake(db, iid);
      for (let count = 0; count < 2; count++) await findKnownContents(db, iid, [file]);
      const counted = sql<boolean>`(select sum(generic_plans) > 1 and sum(custom_plans) = 0 from pg_prepared_statements
        where statement like '%lateral (select sha256 from intake%')`;
      return selectValue(db, counted);
    });
    expect(plans).toBe(true);
  });

  it("are looked for again when their study can be complete", async () => {
    const { iid, uid } = env.clinic;
    const file = { id: newId(), bytes: 1, sha256: "a".repeat(64), study: "1.2.3", uid: "1.2.3.4" };
    const timings = { quietSeconds: 1000, mostSeconds: 10_000, studies: 10 };
    let nextSeconds: number | null = null;
    const looked = env.server.running.database.asSystem(async (db) => {
      await recordIntake(db, { iid, uid, origin: "dimse" }, [file], Promise.resolve());
      ({ nextSeconds } = await lockWaitingFiles(db, iid, timings));
      throw new Error("rolled back");
    });
    await expect(looked).rejects.toThrow("rolled back");
    expect(nextSeconds).toBeGreaterThan(900);
    expect(nextSeconds).toBeLessThanOrEqual(1000);
  });

  it("are kept as far as they fit", { timeout: 30_000 }, async ({ onTestFinished }) => {
    const { sender } = createSender();
    const slices = await receiveSlices("fits", 4);
    const left = 2.5 * present(slices[0]).file.bytes;
    const filler = { institution_id: env.clinic.iid, sha256: "e".repeat(64) };
    const asSystem = env.server.running.database.asSystem.bind(env.server.running.database);
    const taken = await asSystem((db) =>
      db
        .selectFrom("storage_tally")
        .select((of) => of.fn.sum<number>("bytes").as("bytes"))
        .where("institution_id", "=", env.clinic.iid)
        .executeTakeFirstOrThrow(),
    );
    const bytes = freeBytes - Number(taken.bytes) - left;
    await asSystem((db) =>
      db
        .insertInto("stored_file")
        .values({ ...filler, bytes })
        .execute(),
    );
    onTestFinished(async () => {
      await asSystem((db) => db.deleteFrom("stored_file").where("sha256", "=", filler.sha256).execute());
    });
    const settled = await Promise.all(slices.map((one) => keepTogether(sender, one)));
    expect(settled.map(({ failure }) => failure)).toEqual([null, null, "noRoom", "noRoom"]);
  });

  it(
    "are found without reading the whole table by a plan that was made for an empty one",
    { timeout: 30_000 },
    async () => {
      const { iid, uid } = env.clinic;
      const { database } = env.server.running;
      const files = Array.from({ length: 3000 }, (_, at) => {
        const hash = createHash("sha256").update(`${at}`).digest("hex");
        return { id: newId(), bytes: 1, sha256: hash, study: "1.2.4", uid: `1.2.4.${at}` };
      });
      await database.asSystem((db) => db.deleteFrom("intake").execute());
      await vacuumIntake();
      let read: unknown[] = [];
      const looked = database.asSystem(async (db) => {
        await sql`discard plans`.execute(db);
        await beginIntake(db, iid);
        const counted = sql<number[]>`(select array[seq_scan, seq_tup_read, idx_tup_fetch]::int[]
        from pg_stat_xact_user_tables where relname = 'intake')`;
        const count = async () => present(await selectValue(db, counted));
        await findKnownContents(db, iid, files.slice(0, 1));
        await recordIntake(db, { iid, uid, origin: "dimse" }, files, Promise.resolve());
        const before = await count();
        const found = await findKnownContents(db, iid, files.slice(0, 3));
        const after = await count();
        read = [found.size, ...after.map((value, at) => value - present(before[at]))];
        throw new Error("rolled back");
      });
      await expect(looked).rejects.toThrow("rolled back");
      expect(read).toEqual([3, 0, 0, 3]);
    },
  );
});
