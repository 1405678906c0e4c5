import { describe, expect, it } from "vitest";
import { makeTiffFixture, type TiffPageFixture } from "@arcada/testing/images/tiff-file";
import { TiffError, readTiffPages } from "./tiff-pages.ts";

const grey = (columns: number, rows: number, tags: TiffPageFixture["tags"] = []): TiffPageFixture => ({
  columns,
  rows,
  samples: new Uint8Array(columns * rows),
  tags,
});
const pagesOf = (bytes: Uint8Array, most = 10) =>
  readTiffPages((offset, length) => bytes.subarray(offset, offset + length), bytes.length, most);
const reasonOf = (bytes: Uint8Array, most?: number): string => {
  try {
    pagesOf(bytes, most);
  } catch (error) {
    if (error instanceof TiffError) return error.reason;
    throw error;
  }
  return "none";
};

describe("the pages of a TIFF", () => {
  it("are listed with their sizes, and a smaller copy of a page is marked as reduced", () => {
    const bytes = makeTiffFixture([grey(20, 10), grey(5, 3, [[254, 4, 1]]), grey(8, 30)]);
    expect(pagesOf(bytes).map(({ columns, rows, isReduced }) => [columns, rows, isReduced])).toEqual([
      [20, 10, false],
      [5, 3, true],
      [8, 30, false],
    ]);
  });

  it("are refused where their directories form a loop or lie outside the file", () => {
    expect(reasonOf(makeTiffFixture([grey(4, 4), grey(4, 4)], () => 24))).toBe("broken");
    expect(reasonOf(makeTiffFixture([grey(4, 4)], () => 1_000_000))).toBe("broken");
    expect(reasonOf(makeTiffFixture([grey(4, 4)]).subarray(0, 30))).toBe("broken");
  });

  it("are refused where they are more than may be", () => {
    expect(reasonOf(makeTiffFixture([grey(4, 4), grey(4, 4), grey(4, 4)]), 2)).toBe("tooManyPages");
  });

  it.each([
    ["floating point", [339, 3, 3]],
    ["a hundred channels", [277, 3, 100]],
    ["a rare coding", [259, 3, 34_712]],
    ["24 bits", [258, 3, 24]],
    ["a tile larger than every page", [322, 4, 4_000_000_000]],
  ] as const)("are refused where they have %s", (_, [tag, type, value]) => {
    expect(reasonOf(makeTiffFixture([grey(4, 4, [[tag, type, value]])]))).toBe("unsupported");
  });

  it("end in a result or a known refusal, whichever byte is changed", () => {
    const good = makeTiffFixture([grey(6, 6), grey(6, 6)]);
    for (let at = 0; at < good.length; at++)
      for (const value of [0, 1, 0x7f, 0xff]) {
        const bytes = good.slice();
        bytes[at] = value;
        expect(["none", "broken", "unsupported", "tooManyPages"]).toContain(reasonOf(bytes));
      }
  });
});
