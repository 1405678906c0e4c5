import fc from "fast-check";
import { expect, it } from "vitest";
import { multipartBody } from "@arcada/testing/clients/dicomweb-client";
import { readBoundary, readMultipart } from "./multipart-reader.ts";

const read = async (chunks: readonly Buffer[]): Promise<Buffer[]> => {
  const parts: Buffer[][] = [];
  async function* source(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  await readMultipart(source(), "here", async () => {
    const part: Buffer[] = [];
    parts.push(part);
    return { write: async (chunk) => void part.push(Buffer.from(chunk)), end: async () => {}, fail: async () => {} };
  });
  return parts.map((part) => Buffer.concat(part));
};

it("reads the same parts however a body is cut on its way, and holds a little of it", async () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom("\r\n--her", "\r\n--he\r\n--", "\r\n\r\n", "--here", "\r").map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 30 }),
      async (parts, cuts) => {
        const body = multipartBody(parts, "here");
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < body.length; turn++) {
          const end = at + cuts[turn % cuts.length];
          chunks.push(body.subarray(at, end));
          at = end;
        }
        expect((await read(chunks)).map((one) => one.toString("hex"))).toEqual(
          parts.map((one) => Buffer.from(one).toString("hex")),
        );
      },
    ),
  );
  // Longer than the buffer, as are its chunks.
  const long = [Buffer.alloc(1_000_000, "a\r\n--"), Buffer.alloc(700_001, 7)];
  const body = multipartBody(long, "here");
  expect((await read([body])).map((one, place) => one.equals(long[place]))).toEqual([true, true]);
});

it("frees the memory of a chunk once it is copied, and of none that shares its memory", async () => {
  const body = multipartBody([Buffer.alloc(300_000, 7)], "here");
  const own = Buffer.from(Uint8Array.from(body.subarray(0, 100_000)).buffer);
  const shared = body.subarray(100_000);
  expect((await read([own, shared])).map(({ length }) => length)).toEqual([300_000]);
  expect([own.length, shared.length]).toEqual([0, body.length - 100_000]);
});

it("accepts the boundary of Orthanc, which is longer than RFC 2046 allows", () => {
  const boundary = "bb04dacb-18a4-4c20-8f39-cdb1bdea005d-bb04dacb-18a4-4c20-8f39-cdb1bdea005d";
  expect(readBoundary(`multipart/related; type="application/dicom"; boundary=${boundary}`)).toBe(boundary);
});
