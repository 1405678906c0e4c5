import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { writeSpreadsheet } from "./spreadsheet.ts";
import { present } from "@arcada/testing/require-present";

it("writes each row of each batch once and in order, and releases the batch", async () => {
  const handfuls = [60, 3, 0, 26].map((count, at) => Array.from({ length: count }, (_, place) => [at, place, "王"]));
  const all = handfuls.flat();
  const columns = ["a", "b", "c"].map((title) => ({ title, width: 8 }));
  const sheet = writeSpreadsheet({ name: "x", rightToLeft: false, columns, rows: each(handfuls) });
  const text = present(
    (await readZip(await buffer(sheet))).get("xl/worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml",
  ).toString();
  const rows = [...text.matchAll(/<row><c><v>(\d+)<\/v><\/c><c><v>(\d+)<\/v><\/c>/g)];
  expect(rows.map(([, at, place]) => [Number(at), Number(place), "王"])).toEqual(all);
  expect(handfuls).toEqual([[], [], [], []]);
});

it("writes days whole, and instants to the millisecond in the reader's time zone", async () => {
  const rows = each([[[{ day: "2026-02-28" }, { instant: "2026-02-28T23:59:59.999Z", zone: "Asia/Shanghai" }, 0.1]]]);
  const columns = ["a", "b", "c"].map((title) => ({ title, width: 8 }));
  const sheet = writeSpreadsheet({ name: "x", rightToLeft: false, columns, rows });
  const text = present(
    (await readZip(await buffer(sheet))).get("xl/worksheets/sheet1.xml"),
    "xl/worksheets/sheet1.xml",
  ).toString();
  const [day, instant, plain] = [...text.matchAll(/<v>([^<]*)<\/v>/g)].map(([, value]) => value);
  expect([day, plain]).toEqual(["46081", "0.1"]);
  const shown = new Date(Math.round((Number(instant) - 25_569) * 86_400_000));
  expect(shown.toISOString()).toBe("2026-03-01T07:59:59.999Z");
});

it.each([0, 1, 400])("passes an error after %i batches of its rows to the reader", async (good) => {
  async function* rows() {
    for (let at = 0; at < good; at++) yield Array.from({ length: 250 }, () => [crypto.randomUUID()]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    throw new Error("the database is gone");
  }
  const sheet = writeSpreadsheet({ name: "x", rightToLeft: false, columns: [{ title: "a", width: 8 }], rows: rows() });
  await expect(buffer(sheet)).rejects.toThrow("the database is gone");
});

it("closes its rows when its reader closes", async () => {
  let left = false;
  async function* rows() {
    try {
      for (;;) yield Array.from({ length: 250 }, () => [crypto.randomUUID()]);
    } finally {
      left = true;
    }
  }
  const sheet = writeSpreadsheet({ name: "x", rightToLeft: false, columns: [{ title: "a", width: 8 }], rows: rows() });
  let read = 0;
  for await (const chunk of sheet) if ((read += (chunk as Buffer).length) > 50_000) break;
  await expect.poll(() => left).toBe(true);
});

async function* each<T>(things: readonly T[]): AsyncGenerator<T> {
  yield* things;
}
