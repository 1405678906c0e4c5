import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { Upload } from "@tus/utils";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chunkHeaders, sha256 } from "@arcada/testing/clients/upload-client";
import { startS3Server } from "@arcada/testing/peers/s3-server";
import type { S3Server } from "@arcada/testing/peers/s3-server";
import { present } from "@arcada/testing/require-present";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import { newId } from "../runtime/ids-and-secrets.ts";
import { provideServices } from "../runtime/services.ts";
import { openBucket } from "../storage/s3-bucket.ts";
import { createS3Store } from "../storage/s3-store.ts";
import { finishUpload } from "./finish-uploads.ts";
import { removeStaleUploads } from "./remove-stale-uploads.ts";
import { findSpans, objectLimits, openUploadObjects } from "./unfinished-upload-objects.ts";
import type { UploadParts } from "./upload-parts.ts";
import { UploadStore } from "./upload-store.ts";

const world = await createTestDatabase();
const dentist = await createClinician(world.database);
let server: S3Server | { skipped: string };
beforeAll(async () => void (server = await startS3Server()), 400_000);
afterAll(async () => void ("stop" in server && (await server.stop())));

const settings = () => (server as S3Server).settings;
const folderOf = (name: string) => path.join(world.folder, name);
/** A process with a folder of its own, for the same bucket and database. */
async function openProcess(name: string): Promise<{ parts: UploadParts; store: UploadStore }> {
  const parts = await openUploadObjects(settings(), folderOf(name));
  return { parts, store: new UploadStore(world.database, parts, { ...dentist, hasEnded: false }) };
}
async function begin({ store }: { store: UploadStore }, size: number): Promise<string> {
  const id = newId();
  await store.create(new Upload({ id, size, offset: 0, metadata: { filename: "volume.dcm" } }));
  return id;
}
async function countObjects(id: string): Promise<number> {
  let count = 0;
  for await (const objects of openBucket(settings()).list(`uploads/${id}/`)) count += objects.length;
  return count;
}
const writePiece = (id: string, bytes: Buffer, start: number, end: number) =>
  openBucket(settings()).write(
    `uploads/${id}/${String(start).padStart(15, "0")}-${end - start}`,
    bytes.subarray(start, end),
  );
const blocks = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) => bytes.subarray(at * 65_536, (at + 1) * 65_536));
const stream = (bytes: Uint8Array): Readable => Readable.from(blocks(bytes));

describe("unfinished uploads in a bucket", { timeout: 60_000 }, () => {
  const { spare } = objectLimits;
  beforeAll(() => void (objectLimits.spare = 8));
  afterAll(() => void (objectLimits.spare = spare));
  beforeEach(({ skip }) => {
    if ("skipped" in server) skip(server.skipped);
  });

  it("begin at one process, go on at another and are finished by a third, without a shared folder", async () => {
    const [first, second, third] = [
      await openProcess("first"),
      await openProcess("second"),
      await openProcess("third"),
    ];
    const bytes = randomBytes(9_500_000);
    const id = await begin(first, bytes.length);
    expect(await first.store.write(stream(bytes.subarray(0, 5_000_000)), id, 0)).toBe(5_000_000);
    expect((await second.store.getUpload(id)).offset).toBe(5_000_000);
    await second.store.write(stream(bytes.subarray(5_000_000)), id, 5_000_000);
    await second.store.received(id);
    const files = createS3Store(settings(), folderOf("third"));
    provideServices({ files, parts: third.parts });
    const finished = await world.database.as({ system: false, ...dentist }, (db) =>
      finishUpload({ db, principal: dentist }, dentist.iid, id),
    );
    expect(finished).toMatchObject({ name: "volume.dcm", bytes: bytes.length, sha256: sha256(bytes) });
    const stored = await (await files.read("originals", dentist.iid, finished.sha256)).toArray();
    expect(sha256(Buffer.concat(stored))).toBe(finished.sha256);
  });

  it("keep the bytes of a connection that breaks, and go on behind them", async () => {
    const [first, second] = [await openProcess("first"), await openProcess("second")];
    const bytes = randomBytes(700_000);
    const id = await begin(first, bytes.length);
    const broken = Readable.from(
      (function* () {
        yield* blocks(bytes.subarray(0, 400_000));
        throw new Error("the line broke");
      })(),
    );
    await expect(first.store.write(broken, id, 0)).rejects.toThrow("the line broke");
    const { offset } = await second.store.getUpload(id);
    expect(offset).toBe(400_000);
    await second.store.write(stream(bytes.subarray(offset)), id, offset);
    expect(await second.parts.syncAndHash(id)).toEqual({ sha256: sha256(bytes), bytes: bytes.length });
    expect(await second.parts.head(id, 450_000)).toEqual(bytes.subarray(0, 450_000));
  });

  it("lose nothing that another process acknowledged to a writer that is late", async () => {
    const { parts } = await openProcess("first");
    const [id, bytes] = [newId(), randomBytes(3000)];
    const [late, next] = [await parts.open(id), await parts.open(id)];
    await late.write(bytes.subarray(0, 1000));
    await next.write(bytes.subarray(0, 2500));
    await next.sync();
    await late.sync();
    const last = await parts.open(id, 2500);
    await last.write(bytes.subarray(2500));
    await last.sync();
    expect(await parts.syncAndHash(id)).toEqual({ sha256: sha256(bytes), bytes: 3000 });
  });

  it("are refused by the store if their bytes are not those that were hashed on arrival", async () => {
    const { parts } = await openProcess("first");
    const [id, iid, files] = [newId(), newId(), createS3Store(settings(), folderOf("first"))];
    const writer = await parts.open(id);
    await writer.write(Buffer.from("other bytes"));
    await writer.sync();
    const announced = sha256(Buffer.from("these bytes"));
    const moving = parts.moveInto(id, { files, area: "originals", iid, sha256: announced, keep: true });
    await expect(moving).rejects.toThrow("an upload's bytes changed");
    expect(await files.bytes("originals", iid, announced)).toBeNull();
  });

  it("are removed by the sweeper if no row knows them, and stay while one does", async () => {
    const one = await openProcess("first");
    const [known, unknown] = [await begin(one, 10), newId()];
    for (const id of [known, unknown]) {
      const writer = await one.parts.open(id);
      await writer.write(Buffer.from("1234"));
      await writer.sync();
    }
    const aged = async () => (await one.parts.list()).map(({ id }) => ({ id, touchedAt: 0 }));
    const files = createS3Store(settings(), folderOf("first"));
    await removeStaleUploads(world.database, { parts: { ...one.parts, list: aged }, files });
    expect([await one.parts.bytes(known), await one.parts.bytes(unknown)]).toEqual([4, 0]);
  });

  it("include the files that an earlier version left in the data folder", async () => {
    const [id, bytes, uploads] = [newId(), randomBytes(100_000), path.join(folderOf("earlier"), "uploads")];
    await mkdir(uploads, { recursive: true });
    await writeFile(path.join(uploads, id), bytes);
    const { parts } = await openProcess("earlier");
    expect(await parts.syncAndHash(id)).toEqual({ sha256: sha256(bytes), bytes: bytes.length });
    expect(await readdir(uploads)).toEqual([]);
  });

  it("become few objects although each part has a few bytes", async () => {
    const { parts, store } = await openProcess("first");
    const bytes = randomBytes(30);
    const id = await begin({ store }, bytes.length);
    for (let at = 0; at < bytes.length; at++) {
      expect((await store.getUpload(id)).offset).toBe(at);
      await store.write(stream(bytes.subarray(at, at + 1)), id, at);
    }
    expect(await countObjects(id)).toBeLessThanOrEqual(objectLimits.spare + 3);
    expect(await parts.syncAndHash(id)).toEqual({ sha256: sha256(bytes), bytes: bytes.length });
  });

  it("lose nothing when a process ends between the joining of small objects and their removal", async () => {
    const { parts, store } = await openProcess("first");
    const [id, bytes] = [await begin({ store }, 90), randomBytes(90)];
    for (let at = 0; at < 12; at++) await writePiece(id, bytes, at, at + 1);
    await writePiece(id, bytes, 0, 12);
    expect(await parts.sync(id)).toBe(12);
    await store.write(stream(bytes.subarray(12)), id, 12);
    expect(await countObjects(id)).toBe(2);
    expect(await parts.syncAndHash(id)).toEqual({ sha256: sha256(bytes), bytes: 90 });
  });

  it("keep what was acknowledged when the process that received it is killed", async () => {
    const bytes = randomBytes(6_000_000);
    const killed = await startProcess("killed");
    const id = await begin(await openProcess("first"), bytes.length);
    const headers = { "tus-resumable": "1.0.0", token: `${dentist.uid}:${dentist.iid}:clinicMember:${newId()}` };
    const patch = (offset: number, body: BodyInit) =>
      fetch(`${killed.address}/uploads/${id}`, {
        method: "PATCH",
        headers: { ...headers, ...chunkHeaders(offset) },
        body,
        duplex: "half",
      } as RequestInit);
    expect((await patch(0, bytes.subarray(0, 3_000_000))).headers.get("upload-offset")).toBe("3000000");
    const hanging = new ReadableStream({ start: (sender) => sender.enqueue(bytes.subarray(3_000_000, 3_500_000)) });
    const cut = patch(3_000_000, hanging).catch(() => "cut");
    await new Promise((resolve) => setTimeout(resolve, 200));
    killed.kill();
    expect(await cut).toBe("cut");
    const second = await openProcess("second");
    const { offset } = await second.store.getUpload(id);
    expect(offset).toBeGreaterThanOrEqual(3_000_000);
    await second.store.write(stream(bytes.subarray(offset)), id, offset);
    expect(await second.parts.syncAndHash(id)).toEqual({ sha256: sha256(bytes), bytes: bytes.length });
  });
});

describe("the ranges of an upload", () => {
  const piece = (start: number, end: number) => ({ key: `${start}-${end}`, start, end });
  it.each([
    ["nothing", [], []],
    ["pieces in a row", [piece(3, 5), piece(0, 3)], ["0-3 0 3", "3-5 0 2"]],
    ["no byte behind a gap", [piece(0, 3), piece(4, 9)], ["0-3 0 3"]],
    [
      "no byte twice where pieces overlap",
      [piece(0, 3), piece(0, 4), piece(3, 6), piece(5, 9)],
      ["0-4 0 4", "3-6 1 2", "5-9 1 3"],
    ],
    ["the longest way over a late piece", [piece(0, 4), piece(2, 3), piece(4, 8), piece(4, 6)], ["0-4 0 4", "4-8 0 4"]],
  ])("cover %s", (_, pieces, spans) => {
    expect(findSpans(pieces).map(({ key, skip, bytes }) => `${key} ${skip} ${bytes}`)).toEqual(spans);
  });
});

async function startProcess(name: string): Promise<{ address: string; kill(): void }> {
  const program = path.join(import.meta.dirname, "../../../../../packages/testing/src/workers/upload-server.ts");
  const given = { connection: world.connection, folder: folderOf(name), bucket: settings() };
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, UPLOAD_SERVER: JSON.stringify(given) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (said: Buffer) => resolve(present(/at (\S+)/.exec(said.toString()))[1]));
    child.once("exit", () => reject(new Error("the process ended")));
  });
  return { address, kill: () => void child.kill("SIGKILL") };
}
