import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { receiveChunks } from "./received-chunks.ts";

const chunkOf = (fill: number): Buffer => Buffer.alloc(64 * 1024, fill);

it("hands on the chunks that waited one by one without a copy", async () => {
  const [stream, sent] = [new PassThrough(), [1, 2, 3].map(chunkOf)];
  const chunks = receiveChunks(stream);
  for (const chunk of sent) stream.write(chunk);
  stream.end();
  const received: Buffer[] = [];
  for await (const chunk of chunks) received.push(chunk);
  expect(received.map((chunk, at) => chunk === sent[at])).toEqual([true, true, true]);
});

it("stops a sender whose chunks nobody reads, and lets it go on once they are read", async () => {
  const [stream, sent] = [new PassThrough(), Array.from({ length: 12 }, (_, at) => chunkOf(at))];
  const chunks = receiveChunks(stream);
  for (const chunk of sent) {
    stream.write(chunk);
    await nextTurn();
  }
  expect(stream.writableNeedDrain).toBe(true);
  stream.end();
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  expect(bytes).toBe(12 * 64 * 1024);
});

it("stops a sender of single bytes after about a thousand", async () => {
  const stream = new PassThrough();
  receiveChunks(stream);
  for (let sent = 0; sent < 2000; sent++) {
    stream.write(Buffer.alloc(1));
    await nextTurn();
  }
  expect(stream.readableLength).toBeGreaterThan(900);
});

it("throws if the stream broke, before it was read or while its chunk is awaited", async () => {
  const [before, meanwhile] = [new PassThrough(), new PassThrough()];
  before.on("error", () => {}).destroy(new Error("broken before"));
  await nextTurn();
  await expect(receiveChunks(before).next()).rejects.toThrow("broken before");
  const next = receiveChunks(meanwhile).next();
  meanwhile.destroy(new Error("broken meanwhile"));
  await expect(next).rejects.toThrow("broken meanwhile");
});
