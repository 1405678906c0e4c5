import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { createFileWriter } from "./unfinished-upload-files.ts";
import type { PartWriter } from "./upload-parts.ts";
import { takeReceivedHash, writeReceivedBytes } from "./write-received-bytes.ts";

const mebi = 1024 * 1024;

function createFilePath(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-part-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return path.join(folder, "part");
}
const upload = (part: PartWriter, size: number, offset = 0) => ({
  id: "one",
  part,
  offset,
  size,
  requirePermission: () => {},
});

it("receives further bytes while earlier ones are written, and writes those that waited together", async () => {
  const stream = new PassThrough();
  const written: number[][] = [];
  const disk = Promise.withResolvers<void>();
  const nothing = async () => {};
  const write: PartWriter["write"] = (...blocks) => {
    written.push(blocks.map(({ length }) => length));
    return disk.promise;
  };
  const done = writeReceivedBytes(stream, upload({ write, flush: nothing, sync: nothing, close: nothing }, 600));
  for (const length of [100, 200, 300]) {
    stream.write(randomBytes(length));
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  }
  disk.resolve();
  stream.end();
  expect([await done, written]).toEqual([600, [[100], [200, 300]]]);
});

it("stores what came before the connection broke, and hashes the rest without reading it again", async () => {
  const [file, bytes, broken] = [createFilePath(), randomBytes(3 * mebi), new PassThrough()];
  const first = writeReceivedBytes(broken, upload(createFileWriter(await open(file, "w")), bytes.length));
  broken.write(bytes.subarray(0, mebi));
  await nextTurn();
  broken.destroy(new Error("the network is gone"));
  await expect(first).rejects.toThrow("the network is gone");
  expect(readFileSync(file)).toEqual(bytes.subarray(0, mebi));
  const rest = createFileWriter(await open(file, "r+"), mebi);
  await writeReceivedBytes(Readable.from([bytes.subarray(mebi)]), upload(rest, bytes.length, mebi));
  expect(readFileSync(file)).toEqual(bytes);
  expect(takeReceivedHash("one", bytes.length)).toBe(createHash("sha256").update(bytes).digest("hex"));
});

it("flushes a file in steps of 8 MiB while it is written", async () => {
  const handle = await open(createFilePath(), "w");
  let flushes = 0;
  const flush = handle.datasync.bind(handle);
  handle.datasync = () => flush().then(() => void flushes++);
  const writer = createFileWriter(handle);
  for (let block = 0; block < 20; block++) await writer.write(Buffer.alloc(mebi));
  await writer.sync();
  await writer.close();
  expect(flushes).toBe(2);
});

it("keeps no byte of a part of which a flush failed, since a later flush would succeed without it", async () => {
  const file = createFilePath();
  const handle = await open(file, "w");
  await handle.write(Buffer.alloc(mebi));
  handle.datasync = () => Promise.reject(new Error("EIO"));
  const part = createFileWriter(handle, mebi);
  const bytes = Readable.from(Array.from({ length: 9 }, () => randomBytes(mebi)));
  await expect(writeReceivedBytes(bytes, upload(part, 10 * mebi, mebi))).rejects.toThrow("EIO");
  expect(statSync(file).size).toBe(mebi);
});
