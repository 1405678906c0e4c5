import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { Upload as TusUpload } from "@tus/utils";
import { sql } from "kysely";
import pg from "pg";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clinician, freshDatabase } from "../../../../tests/database.ts";
import type { TestDatabase } from "../../../../tests/database.ts";
import { uploadServer } from "../../../../tests/upload-server.ts";
import { diskFiles } from "./files-disk.ts";
import { newId } from "./ids.ts";
import type { Refused } from "./refuse.ts";
import { files, parts } from "./services.ts";
import { UploadStore } from "./upload-store.ts";
import { allowedBytes, finishUpload, sweepUploads, usedBytes } from "./uploads.ts";

let world: TestDatabase;
let address: string;
let close: () => Promise<void>;
beforeAll(async () => {
  world = await freshDatabase();
  const { app, address: at } = await uploadServer(world);
  [address, close] = [at, () => app.close()];
});
afterAll(() => close());

interface Who {
  uid: string;
  iid: string;
  token: string;
}
async function dentist(iid?: string, role = "clinicMember"): Promise<Who> {
  const one = await clinician(world.database, iid);
  return { ...one, token: `${one.uid}:${one.iid}:${role}:${newId()}` };
}
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
interface Asked {
  token?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}
const ask = async (method: string, url: string, { token, headers = {}, body }: Asked) => {
  const answer = await fetch(new URL(url, address), {
    method,
    headers: { "tus-resumable": "1.0.0", "accept-language": "en", ...(token && { token }), ...headers },
    ...(body && { body: body as BodyInit }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: text === "" ? null : (JSON.parse(text) as { code: number; msg: string }),
  };
};
const create = (who: Who, bytes: number, name = "scan.dcm") =>
  ask("POST", "/uploads", {
    token: who.token,
    headers: { "upload-length": String(bytes), "upload-metadata": `filename ${base64(name)}` },
  });
const send = (who: Who, url: string, offset: number, body: Uint8Array) =>
  ask("PATCH", url, {
    token: who.token,
    headers: { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
    body,
  });
const idIn = (url: string): string => url.split("/").at(-1)!;
async function uploaded(who: Who, bytes: Uint8Array, name?: string): Promise<string> {
  const url = (await create(who, bytes.length, name)).headers.get("location")!;
  expect((await send(who, url, 0, bytes)).status).toBe(204);
  return idIn(url);
}
const finish = (who: Who, id: string) =>
  world.database.as({ system: false, ...who }, (db) => finishUpload({ db, asker: who }, who.iid, id));
const rowOf = (id: string) =>
  world.database.asSystem((db) => db.selectFrom("upload").selectAll().where("id", "=", id).executeTakeFirst());

describe("an upload", () => {
  it("comes in pieces, is finished once however often it is asked, and is counted once", async () => {
    const who = await dentist();
    const bytes = randomBytes(300_000);
    const made = await create(who, bytes.length, "全景.dcm");
    expect(made.status).toBe(201);
    const url = made.headers.get("location")!;
    expect(url).toMatch(/^\/uploads\/[0-9a-f-]{36}$/);
    expect((await send(who, url, 0, bytes.subarray(0, 100_000))).headers.get("upload-offset")).toBe("100000");
    const head = await ask("HEAD", url, { token: who.token });
    expect([head.headers.get("upload-offset"), head.headers.get("upload-length")]).toEqual(["100000", "300000"]);
    await expect(finish(who, idIn(url))).rejects.toMatchObject({ refusal: "uploadIncomplete" });
    expect((await send(who, url, 100_000, bytes.subarray(100_000))).status).toBe(204);
    const [once, twice] = await Promise.all([finish(who, idIn(url)), finish(who, idIn(url))]);
    expect(once).toEqual({ id: idIn(url), name: "全景.dcm", bytes: 300_000, sha256: sha256(bytes) });
    expect(twice).toEqual(once);
    await finish(who, await uploaded(who, bytes, "again.dcm"));
    expect(await world.database.asSystem((db) => usedBytes(db, who.iid))).toEqual({ stored: 300_000, coming: 0 });
    expect(await files().local("originals", who.iid, once.sha256, (place) => readFile(place))).toEqual(bytes);
  });

  it("whose finishing was rolled back can be finished again", async () => {
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

  it("of a small file needs one request, and of an empty one no byte", async () => {
    const who = await dentist();
    const bytes = randomBytes(5000);
    const made = await ask("POST", "/uploads", {
      token: who.token,
      headers: { "upload-length": "5000", "content-type": "application/offset+octet-stream" },
      body: bytes,
    });
    expect([made.status, made.headers.get("upload-offset")]).toEqual([201, "5000"]);
    expect((await finish(who, idIn(made.headers.get("location")!))).sha256).toBe(sha256(bytes));
    const empty = await create(who, 0);
    expect((await finish(who, idIn(empty.headers.get("location")!))).bytes).toBe(0);
  });

  it("is not there for another organisation, nor for a colleague, nor without a session", async () => {
    const who = await dentist();
    const [colleague, stranger] = [await dentist(who.iid), await dentist()];
    const url = (await create(who, 10)).headers.get("location")!;
    const id = idIn(url);
    for (const other of [colleague, stranger]) {
      expect((await ask("HEAD", url, { token: other.token })).status).toBe(404);
      expect(await send(other, url, 0, randomBytes(10))).toMatchObject({
        status: 404,
        body: { code: 40403, msg: expect.stringMatching(/./) },
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

  it("stops at the storage that the organisation has, counting what others are sending", async () => {
    const who = await dentist();
    const colleague = await dentist(who.iid);
    expect((await create(who, allowedBytes - 1000)).status).toBe(201);
    expect(await create(colleague, 1001)).toMatchObject({ status: 507, body: { code: 50702 } });
    // At once, over open connections and without the way through HTTP, so that their transactions surely overlap.
    await Promise.all(
      Array.from({ length: 5 }, () => world.database.asSystem((db) => sql`select pg_sleep(0.1)`.execute(db))),
    );
    const store = new UploadStore(world.database, parts(), { ...colleague, gone: false });
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
    const url = (await create(who, 100)).headers.get("location")!;
    expect(await send(who, url, 50, randomBytes(10))).toMatchObject({ status: 409, body: { code: 40916 } });
    expect(await send(who, url, 0, randomBytes(101))).toMatchObject({ status: 413, body: { code: 41301 } });
    expect(await create(who, 30_000_000_000)).toMatchObject({ status: 413, body: { code: 41301 } });
    expect(await ask("POST", "/uploads", { token: who.token })).toMatchObject({ status: 400, body: { code: 40001 } });
    expect(await ask("POST", "/uploads", { token: who.token, headers: { "upload-length": "-1" } })).toMatchObject({
      status: 400,
      body: { code: 40001 },
    });
    expect(
      await ask("PATCH", url, {
        token: who.token,
        headers: { "upload-offset": "0", "content-type": "application/json" },
        body: Buffer.from("{}"),
      }),
    ).toMatchObject({ body: { code: expect.any(Number) } });
  });

  it("can be taken back before it is finished, and not afterwards", async () => {
    const who = await dentist();
    const url = (await create(who, 10)).headers.get("location")!;
    expect((await ask("DELETE", url, { token: who.token })).status).toBe(204);
    expect((await ask("HEAD", url, { token: who.token })).status).toBe(404);
    expect(await rowOf(idIn(url))).toBeUndefined();
    const id = await uploaded(who, randomBytes(10));
    await finish(who, id);
    expect((await ask("DELETE", `/uploads/${id}`, { token: who.token })).status).toBe(404);
  });

  it("ends within a second after its sender was removed", async () => {
    const who = await dentist();
    const url = (await create(who, 1_000_000)).headers.get("location")!;
    let removed = 0;
    const slowly = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        controller.enqueue(randomBytes(1000));
      },
    });
    setTimeout(() => {
      removed = Date.now();
      void world.database.asSystem((db) =>
        db.updateTable("membership").set({ state: "deleted" }).where("user_id", "=", who.uid).execute(),
      );
    }, 300);
    const answer = await fetch(new URL(url, address), {
      method: "PATCH",
      headers: {
        "tus-resumable": "1.0.0",
        token: who.token,
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
      body: slowly,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(401);
    expect(Date.now() - removed).toBeLessThan(1500);
  });

  /** Sends the first bytes and then nothing more, on a connection that stays open. */
  async function hang(who: Who, url: string, first: Uint8Array): Promise<() => void> {
    const stop = new AbortController();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(first),
      pull: () => new Promise(() => {}),
    });
    const headers = {
      "tus-resumable": "1.0.0",
      token: who.token,
      "upload-offset": "0",
      "content-type": "application/offset+octet-stream",
    };
    void fetch(new URL(url, address), {
      method: "PATCH",
      headers,
      body,
      duplex: "half",
      signal: stop.signal,
    } as RequestInit).catch(() => null);
    await expect
      .poll(() => stat(path.join(world.folder, "uploads", idIn(url))).then((found) => found.size))
      .toBe(first.length);
    return () => stop.abort();
  }

  it("passes from a connection that hangs to the next one, in this process and from another", async () => {
    const who = await dentist();
    const bytes = randomBytes(50_000);
    const { app, address: elsewhere } = await uploadServer(world);
    for (const base of [address, elsewhere]) {
      const url = (await create(who, bytes.length)).headers.get("location")!;
      const letGo = await hang(who, url, bytes.subarray(0, 20_000));
      const head = await ask("HEAD", base + url, { token: who.token });
      expect([head.status, head.headers.get("upload-offset")]).toEqual([200, "20000"]);
      expect((await send(who, base + url, 20_000, bytes.subarray(20_000))).status).toBe(204);
      expect((await finish(who, idIn(url))).sha256).toBe(sha256(bytes));
      letGo();
    }
    await app.close();
  });

  it("goes on after the database has broken the connection that held its lock", async () => {
    const who = await dentist();
    const bytes = randomBytes(50_000);
    const url = (await create(who, bytes.length)).headers.get("location")!;
    const letGo = await hang(who, url, bytes.subarray(0, 20_000));
    const breaker = new pg.Client(world.connection);
    await breaker.connect();
    await breaker.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'arcada upload locks' and datname = current_database()",
    );
    await breaker.end();
    expect((await send(who, url, 20_000, bytes.subarray(20_000))).status).toBe(204);
    expect((await finish(who, idIn(url))).sha256).toBe(sha256(bytes));
    letGo();
  });
});

describe("the sweeper", () => {
  it("removes what nobody finished in a week and what finishing left, and touches nothing that lives", async () => {
    const who = await dentist();
    const bytes = randomBytes(100);
    const [old, young, done] = [await uploaded(who, bytes), await uploaded(who, bytes), await uploaded(who, bytes)];
    await finish(who, done);
    await world.database.asSystem((db) =>
      sql`update upload set created_at = now() - interval '8 days' where id = ${old}`.execute(db),
    );
    const hours = new Date(Date.now() - 2 * 3600_000);
    for (const id of [old, young, done]) await utimes(path.join(world.folder, "uploads", id), hours, hours);
    await sweepUploads(world.database);
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

describe("a server killed in the middle", () => {
  it("loses nothing that it acknowledged: the upload goes on where it was", { timeout: 60_000 }, async () => {
    const who = await dentist();
    const bytes = randomBytes(40_000_000);
    const children: ChildProcess[] = [];
    const start = async (port = 0): Promise<string> => {
      const child = spawn(process.execPath, [path.join(import.meta.dirname, "../../../../tests/upload-server.ts")], {
        env: { ...process.env, UPLOAD_SERVER: JSON.stringify({ ...world, database: undefined, port }) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      return new Promise((resolve) =>
        child.stdout!.on("data", (said: Buffer) => resolve(/at (\S+)/.exec(said.toString())![1]!)),
      );
    };
    let at = await start();
    const port = Number(new URL(at).port);
    let [acknowledged, kills] = [0, 0];
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${at}/uploads`,
        headers: { token: who.token },
        metadata: { filename: "volume.dcm" },
        chunkSize: 3_000_000,
        retryDelays: Array.from({ length: 200 }, () => 50),
        onChunkComplete: (_size, accepted) => {
          acknowledged = accepted;
          if (kills < 4 && accepted > (kills + 1) * 7_000_000) {
            kills++;
            // A moment later, so that the next piece is on its way.
            setTimeout(() => {
              children.at(-1)!.once("exit", () => void start(port).then((again) => (at = again)));
              children.at(-1)!.kill("SIGKILL");
            }, 4 * kills);
          }
        },
        onSuccess: () => resolve(upload.url!),
        onError: reject,
      });
      upload.start();
    });
    for (const child of children) child.kill("SIGKILL");
    expect([kills, acknowledged]).toEqual([4, bytes.length]);
    expect((await finish(who, idIn(url))).sha256).toBe(sha256(bytes));
    const stored = diskFiles(path.join(world.folder, "files"));
    expect(await stored.local("originals", who.iid, sha256(bytes), (place) => readFile(place).then(sha256))).toBe(
      sha256(bytes),
    );
  });
});
