import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { unzipped } from "../../../../tests/unzipped.ts";
import { spreadsheet } from "./spreadsheet.ts";

it("writes each row of each handful once and in order, and lets the handful go", async () => {
  const handfuls = [60, 3, 0, 26].map((count, at) => Array.from({ length: count }, (_, place) => [at, place, "王"]));
  const all = handfuls.flat();
  const columns = ["a", "b", "c"].map((title) => ({ title, width: 8 }));
  const sheet = spreadsheet({ name: "x", rightToLeft: false, columns, rows: each(handfuls) });
  const text = (await unzipped(await buffer(sheet))).get("xl/worksheets/sheet1.xml")!.toString();
  const rows = [...text.matchAll(/<row><c><v>(\d+)<\/v><\/c><c><v>(\d+)<\/v><\/c>/g)];
  expect(rows.map(([, at, place]) => [Number(at), Number(place), "王"])).toEqual(all);
  expect(handfuls).toEqual([[], [], [], []]);
});

async function* each<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things;
}
