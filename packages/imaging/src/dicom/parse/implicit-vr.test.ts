import { describe, expect, it } from "vitest";
import { joinBytes } from "../../join-bytes.ts";
import { readPalette } from "../pixels/palette.ts";
import { readDicom } from "./read-dicom.ts";
import { tags } from "./tags.ts";

const text = (value: string) => new TextEncoder().encode(value.length % 2 === 0 ? value : `${value}\0`);
const words = (...values: number[]) => new Uint8Array(Uint16Array.from(values).buffer);

/** An element of implicit VR little endian: tag, length of 32 bits, value (PS3.5 7.1.3). */
function element(tag: number, value: Uint8Array): Uint8Array {
  const head = new DataView(new ArrayBuffer(8));
  head.setUint16(0, tag >>> 16, true);
  head.setUint16(2, tag & 0xffff, true);
  head.setUint32(4, value.length, true);
  return joinBytes([new Uint8Array(head.buffer), value]);
}

/** File meta information is explicit in every syntax (PS3.10 7.1). */
function implicitFile(...elements: [tag: number, value: Uint8Array][]) {
  const syntax = text("1.2.840.10008.1.2");
  const meta = joinBytes([Uint8Array.of(2, 0, 0x10, 0, 0x55, 0x49, syntax.length, 0), syntax]);
  const length = Uint8Array.of(2, 0, 0, 0, 0x55, 0x4c, 4, 0, meta.length, 0, 0, 0);
  const body = elements.map(([tag, value]) => element(tag, value));
  const sopClass = element(0x00080016, text("1.2.840.10008.5.1.4.1.1.7"));
  return readDicom(joinBytes([new Uint8Array(128), text("DICM"), length, meta, sopClass, ...body]));
}

describe("a file in implicit VR", () => {
  it("keeps the entries of its palette, 16 bits wide", () => {
    const table = words(0, 0x4000, 0x8000, 0xff00);
    const file = implicitFile(
      [0x00281101, words(4, 0, 16)],
      [0x00281102, words(4, 0, 16)],
      [0x00281103, words(4, 0, 16)],
      [0x00281201, table],
      [0x00281202, table],
      [0x00281203, table],
    );
    expect(readPalette(file, false).map(({ first, bytes }) => [first, ...bytes])).toEqual(
      Array.from({ length: 3 }, () => [0, 0, 0x40, 0x80, 0xff]),
    );
  });

  it("keeps floating-point padding values, which only the dictionary distinguishes from text", () => {
    const file = implicitFile(
      [0x00280122, new Uint8Array(Float32Array.of(-1.5).buffer)],
      [0x00280123, new Uint8Array(Float64Array.of(-2.25).buffer)],
    );
    expect([file.number(tags.floatPadding), file.number(tags.doublePadding)]).toEqual([-1.5, -2.25]);
  });
});
