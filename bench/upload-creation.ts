import path from "node:path";
import pg from "pg";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { createClinic } from "./data/clinic.ts";
import { interleave, median } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";

const few = 400;
const many = Number(process.env.ARCADA_BENCH_FILES ?? 1_000_000);
const perRound = 24;

/** Measures how long the creation of an upload takes in a clinic with few stored files and in one with many. */
export async function measureUploadCreation(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  try {
    await product.start();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    const client = new pg.Client(postgres.connection);
    try {
      await client.connect();
      const [small, large] = [await createClinic(postgres.connection, 10), await createClinic(postgres.connection, 10)];
      say(`${many.toLocaleString("en")} stored files are written …`);
      await insertFiles(client, small.iid, few);
      await insertFiles(client, large.iid, many);
      await client.query("vacuum analyze stored_file, storage_tally");
      const create = (clinic: { token: string }, atOnce: number) => () =>
        createUploads(product.address, clinic.token, atOnce);
      const seen = await interleave({
        small: create(small, 1),
        large: create(large, 1),
        "small, eight": create(small, 8),
        "large, eight": create(large, 8),
        rows: () => measureStatement(client, sumOfRows, large.iid),
        tally: () => measureStatement(client, sumOfTally, large.iid),
      });
      const files = many.toLocaleString("en");
      const beside = (value: number) => ({ what: `with ${few}`, value });
      const goal = { most: 1.2 };
      return [
        {
          what: `an upload is created with ${files} stored files, median`,
          ours: seen.large,
          peer: beside(seen.small),
          unit: "ms",
          goal,
        },
        {
          what: `eight uploads are created at once with ${files} stored files, median of each`,
          ours: seen["large, eight"],
          peer: beside(seen["small, eight"]),
          unit: "ms",
          goal,
        },
        {
          what: `the sum of ${files} stored files, in the database`,
          ours: seen.tally,
          peer: { what: "of the rows themselves", value: seen.rows },
          unit: "ms",
        },
      ];
    } finally {
      await client.end();
      await postgres.stop();
    }
  } finally {
    await product.stop();
    await product.remove();
  }
}

async function insertFiles(client: pg.Client, iid: string, count: number): Promise<void> {
  await client.query("begin");
  await client.query("set local role arcada_system");
  await client.query(
    `insert into stored_file (institution_id, sha256, bytes, created_at)
      select $1, encode(sha256(n::text::bytea), 'hex'), 1000, now() - n * interval '1 minute' from generate_series(1, $2::int) n`,
    [iid, count],
  );
  await client.query("commit");
}

const sumOfRows = "select coalesce(sum(bytes), 0) from stored_file where institution_id = $1";
const sumOfTally =
  "select coalesce(sum(bytes) filter (where kind = 'originals'), 0) from storage_tally where institution_id = $1";

async function measureStatement(client: pg.Client, text: string, iid: string): Promise<number> {
  await client.query("set role arcada_system");
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    const from = performance.now();
    await client.query(text, [iid]);
    times.push(performance.now() - from);
  }
  await client.query("reset role");
  return median(times);
}

/** Creates uploads and cancels them again; returns the median duration of a creation in milliseconds. */
async function createUploads(address: string, token: string, atOnce: number): Promise<number> {
  const headers = { token, "tus-resumable": "1.0.0" };
  const times: number[] = [];
  while (times.length < perRound) {
    const places = await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const from = performance.now();
        const made = await fetch(`${address}/uploads`, {
          method: "POST",
          headers: { ...headers, "upload-length": "1000" },
        });
        times.push(performance.now() - from);
        if (made.status !== 201) throw new Error(`the upload was refused: ${made.status} ${await made.text()}`);
        return made.headers.get("location") ?? "";
      }),
    );
    for (const place of places) await fetch(new URL(place, address), { method: "DELETE", headers });
  }
  return median(times);
}
