import { expect, it } from "vitest";
import type { CephContent } from "@arcada/contract/ceph/ceph.schema";
import { createCephDrawing } from "./print-drawing.ts";
import { present } from "@arcada/testing/require-present";
import { traced, usual } from "@arcada/testing/fixtures/ceph-tracings";

it("a tracing is drawn upright over its cephalogram, and identically however the image is rotated", () => {
  const [columns, rows] = [3000, 4000];
  const upright = createCephDrawing(traced(usual), { columns, rows });
  const lying = Object.fromEntries(
    Object.entries(usual).map(([id, [x, y]]) => [id, [y, columns - x]]),
  ) as CephContent["landmarks"];
  const turned = createCephDrawing(traced(lying), { columns: rows, rows: columns });
  expect([upright.turns, turned.turns]).toEqual([0, 1]);
  expect([upright.height, turned.height]).toEqual([rows / columns, rows / columns]);
  expect(turned.marks).toEqual(upright.marks);
  expect(upright.marks).toContainEqual({
    sign: "S",
    at: [present(usual.S, "S")[0] / columns, present(usual.S, "S")[1] / columns].map(fine),
  });
  expect(upright.lines.map(({ tissue }) => tissue)).toContain("skin");
});
const fine = (share: number): number => Math.round(share * 10_000) / 10_000;
