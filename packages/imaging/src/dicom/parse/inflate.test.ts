import { constants, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { inflateLimits, inflateRaw } from "./inflate.node.ts";

const text = Buffer.from("tooth 11, tooth 12, tooth 13, tooth 14; ".repeat(5000));
const noise = Uint8Array.from({ length: 100_000 }, (_, at) => Math.imul(at + 7, 2654435761) >>> 24);
const inputs = { nothing: new Uint8Array(), a: Uint8Array.of(97), text, noise, zeros: new Uint8Array(300_000) };

describe("deflated bytes", () => {
  it.each(Object.entries(inputs))("come back as another library packed them: %s", (_, bytes) => {
    for (const level of [0, 1, 6, 9])
      for (const strategy of [constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY])
        expect(Buffer.compare(inflateRaw(deflateRawSync(bytes, { level, strategy })), bytes)).toBe(0);
  });

  it("are truncated when cut anywhere, and refused when they unpack to too much", () => {
    const packed = deflateRawSync(text);
    for (let length = 0; length < packed.length; length++)
      expect(() => inflateRaw(packed.subarray(0, length))).toThrow(expect.objectContaining({ reason: "truncated" }));
    expect(() => inflateRaw(packed, text.length - 1)).toThrow(expect.objectContaining({ reason: "bomb" }));
  });

  it("are refused where they become 200 times as many, over 10 MB", () => {
    const bomb = deflateRawSync(new Uint8Array(60_000_000), { level: 9 });
    const before = process.cpuUsage();
    expect(() => inflateRaw(bomb)).toThrow(expect.objectContaining({ reason: "bomb" }));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
    expect(inflateRaw(deflateRawSync(new Uint8Array(9_000_000)))).toHaveLength(9_000_000);
  });

  it("are refused where they become more than any of these files has, however many they are", () => {
    const forged = deflateRawSync(Buffer.alloc(inflateLimits.bytes + 1, noise));
    expect(() => inflateRaw(forged)).toThrow(expect.objectContaining({ reason: "bomb" }));
  });

  it("come behind the bytes that are put before them, into which no repetition reaches", () => {
    const head = Uint8Array.of(1, 2, 3);
    expect([...inflateRaw(deflateRawSync(Uint8Array.of(9, 9, 9, 9, 9)), 100, head)]).toEqual([1, 2, 3, 9, 9, 9, 9, 9]);
    const dictionary = Buffer.from("before it");
    const packed = deflateRawSync(Buffer.from("before it, before it"), { dictionary });
    expect(() => inflateRaw(packed, 100, dictionary)).toThrow(expect.objectContaining({ reason: "truncated" }));
  });

  it("end in a result or a DicomError, whichever bit is changed", () => {
    const packed = deflateRawSync(noise.map((value) => value & 31));
    for (let at = 0; at < 400; at++) {
      const changed = Uint8Array.from(packed);
      changed[at] ^= 1 << (at & 7);
      try {
        inflateRaw(changed, 1 << 20);
      } catch (error) {
        expect(error).toMatchObject({ name: "DicomError" });
      }
    }
  });
});
