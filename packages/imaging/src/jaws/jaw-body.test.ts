import { describe, expect, it } from "vitest";
import { cropToBody, decodeRuns, encodeRuns } from "./jaw-body.ts";

describe("the runs of a body", () => {
  it.each([
    ["is empty", new Uint8Array(700)],
    ["begins inside", Uint8Array.of(1, 1, 0, 1)],
    ["has runs of more than a byte", new Uint8Array(40_000).fill(1, 300, 33_000)],
  ])("give back a mask that %s", (_, inside) => {
    expect(decodeRuns(encodeRuns(inside), inside.length)).toEqual(inside);
  });

  it.each([
    ["too few voxels", encodeRuns(new Uint8Array(99))],
    ["too many", encodeRuns(new Uint8Array(101))],
    ["a number without an end", btoa("\u0080\u0080")],
    ["a number larger than any volume", btoa("\u00ff".repeat(40) + "\u0001")],
    ["characters of another alphabet", "*"],
  ])("are no body with %s", (_, runs) => {
    expect(decodeRuns(runs, 100)).toBeNull();
  });

  it("lie where they were once the box is cut to the body", () => {
    const info = {
      columns: 4,
      rows: 4,
      slices: 4,
      spacing: [2, 2, 2],
      origin: [10, 0, 0],
      direction: [0, 1, 0, -1, 0, 0, 0, 0, 1],
    } as const;
    const inside = new Uint8Array(64);
    inside[1 + 4 * (2 + 4 * 3)] = 1;
    const body = cropToBody({ info: { ...info } as never, inside });
    expect(body.info).toMatchObject({ columns: 1, rows: 1, slices: 1, origin: [6, 2, 6] });
  });
});
