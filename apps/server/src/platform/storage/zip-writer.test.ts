import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { fromBufferPromise } from "yauzl";
import { sliceStream, computeZipLength, streamZip, type ZipEntry } from "./zip-writer.ts";
import { present } from "@arcada/testing/require-present";

const at = new Date("2026-05-04T10:20:30Z");
const entry = (name: string, data: Uint8Array, more: Partial<ZipEntry> = {}): ZipEntry => ({
  path: name,
  at,
  bytes: data.length,
  open: () => Readable.from([data], { objectMode: false }),
  ...more,
});
const some = [
  entry("上颌 scans/upper.stl", Buffer.from("solid ".repeat(5000))),
  entry("empty", new Uint8Array(0)),
  entry("lines.jsonl", Buffer.from("{}\n".repeat(40_000)), { bytes: null, compress: true }),
];
const stored = some.slice(0, 2);

describe("a zip archive", () => {
  it("is read by others as it was written, stored or compressed", async () => {
    const zip = await fromBufferPromise(await buffer(Readable.from(streamZip(some))), { lazyEntries: true });
    const found: [string, number, string][] = [];
    for await (const one of zip.eachEntry()) {
      const bytes = await buffer(await zip.openReadStreamPromise(one));
      found.push([one.fileName, bytes.length, one.getLastModDate({ timezone: "UTC" }).toISOString()]);
    }
    expect(found).toEqual([
      ["上颌 scans/upper.stl", 30_000, "2026-05-04T10:20:30.000Z"],
      ["empty", 0, "2026-05-04T10:20:30.000Z"],
      ["lines.jsonl", 120_000, "2026-05-04T10:20:30.000Z"],
    ]);
  });

  it("has the computed length, is the same every time, and resumes from any byte", async () => {
    const whole = await buffer(Readable.from(streamZip(stored)));
    expect(computeZipLength(stored)).toBe(whole.length);
    expect(computeZipLength(some)).toBeNull();
    for (const [start, end] of [
      [0, 0],
      [40, 30_000],
      [29_990, whole.length - 1],
      [whole.length - 1, whole.length - 1],
    ] as const)
      expect(
        Buffer.compare(
          await buffer(Readable.from(sliceStream(streamZip(stored), start, end))),
          whole.subarray(start, end + 1),
        ),
      ).toBe(0);
  });

  it("closes the file that it reads when its reader closes, and fails if a file does not have the stated length", async () => {
    let isClosed = false;
    async function* long(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(1000);
      } finally {
        isClosed = true;
      }
    }
    const reader = streamZip([{ path: "long", at, bytes: 1e9, open: long }]);
    await reader.next();
    await reader.next();
    await reader.return(undefined);
    expect(isClosed).toBe(true);
    await expect(buffer(Readable.from(streamZip([entry("short", Buffer.from("x"), { bytes: 2 })])))).rejects.toThrow(
      "1 bytes",
    );
  });

  it("has wider fields for what may be larger than 4 GB", async () => {
    const wide = [entry("wide", Buffer.from("abc"), { bytes: null, about: 5e9 }), ...stored];
    const zip = await fromBufferPromise(await buffer(Readable.from(streamZip(wide))), { lazyEntries: true });
    const found: [string, number][] = [];
    for await (const one of zip.eachEntry())
      found.push([one.fileName, (await buffer(await zip.openReadStreamPromise(one))).length]);
    expect(found[0]).toEqual(["wide", 3]);
    if (process.env.ARCADA_PROOF !== "full") return;
    const part = new Uint8Array(1 << 26);
    const large = [
      { path: "large", at, bytes: part.length * 80, open: () => Array.from({ length: 80 }, () => part) },
      entry("behind", Buffer.from("abcd")),
    ];
    const length = present(computeZipLength(large));
    const tail = await buffer(Readable.from(sliceStream(streamZip(large), length - 300, length - 1)));
    // The last central record names the place in its own field of 64 bits; the end's place of the directory as well.
    expect(tail.length).toBe(300);
    expect(tail.includes(wideOf(part.length * 80 + 30 + 5 + 20 + 24))).toBe(true);
    expect(tail.includes(wideOf(part.length * 80))).toBe(true);
  });
});

function wideOf(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
