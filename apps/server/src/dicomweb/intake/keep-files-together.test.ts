import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import type { Db } from "../../platform/database/database.ts";
import { selectValue } from "../../platform/database/select-value.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { uploadParts } from "../../platform/runtime/services.ts";
import { freeBytes } from "../../platform/upload/storage-quota.ts";
import { lockWaitingFiles, recordIntake, type IntakeFile } from "./intake.store.ts";
import { identifyFile, type IntakeSender, type ReceivedFile } from "./keep-received-files.ts";
import { keepTogether } from "./keep-files-together.ts";

let env: TestSetup;
beforeAll(async () => {
  env = await setup();
});

/** A sender of an organisation, and the number of its transactions. */
function createSender({ iid, uid }: { iid: string; uid: string } = env.clinic) {
  const owner = { iid, uid };
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
const receiveSlices = (
  seed: string,
  slices: number,
  change = (bytes: Buffer): Buffer => bytes,
): Promise<ReceivedFile[]> =>
  Promise.all(
    [
      ...createCbctFiles(
        makeHead(seed),
        { id: seed, name: "Li^Na", sex: "F", birthDate: "19900101" },
        { size: { columns: 32, rows: 32, slices, voxel: 4 } },
      ),
    ].map(async (made) => {
      const bytes = change(Buffer.from(made.bytes));
      const id = newId();
      const file = await uploadParts().open(id);
      await file.write(bytes);
      await file.sync();
      await file.close();
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return identifyFile({ id, bytes: bytes.length, sha256 }, env.clinic.iid);
    }),
  );

// No job takes the files of this organisation.
const inLab: TestSetup["server"]["running"]["database"]["asSystem"] = (work) =>
  env.server.running.database.asSystem(work);
const record = (db: Db, files: readonly IntakeFile[]) =>
  recordIntake(db, { ...env.lab, origin: "dimse" }, files, "unchecked");
const waitingFile = (at: number): IntakeFile => ({
  id: newId(),
  bytes: 1,
  sha256: `${at}`.repeat(64),
  study: "1.2.8",
  uid: `1.2.8.${at}`,
  isPart: true,
});

/** Brings a file in a transaction that ends once another sender waits for it and another file has been taken. */
function createBlocker(file: IntakeFile, taken: IntakeFile, end: "commit" | "rollback") {
  const begun = Promise.withResolvers<void>();
  const ended = inLab(async (db) => {
    await record(db, [file]);
    begun.resolve();
    const isBlocking = sql<boolean>`exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)))`;
    while (!(await selectValue(db, isBlocking))) await delay(10);
    await inLab((other) => other.deleteFrom("intake").where("sop_uid", "=", taken.uid).execute());
    if (end === "rollback") throw new Error("rolled back");
  }).catch((error: Error) => expect(error.message).toBe("rolled back"));
  return { begun: begun.promise, ended };
}

const storageClasses = "1.2.840.10008.5.1.4.1.1.";

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

  it("are committed in the message that records them while a job waits that will take them", async ({
    onTestFinished,
  }) => {
    const { sender } = createSender();
    const [first, second] = await receiveSlices("message", 2);
    await keepTogether(sender, present(first));
    const events: string[] = [];
    const clients: unknown[] = [];
    const { query } = pg.Client.prototype as { query: (...given: unknown[]) => Promise<unknown> };
    const sent = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
      this: unknown,
      ...given: unknown[]
    ) {
      const text = JSON.stringify(given[0]);
      const answer = query.apply(this, given);
      if (text.includes("keep_received_files")) {
        clients.push(this);
        void answer.then(() => events.push("answer"));
      } else if (clients.includes(this)) events.push(text);
      return answer;
    });
    onTestFinished(() => sent.mockRestore());
    await keepTogether(sender, present(second));
    expect(events.slice(0, 2)).toEqual([expect.stringContaining("commit"), "answer"]);
  });

  it("are taken soon even if the job that was to take them came before", { timeout: 30_000 }, async () => {
    const { sender } = createSender();
    const [first, second] = await receiveSlices("late", 2);
    await keepTogether(sender, present(first));
    // The second does not join the turn of the first, whose sender would keep it.
    await delay(10);
    const isWaiting = () =>
      env.server.running.database.asSystem((db) =>
        db.selectFrom("intake").select("upload_id").where("institution_id", "=", sender.iid).executeTakeFirst(),
      );
    const late: IntakeSender = {
      ...sender,
      as: async (work) => {
        late.as = sender.as;
        while (await isWaiting()) await delay(50);
        return sender.as(work);
      },
    };
    expect(await keepTogether(late, present(second))).toMatchObject({ failure: null });
    expect(await isWaiting()).toBeDefined();
    await expect.poll(isWaiting, { timeout: 10_000 }).toBeUndefined();
  });

  it.for([
    ["images by themselves soon", [false, false], 10],
    ["slices later", [true, true], 1000],
    ["an image among slices like them", [true, false], 1000],
  ] as const)("are looked for again when their study can be complete: %s", async ([, parts, seconds]) => {
    const { iid, uid } = env.clinic;
    const files = parts.map((isPart, at) => {
      const sha256 = `${at}`.repeat(64);
      return { id: newId(), bytes: 1, sha256, study: "1.2.3", uid: `1.2.3.${at}`, isPart };
    });
    const timings = { quietSeconds: 1000, imageSeconds: 10, mostSeconds: 10_000, studies: 10 };
    let nextSeconds: number | null = null;
    const looked = env.server.running.database.asSystem(async (db) => {
      await recordIntake(db, { iid, uid, origin: "dimse" }, files);
      ({ nextSeconds } = await lockWaitingFiles(db, iid, timings));
      throw new Error("rolled back");
    });
    await expect(looked).rejects.toThrow("rolled back");
    expect(nextSeconds).toBeGreaterThan(seconds * 0.9);
    expect(nextSeconds).toBeLessThanOrEqual(seconds);
  });

  it("wait as slices if they have positions, even if their device calls them radiographs", async () => {
    const [slice] = await receiveSlices("radiographs", 1, (bytes) =>
      Buffer.from(bytes.toString("latin1").replaceAll(`${storageClasses}2\0`, `${storageClasses}1\0`), "latin1"),
    );
    let waiting: unknown;
    const sender: IntakeSender = {
      ...createSender(env.lab).sender,
      as: (work) =>
        inLab(async (db) => {
          const answer = await work(db);
          const ofFile = db.selectFrom("intake").where("upload_id", "=", present(slice).file.id);
          waiting = await ofFile.select("is_part").executeTakeFirst();
          return answer;
        }),
    };
    expect(await keepTogether(sender, present(slice))).toMatchObject({ read: { sopClass: `${storageClasses}1` } });
    expect(waiting).toEqual({ is_part: true });
  });

  it("are acknowledged while the job that takes others is under way", async () => {
    const { sender } = createSender();
    const [file] = await receiveSlices("meanwhile", 1);
    const timings = { quietSeconds: 1, imageSeconds: 1, mostSeconds: 60, studies: 10 };
    const outcome = await env.server.running.database.asSystem(async (db) => {
      await lockWaitingFiles(db, sender.iid, timings);
      return Promise.race([keepTogether(sender, present(file)), delay(5000, "waits")]);
    });
    expect(outcome).toMatchObject({ failure: null });
  });

  it("are the same or kept if a job takes the known ones while they wait for other senders", async () => {
    const [known, concurrent, last] = [0, 1, 2].map((at) => waitingFile(at)) as [IntakeFile, IntakeFile, IntakeFile];
    await inLab((db) => record(db, [known]));
    const [first, second] = [createBlocker(concurrent, known, "commit"), createBlocker(last, concurrent, "rollback")];
    await Promise.all([first.begun, second.begun]);
    const again = [known, concurrent, last].map((file) => ({ ...file, id: newId() }));
    const outcomes = await inLab((db) => record(db, again));
    await Promise.all([first.ended, second.ended]);
    expect(again.map(({ id }) => outcomes.get(id))).toEqual(["same", "kept", "kept"]);
  });

  it("cannot be brought to another organisation than that of their sender", async () => {
    const { iid, uid } = env.clinic;
    const file = { id: newId(), bytes: 1, sha256: "b".repeat(64), study: "1.2.5", uid: "1.2.5.1", isPart: true };
    const brought = env.server.running.database.as({ system: false, iid, uid }, (db) =>
      recordIntake(db, { iid: env.lab.iid, uid, origin: "dimse" }, [file]),
    );
    await expect(brought).rejects.toThrow("row-level security");
  });

  it("are kept as far as they fit", { timeout: 30_000 }, async ({ onTestFinished }) => {
    // No job moves its files meanwhile.
    const { sender } = createSender(env.lab);
    const slices = await receiveSlices("fits", 4);
    const left = 2.5 * present(slices[0]).file.bytes;
    const filler = { institution_id: sender.iid, sha256: "e".repeat(64) };
    const asSystem = env.server.running.database.asSystem.bind(env.server.running.database);
    const taken = await asSystem((db) =>
      db
        .selectFrom("storage_tally")
        .select((of) => of.fn.sum<number>("bytes").as("bytes"))
        .where("institution_id", "=", sender.iid)
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

  it("are taken by studies, the oldest first, and each is read once, by a plan for an empty table", async () => {
    const { iid, uid } = env.clinic;
    const { database } = env.server.running;
    const files = Array.from({ length: 600 }, (_, at) => {
      const hash = createHash("sha256").update(`study ${at}`).digest("hex");
      return {
        id: newId(),
        bytes: 1,
        sha256: hash,
        study: `1.2.5.${1000 + (at % 300)}`,
        uid: `1.2.5.0.${1000 + at}`,
        isPart: false,
      };
    });
    await database.asSystem((db) => db.deleteFrom("intake").execute());
    await vacuumIntake();
    let taken: unknown[] = [];
    let read = 0;
    const looked = database.asSystem(async (db) => {
      await sql`discard plans`.execute(db);
      await recordIntake(db, { iid, uid, origin: "dimse" }, files);
      const counted = sql<number>`(select (seq_tup_read + idx_tup_fetch)::int
        from pg_stat_xact_user_tables where relname = 'intake')`;
      const before = present(await selectValue(db, counted));
      const waits = { quietSeconds: 0, imageSeconds: 0, mostSeconds: 0, studies: 250 };
      const { ready, nextSeconds } = await lockWaitingFiles(db, iid, waits);
      read = present(await selectValue(db, counted)) - before;
      taken = [ready.map(({ id }) => id), present(nextSeconds) <= 0];
      throw new Error("rolled back");
    });
    await expect(looked).rejects.toThrow("rolled back");
    const inOrder = Array.from({ length: 250 }, (_, at) => [present(files[at]).id, present(files[at + 300]).id]).flat();
    expect(taken).toEqual([inOrder, true]);
    // Once for these studies, and once for the time of the others.
    expect(read).toBeLessThanOrEqual(2 * files.length);
  });

  it(
    "are found without reading the whole table by a plan that was made for an empty one",
    { timeout: 30_000 },
    async () => {
      const { iid, uid } = env.clinic;
      const { database } = env.server.running;
      const files = Array.from({ length: 3000 }, (_, at) => {
        const hash = createHash("sha256").update(`${at}`).digest("hex");
        return { id: newId(), bytes: 1, sha256: hash, study: "1.2.4", uid: `1.2.4.${at}`, isPart: true };
      });
      await database.asSystem((db) => db.deleteFrom("intake").execute());
      await vacuumIntake();
      let read: unknown[] = [];
      const looked = database.asSystem(async (db) => {
        await sql`discard plans`.execute(db);
        const counted = sql<number[]>`(select array[seq_scan, seq_tup_read, idx_tup_fetch]::int[]
        from pg_stat_xact_user_tables where relname = 'intake')`;
        const count = async () => present(await selectValue(db, counted));
        const owner = { iid, uid, origin: "dimse" } as const;
        await recordIntake(db, owner, files.slice(0, 1));
        await recordIntake(db, owner, files.slice(1));
        const before = await count();
        const again = await recordIntake(db, owner, files.slice(0, 3));
        const after = await count();
        read = [[...again.values()], ...after.map((value, at) => value - present(before[at]))];
        throw new Error("rolled back");
      });
      await expect(looked).rejects.toThrow("rolled back");
      expect(read).toEqual([["same", "same", "same"], 0, 0, 3]);
    },
  );
});
