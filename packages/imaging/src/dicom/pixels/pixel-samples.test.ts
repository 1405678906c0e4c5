import { describe, expect, it } from "vitest";
import { decodeRle } from "../codec/rle.ts";
import { extractStoredValues } from "./pixel-samples.ts";

describe("stored samples", () => {
  it("lose the bits that do not belong to them and keep their sign", () => {
    expect(extractStoredValues(Uint16Array.of(0xf1ff, 0x0100, 0x00ff), 9, 0, true)).toEqual(
      Int16Array.of(-1, -256, 255),
    );
    expect(extractStoredValues(Uint16Array.of(0xffff, 0x8010), 12, 4, false)).toEqual(Uint16Array.of(0xfff, 0x801));
    expect(extractStoredValues(Uint16Array.of(0xffff), 16, 0, true)).toEqual(Int16Array.of(-1));
    expect(extractStoredValues(Uint32Array.of(0xffffffff), 32, 0, false)).toEqual(Uint32Array.of(0xffffffff));
  });

  it("are unpacked from RLE, the high byte of each first", () => {
    const header = new Uint32Array(16);
    header.set([2, 64, 68]);
    // High bytes: 1 four times. Low bytes: 9 as it is, then 7 three times.
    const coded = Uint8Array.from([...new Uint8Array(header.buffer), 253, 1, 128, 128, 0, 9, 254, 7]);
    expect(new Uint16Array(decodeRle(coded, 4, 1, 2).buffer)).toEqual(Uint16Array.of(0x109, 0x107, 0x107, 0x107));
    expect(() => decodeRle(coded.subarray(0, 70), 4, 1, 2)).toThrow(expect.objectContaining({ reason: "truncated" }));
  });
});
