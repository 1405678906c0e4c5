import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { successCode } from "@arcada/contract/kernel/refusals";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { startPostgres } from "../apps/server/src/kernel/postgres.ts";
import type { EmbeddedPostgres } from "../apps/server/src/kernel/postgres.ts";
import { Product } from "../tests/product.ts";
import { interleaved, roundSeconds } from "./figures.ts";
import type { Figure } from "./figures.ts";
import { makeOrderHouse } from "./order-house.ts";
import type { OrderHouse } from "./order-house.ts";
import { findPgbench } from "./patient-list.ts";

type Connection = EmbeddedPostgres["connection"];
const run = promisify(execFile);
/** How many orders the small and the large lab have; smaller for a trial. */
const sizes = (process.env.ARCADA_BENCH_ORDERS ?? "10000,1000000").split(",").map(Number);
const actors = 50;

/** Pages of a lab's orders at two sizes, and how many transitions a second fifty people make. */
export async function measureOrders(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  try {
    await product.start();
    // Its job that words orders would look for them again and again while they are made and no index stands.
    await product.stop();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    try {
      const houses: OrderHouse[] = [];
      for (const size of sizes) {
        say(`A lab of ${size.toLocaleString("en")} orders is made …`);
        houses.push(await makeOrderHouse(postgres.connection, size));
      }
      await product.start();
      say("Pages of their orders …");
      const pages = await measurePages(product.address, houses);
      say("Transitions of fifty at once …");
      return [...pages, ...(await measureSteps(product.address, houses[0]!, postgres.connection))];
    } finally {
      await postgres.stop();
    }
  } finally {
    await product.remove();
  }
}

type Ask = (
  name: string,
  query?: Record<string, string>,
) => Promise<{ list: { number: string }[]; next: string | null }>;

async function measurePages(address: string, houses: readonly OrderHouse[]): Promise<Figure[]> {
  const asks = houses.map(
    ({ lab }): Ask =>
      (name, query = {}) =>
        get(address, lab.token, name, query),
  );
  const [small, large] = asks as [Ask, Ask];
  const [depths, numbers] = [await Promise.all(asks.map(middle)), await Promise.all(asks.map(newest))];
  const looks: Record<string, (ask: Ask, place: number) => Promise<unknown>> = {
    "first page": (ask) => ask("list"),
    "page in the middle, by its cursor": (ask, place) => ask("list", { cursor: depths[place]! }),
    "first page of a state": (ask) => ask("list", { state: "completed" }),
    "first page by patient": (ask) => ask("list", { sort: "patient" }),
    "an order's number": (ask, place) => ask("list", { search: numbers[place]! }),
    "a Chinese name of two signs": (ask) => ask("list", { search: "王伟" }),
    "counts of the tabs": (ask) => ask("counts"),
  };
  const figures: Figure[] = [];
  for (const [what, look] of Object.entries(looks)) {
    await Promise.all(asks.map(look));
    const seen = await interleaved({ small: () => p95(() => look(small, 0)), large: () => p95(() => look(large, 1)) });
    const name = `orders of a lab with ${sizes[1]!.toLocaleString("en")}, ${what}, p95`;
    const peer = { what: `the same with ${sizes[0]!.toLocaleString("en")}`, value: seen.small };
    figures.push({ what: name, ours: seen.large, peer, unit: "ms", goal: { most: 1.3 } });
  }
  return figures;
}

const get = async <T>(address: string, token: string, name: string, query: Record<string, string>): Promise<T> =>
  answered(await fetch(`${address}/v1/order/${name}?${new URLSearchParams(query).toString()}`, { headers: { token } }));

async function answered<T>(response: Response): Promise<T> {
  const { code, data, msg } = (await response.json()) as Envelope<T>;
  if (code !== successCode) throw new Error(`${response.url}: ${code} ${msg}`);
  return data;
}

const middle = async (ask: Ask, place: number): Promise<string> =>
  (await ask("list", { page: String(Math.floor(sizes[place]! / 40)) })).next!;
const newest = async (ask: Ask): Promise<string> => (await ask("list")).list[3]!.number;

const leastLooks = 20;
/** Of the looks of one round. */
async function p95(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + roundSeconds * 1000;
  while (times.length < leastLooks || performance.now() < end) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
}

/** A lab asks and the clinic answers, again and again, each of the fifty about an order of its own. */
async function measureSteps(address: string, house: OrderHouse, connection: Connection): Promise<Figure[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    "select id from orders where receiver_id = $1 and state = 'pending' and info_request is null order by id limit $2",
    [house.lab.iid, actors],
  );
  await client.end();
  const what = `transitions of an order a second, ${actors} people at once`;
  const pgbench = findPgbench();
  const ids = rows.map(({ id }) => id);
  const runs: Record<string, () => Promise<number>> = { ours: () => steps(address, house, ids) };
  if (pgbench) runs["bare"] = () => updates(pgbench, connection, house, ids);
  const seen = await interleaved(runs);
  const figure: Figure = { what, ours: seen["ours"]!, unit: "a second" };
  return pgbench
    ? [{ ...figure, peer: { what: "pgbench, the bare UPDATE", value: seen["bare"]! }, goal: { least: 0.4 } }]
    : [{ ...figure, what: `${what} (no pgbench on this machine)` }];
}

interface Standing {
  version: number;
  infoRequest: string | null;
}

async function steps(address: string, { clinic, lab }: OrderHouse, ids: readonly string[]): Promise<number> {
  const [from, end] = [performance.now(), performance.now() + roundSeconds * 1000];
  let done = 0;
  const work = async (id: string) => {
    let order: Standing = await get(address, clinic.token, "detail", { id });
    while (performance.now() < end) {
      const [token, action] = order.infoRequest === null ? [lab.token, "requestInfo"] : [clinic.token, "supplyInfo"];
      const body = JSON.stringify({ id, version: order.version, action, text: "A2?" });
      const headers = { token, "content-type": "application/json" };
      order = await answered(await fetch(`${address}${orderCalls.step.path}`, { method: "POST", headers, body }));
      done++;
    }
  };
  await Promise.all(ids.map(work));
  return done / ((performance.now() - from) / 1000);
}

async function updates(
  pgbench: string,
  { host, port, user, database }: Connection,
  { clinic }: OrderHouse,
  ids: readonly string[],
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-bench-"));
  try {
    const scripts = ids.flatMap((id, place) => {
      const file = path.join(folder, `${place}.sql`);
      const row = `institution_id = '${clinic.iid}' and id = '${id}'`;
      writeFileSync(file, `update orders set version = version + 1, updated_at = clock_timestamp() where ${row};\n`);
      return ["-f", file];
    });
    const how = ["-n", "-c", String(actors), "-j", "2", "-M", "prepared", "-T", String(roundSeconds)];
    const where = ["-h", host, "-p", String(port), "-U", user, database];
    const { stdout } = await run(pgbench, [...how, ...scripts, ...where]);
    return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1] ?? Number.NaN);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
