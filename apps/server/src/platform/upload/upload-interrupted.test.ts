import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import pg from "pg";
import { Upload } from "tus-js-client";
import { afterAll, describe, expect, it } from "vitest";
import { uploadIdIn, chunkHeaders, sha256, createUploadClient } from "@arcada/testing/clients/upload-client";
import type { Uploader } from "@arcada/testing/clients/upload-client";
import { startUploadServer } from "@arcada/testing/workers/upload-server";
import { createDiskStore } from "../storage/disk-store.ts";
import { present } from "@arcada/testing/require-present";
import { scaleToIdleMachine } from "@arcada/testing/tools/idle-machine-time";

const { world, address, ask, create, send, finish, dentist, close } = await createUploadClient();
afterAll(close);

/** A phone that loses its network for half a minute. */
const silentMs = process.env.ARCADA_PROOF === "full" ? 30_000 : 1500;

describe("an upload", { timeout: 60_000 }, () => {
  it("ends within a second after its sender was removed", async () => {
    const who = await dentist();
    const url = present((await create(who, 1_000_000)).headers.get("location"), "location");
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
      headers: { "tus-resumable": "1.0.0", token: who.token, ...chunkHeaders(0) },
      body: slowly,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(401);
    expect(scaleToIdleMachine(Date.now() - removed)).toBeLessThan(1500);
  });

  it("passes from a connection that hangs to the next one, in this process and from another", async () => {
    const who = await dentist();
    const bytes = randomBytes(50_000);
    const { app, address: elsewhere } = await startUploadServer(world);
    for (const base of [address, elsewhere]) {
      const url = present((await create(who, bytes.length)).headers.get("location"), "location");
      const letGo = await hang(who, url, bytes.subarray(0, 20_000));
      const head = await ask("HEAD", base + url, { token: who.token });
      expect([head.status, head.headers.get("upload-offset")]).toEqual([200, "20000"]);
      expect((await send(who, base + url, 20_000, bytes.subarray(20_000))).status).toBe(204);
      expect((await finish(who, uploadIdIn(url))).sha256).toBe(sha256(bytes));
      letGo();
    }
    await app.close();
  });

  it(`resumes where it was after its sender was silent for ${silentMs / 1000} s`, async () => {
    const who = await dentist();
    const bytes = randomBytes(60_000);
    const [first, second, third] = [bytes.subarray(0, 20_000), bytes.subarray(20_000, 40_000), bytes.subarray(40_000)];
    const url = present((await create(who, bytes.length)).headers.get("location"), "location");
    const request = connect(Number(new URL(address).port), new URL(address).hostname);
    const said = [
      `PATCH ${url} HTTP/1.1`,
      "host: localhost",
      `token: ${who.token}`,
      "tus-resumable: 1.0.0",
      ...Object.entries(chunkHeaders(0)).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${bytes.length}`,
    ];
    request.write(`${said.join("\r\n")}\r\n\r\n`);
    request.write(first);
    await lies(url, 20_000);
    await new Promise((resolve) => setTimeout(resolve, silentMs));
    request.write(second);
    await lies(url, 40_000);
    request.destroy();
    const head = await ask("HEAD", address + url, { token: who.token });
    expect([head.status, head.headers.get("upload-offset")]).toEqual([200, "40000"]);
    expect((await send(who, url, 40_000, third)).status).toBe(204);
    expect((await finish(who, uploadIdIn(url))).sha256).toBe(sha256(bytes));
  });

  it("resumes after the database has broken the connection that held its lock", async () => {
    const who = await dentist();
    const bytes = randomBytes(50_000);
    const url = present((await create(who, bytes.length)).headers.get("location"), "location");
    const letGo = await hang(who, url, bytes.subarray(0, 20_000));
    const breaker = new pg.Client(world.connection);
    await breaker.connect();
    await breaker.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'arcada upload locks' and datname = current_database()",
    );
    await breaker.end();
    expect((await send(who, url, 20_000, bytes.subarray(20_000))).status).toBe(204);
    expect((await finish(who, uploadIdIn(url))).sha256).toBe(sha256(bytes));
    letGo();
  });
});

describe("a server killed in the middle", () => {
  it("loses no acknowledged bytes: the upload resumes where it was", { timeout: 60_000 }, async () => {
    const who = await dentist();
    const bytes = randomBytes(40_000_000);
    const children: ChildProcess[] = [];
    const start = async (port = 0): Promise<string> => {
      const child = spawn(
        process.execPath,
        [path.join(import.meta.dirname, "../../../../../packages/testing/src/workers/upload-server.ts")],
        {
          env: { ...process.env, UPLOAD_SERVER: JSON.stringify({ ...world, database: undefined, port }) },
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      children.push(child);
      return new Promise((resolve) =>
        child.stdout.on("data", (said: Buffer) => resolve(present(/at (\S+)/.exec(said.toString()))[1])),
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
            // The delay lets the next part begin.
            setTimeout(() => {
              present(children.at(-1)).once("exit", () => void start(port).then((again) => (at = again)));
              present(children.at(-1)).kill("SIGKILL");
            }, 4 * kills);
          }
        },
        onSuccess: () => resolve(present(upload.url, "url")),
        onError: reject,
      });
      upload.start();
    });
    for (const child of children) child.kill("SIGKILL");
    expect([kills, acknowledged]).toEqual([4, bytes.length]);
    expect((await finish(who, uploadIdIn(url))).sha256).toBe(sha256(bytes));
    const stored = createDiskStore(path.join(world.folder, "files"));
    expect(await stored.local("originals", who.iid, sha256(bytes), (place) => readFile(place).then(sha256))).toBe(
      sha256(bytes),
    );
  });
});

/** Sends the first bytes and then nothing more, on a connection that stays open. */
async function hang(who: Uploader, url: string, first: Uint8Array): Promise<() => void> {
  const stop = new AbortController();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(first),
    pull: () => new Promise(() => {}),
  });
  const headers = { "tus-resumable": "1.0.0", token: who.token, ...chunkHeaders(0) };
  void fetch(new URL(url, address), {
    method: "PATCH",
    headers,
    body,
    duplex: "half",
    signal: stop.signal,
  } as RequestInit).catch(() => null);
  await lies(url, first.length);
  return () => stop.abort();
}

async function lies(url: string, bytes: number): Promise<void> {
  const size = () => stat(path.join(world.folder, "uploads", uploadIdIn(url))).then((found) => found.size);
  await expect.poll(size, { timeout: 5000 }).toBe(bytes);
}
