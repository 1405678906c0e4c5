import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { EmbeddedPostgres } from "../apps/server/src/kernel/postgres.ts";
import type { Product } from "../tests/product.ts";
import type { BareStep } from "./bare-step.ts";
import { besides, counted, pairOf, type Seen } from "./besides.ts";
import { roundSeconds, type Figure } from "./figures.ts";
import { answered } from "./order-answer.ts";
import type { OrderHouse } from "./order-house.ts";
import { findPgbench } from "./patient-list.ts";
import { startPeer } from "./peer.ts";

type Connection = EmbeddedPostgres["connection"];
const run = promisify(execFile);
const actors = 50;
const rounds = 5;

/**
 * A lab asks and the clinic answers, again and again, each of fifty people about an order of their own. Beside it the
 * bare UPDATE by pgbench, and what HTTP, Node and the wall leave of that: the floor under anything that we answer.
 */
export async function measureSteps(product: Product, house: OrderHouse, connection: Connection): Promise<Figure[]> {
  const ids = await pendingOrders(connection, house);
  const pgbench = findPgbench();
  const floor = await startPeer("bare-step.ts", { connection, iid: house.clinic.iid } satisfies BareStep);
  try {
    const database = product.postmaster();
    const counting = (pids: number[], work: () => Promise<number>) => () =>
      counted({ pids }, work, (speed, seconds) => speed * seconds);
    const seen = await besides<"ours" | "floor" | "bare">(
      {
        ours: counting([product.pid, database], () => steps(product.address, house, ids)),
        floor: counting([floor.pid, database], () => bareSteps(floor.address, ids)),
        ...(pgbench && { bare: counting([database], () => updates(pgbench, connection, house, ids)) }),
      },
      rounds,
    );
    return figuresOf(seen);
  } finally {
    await floor.stop();
  }
}

function figuresOf({ ours, floor, bare }: Partial<Record<"ours" | "floor" | "bare", Seen>>): Figure[] {
  const what = `transitions of an order a second, ${actors} people at once`;
  const unit = "a second";
  const bareUpdate = "pgbench, the bare UPDATE";
  const floorWords = "the bare UPDATE by HTTP, Node and the wall";
  const besideBare = { ...(ours && { ours }), ...(bare && { peer: bare }) };
  const besideFloor = { ...(ours && { ours }), ...(floor && { peer: floor }) };
  const floorItself = { ...(floor && { ours: floor }), ...(bare && { peer: bare }) };
  const known = bare ? what : `${what} (no pgbench on this machine)`;
  return [
    ...pairOf(besideBare, { what: known, unit, peer: bareUpdate, goal: { least: 0.4 } }),
    ...pairOf(besideFloor, { what, unit, peer: floorWords }),
    ...pairOf(floorItself, { what: `${floorWords}, ${actors} at once`, unit, peer: bareUpdate }),
  ];
}

async function pendingOrders(connection: Connection, { lab }: OrderHouse): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    "select id from orders where receiver_id = $1 and state = 'pending' and info_request is null order by id limit $2",
    [lab.iid, actors],
  );
  await client.end();
  return rows.map(({ id }) => id);
}

interface Standing {
  version: number;
  infoRequest: string | null;
}

function steps(address: string, { clinic, lab }: OrderHouse, ids: readonly string[]): Promise<number> {
  return aSecond(ids, async (id, again) => {
    let order: Standing = await answered(
      await fetch(`${address}${orderCalls.detail.path}?id=${id}`, { headers: { token: clinic.token } }),
    );
    while (again()) {
      const [token, action] = order.infoRequest === null ? [lab.token, "requestInfo"] : [clinic.token, "supplyInfo"];
      const body = { id, version: order.version, action, text: "A2?" };
      order = await answered(await post(`${address}${orderCalls.step.path}`, body, { token }));
    }
  });
}

const bareSteps = (address: string, ids: readonly string[]): Promise<number> =>
  aSecond(ids, async (id, again) => {
    while (again()) await answered(await post(address, { id }));
  });

const post = (address: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(address, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** How often a second all of them together come to ask `again`. */
async function aSecond(
  ids: readonly string[],
  work: (id: string, again: () => boolean) => Promise<void>,
): Promise<number> {
  const [from, end] = [performance.now(), performance.now() + roundSeconds * 1000];
  let done = 0;
  const again = () => performance.now() < end && ++done > 0;
  await Promise.all(ids.map((id) => work(id, again)));
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
