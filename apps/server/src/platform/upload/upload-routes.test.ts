import { randomBytes } from "node:crypto";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { Upload as TusUpload } from "@tus/utils";
import { sql } from "kysely";
import { refusals } from "@arcada/contract/kernel/refusals";
import { studyRules } from "@arcada/contract/study/study.rules";
import { afterAll, describe, expect, it } from "vitest";
import { uploadIdIn, sha256, createUploadClient } from "@arcada/testing/clients/upload-client";
import { newId } from "../runtime/ids-and-secrets.ts";
import type { Refused } from "../http/refuse.ts";
import { files, uploadParts } from "../runtime/services.ts";
import { UploadStore } from "./upload-store.ts";
import { finishUpload, finishUploads } from "./finish-uploads.ts";
import { removeStaleUploads } from "./remove-stale-uploads.ts";
import { freeBytes, readStorageUsage } from "./storage-quota.ts";
import { present } from "@arcada/testing/require-present";
import { unfinishedUploadPath } from "@arcada/testing/setup/upload-folder";

const { world, ask, create, send, uploaded, finish, dentist, close } = await createUploadClient();
afterAll(close);

const received = { name: "a.stl", state: "received", finished_at: null } as const;
const rowOf = (id: string) =>
  world.database.asSystem((db) => db.selectFrom("upload").selectAll().where("id", "=", id).executeTakeFirst());

describe("an upload", () => {
  it("arrives in parts, is finished once however often that is requested, and is counted once", async () => {
    const who = await dentist();
    const bytes = randomBytes(300_000);
    const made = await create(who, bytes.length, "全景.dcm");
    expect(made.status).toBe(201);
    const url = present(made.headers.get("location"), "location");
    expect(url).toMatch(/^\/uploads\/[0-9a-f-]{36}$/);
    expect((await send(who, url, 0, bytes.subarray(0, 100_000))).headers.get("upload-offset")).toBe("100000");
    const head = await ask("HEAD", url, { token: who.token });
    expect([head.headers.get("upload-offset"), head.headers.get("upload-length")]).toEqual(["100000", "300000"]);
    await expect(finish(who, uploadIdIn(url))).rejects.toMatchObject({ refusal: "uploadIncomplete" });
    expect((await send(who, url, 100_000, bytes.subarray(100_000))).status).toBe(204);
    const [once, twice] = await Promise.all([finish(who, uploadIdIn(url)), finish(who, uploadIdIn(url))]);
    expect(once).toEqual({ id: uploadIdIn(url), name: "全景.dcm", bytes: 300_000, sha256: sha256(bytes) });
    expect(twice).toEqual(once);
    await finish(who, await uploaded(who, bytes, "again.dcm"));
    expect(await world.database.asSystem((db) => readStorageUsage(db, who.iid))).toMatchObject({
      stored: 300_000,
      coming: 0,
    });
    expect(await files().local("originals", who.iid, once.sha256, (place) => readFile(place))).toEqual(bytes);
  });

  it("can be finished again after its finishing was rolled back", async () => {
    const who = await dentist();
    const bytes = randomBytes(1000);
    const id = await uploaded(who, bytes);
    await expect(
      world.database.as({ system: false, ...who }, async (db) => {
        await finishUpload({ db }, who.iid, id);
        throw new Error("the study could not be made");
      }),
    ).rejects.toThrow("the study");
    expect(await rowOf(id)).toMatchObject({ state: "received" });
    expect((await finish(who, id)).sha256).toBe(sha256(bytes));
  });

  it("is finished by two users who upload the same files in opposite order, without a deadlock", async () => {
    const who = await dentist();
    const colleague = await dentist(who.iid);
    const deadlocks = async () =>
      (
        await world.database.asSystem((db) =>
          sql<{
            count: number;
          }>`select deadlocks::int as count from pg_stat_database where datname = current_database()`.execute(db),
        )
      ).rows[0].count;
    const before = await deadlocks();
    const brings = async (by: typeof who, given: Buffer[]) => {
      const rows = given.map((bytes) => ({
        ...received,
        institution_id: by.iid,
        id: newId(),
        user_id: by.uid,
        bytes: bytes.length,
        sha256: sha256(bytes),
      }));
      for (const [place, { id }] of rows.entries()) {
        await uploadParts().make(id);
        await writeFile(unfinishedUploadPath(id), given[place]);
      }
      await world.database.asSystem((db) => db.insertInto("upload").values(rows).execute());
      const ids = rows.map(({ id }) => id);
      return () => world.database.as({ system: false, ...by }, (db) => finishUploads({ db }, by.iid, ids));
    };
    for (let round = 0; round < 4; round++) {
      const contents = Array.from({ length: 6 }, () => randomBytes(200));
      const both = [await brings(who, contents), await brings(colleague, contents.toReversed())];
      const [one, other] = await Promise.all(both.map((finishes) => finishes()));
      expect(one.map((file) => file.sha256)).toEqual(contents.map((bytes) => sha256(bytes)));
      expect(other.map((file) => file.sha256).toReversed()).toEqual(one.map((file) => file.sha256));
    }
    expect(await deadlocks()).toBe(before);
  });

  it("of a small file needs one request, and of an empty one no byte", async () => {
    const who = await dentist();
    const bytes = randomBytes(5000);
    const made = await ask("POST", "/uploads", {
      token: who.token,
      headers: { "upload-length": "5000", "content-type": "application/offset+octet-stream" },
      body: bytes,
    });
    expect([made.status, made.headers.get("upload-offset")]).toEqual([201, "5000"]);
    expect((await finish(who, uploadIdIn(present(made.headers.get("location"), "location")))).sha256).toBe(
      sha256(bytes),
    );
    const empty = await create(who, 0);
    expect((await finish(who, uploadIdIn(present(empty.headers.get("location"), "location")))).bytes).toBe(0);
  });

  it("is refused to a user with many unfinished ones; empty ones count, complete ones do not", async () => {
    const who = await dentist();
    const complete = present((await create(who, 1)).headers.get("location"), "location");
    await send(who, complete, 0, randomBytes(1));
    for (let place = 0; place < studyRules.openUploads; place++)
      expect((await create(who, place % 2)).status, String(place)).toBe(201);
    expect((await create(who, 0)).status).toBe(refusals.uploadsTooMany.status);
    expect((await create(await dentist(), 0)).status).toBe(201);
  });

  it("does not exist for another organisation, nor for a colleague, nor without a session", async () => {
    const who = await dentist();
    const [colleague, stranger] = [await dentist(who.iid), await dentist()];
    const url = present((await create(who, 10)).headers.get("location"), "location");
    const id = uploadIdIn(url);
    for (const other of [colleague, stranger]) {
      expect((await ask("HEAD", url, { token: other.token })).status).toBe(404);
      expect(await send(other, url, 0, randomBytes(10))).toMatchObject({
        status: 404,
        body: { code: refusals.uploadUnknown.code, msg: expect.stringMatching(/./) },
      });
      expect((await ask("DELETE", url, { token: other.token })).status).toBe(404);
      await expect(finish(other, id)).rejects.toMatchObject({ refusal: "uploadUnknown" });
    }
    await expect(finish(stranger, newId())).rejects.toMatchObject({ refusal: "uploadUnknown" });
    expect((await ask("HEAD", url, {})).status).toBe(401);
    expect((await create(await dentist(undefined, "operator"), 10)).status).toBe(403);
    expect((await ask("HEAD", "/uploads/..%2f..%2fsecret.key", { token: who.token })).status).toBe(404);
    expect(await rowOf(id)).toMatchObject({ state: "open" });
    expect(await stat(path.join(world.folder, "uploads", id))).toMatchObject({ size: 0 });
  });

  it("stops at the organisation's storage limit, counting uploads under way", async () => {
    const who = await dentist();
    const colleague = await dentist(who.iid);
    expect((await create(who, freeBytes - 1000)).status).toBe(201);
    expect(await create(colleague, 1001)).toMatchObject({ status: 507, body: { code: refusals.quotaExceeded.code } });
    // At once, over open connections and without the way through HTTP, so that their transactions surely overlap.
    await Promise.all(
      Array.from({ length: 5 }, () => world.database.asSystem((db) => sql`select pg_sleep(0.1)`.execute(db))),
    );
    const store = new UploadStore(world.database, uploadParts(), { ...colleague, hasEnded: false });
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => store.create(new TusUpload({ id: newId(), size: 600, offset: 0 }))),
    );
    expect(
      tries.map((one) => (one.status === "fulfilled" ? "taken" : (one.reason as Refused).refusal)).toSorted(),
    ).toEqual([...Array.from({ length: 4 }, () => "quotaExceeded"), "taken"]);
    expect((await create(await dentist(), 600)).status).toBe(201);
  });

  it("answers every mistake with an envelope", async () => {
    const who = await dentist();
    const url = present((await create(who, 100)).headers.get("location"), "location");
    expect(await send(who, url, 50, randomBytes(10))).toMatchObject({
      status: 409,
      body: { code: refusals.uploadOffset.code },
    });
    expect(await send(who, url, 0, randomBytes(101))).toMatchObject({
      status: 413,
      body: { code: refusals.tooLarge.code },
    });
    expect(await create(who, 30_000_000_000)).toMatchObject({ status: 413, body: { code: refusals.tooLarge.code } });
    expect(await ask("POST", "/uploads", { token: who.token })).toMatchObject({
      status: 400,
      body: { code: refusals.badInput.code },
    });
    expect(await ask("POST", "/uploads", { token: who.token, headers: { "upload-length": "-1" } })).toMatchObject({
      status: 400,
      body: { code: refusals.badInput.code },
    });
    expect(
      await ask("PATCH", url, {
        token: who.token,
        headers: { "upload-offset": "0", "content-type": "application/json" },
        body: Buffer.from("{}"),
      }),
    ).toMatchObject({ body: { code: expect.any(Number) } });
  });

  it("can be cancelled before it is finished, and not afterwards", async () => {
    const who = await dentist();
    const url = present((await create(who, 10)).headers.get("location"), "location");
    expect((await ask("DELETE", url, { token: who.token })).status).toBe(204);
    expect((await ask("HEAD", url, { token: who.token })).status).toBe(404);
    expect(await rowOf(uploadIdIn(url))).toBeUndefined();
    const id = await uploaded(who, randomBytes(10));
    await finish(who, id);
    expect((await ask("DELETE", `/uploads/${id}`, { token: who.token })).status).toBe(404);
  });
});

describe("the sweeper", () => {
  it("removes uploads that nobody finished in a week and the remains of finished ones, and nothing in use", async () => {
    const who = await dentist();
    const bytes = randomBytes(100);
    const [old, young, done] = [await uploaded(who, bytes), await uploaded(who, bytes), await uploaded(who, bytes)];
    await finish(who, done);
    await world.database.asSystem((db) =>
      sql`update upload set created_at = now() - interval '8 days' where id = ${old}`.execute(db),
    );
    const hours = new Date(Date.now() - 2 * 3600_000);
    for (const id of [old, young, done]) await utimes(path.join(world.folder, "uploads", id), hours, hours);
    await removeStaleUploads(world.database);
    const left = await readdir(path.join(world.folder, "uploads"));
    expect([left.includes(old), left.includes(young), left.includes(done)]).toEqual([false, true, false]);
    expect([await rowOf(old), (await rowOf(young))?.state, (await rowOf(done))?.state]).toEqual([
      undefined,
      "received",
      "finished",
    ]);
    expect(await files().bytes("originals", who.iid, sha256(bytes))).toBe(100);
  });
});
