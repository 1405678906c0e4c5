import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { EmbeddedPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
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
 * A lab asks and the clinic answers, repeatedly, with fifty people and one order each. For comparison pgbench runs the
 * bare UPDATE and all writes of a transition, and a minimal HTTP server shows how much of the bare UPDATE remains after
 * HTTP, Node and the tenant scope: the lower bound of any response.
 */
export async function measureSteps(product: Product, house: OrderHouse, connection: Connection): Promise<Figure[]> {
  const pending = await pendingOrders(connection, house);
  // pgbench gets other orders: its writes lengthen a timeline, and with it the answer of a step.
  const [ids, others] = [pending.slice(0, actors), pending.slice(actors)];
  const pgbench = findPgbench();
  const floor = await startPeer("bare-step.ts", { connection, iid: house.clinic.iid } satisfies BareStep);
  try {
    const database = product.postmaster();
    const counting = (pids: number[], work: () => Promise<number>) => () =>
      counted({ pids }, work, (speed, seconds) => speed * seconds);
    const byPgbench = (what: (house: OrderHouse, own: string) => string) =>
      pgbench && counting([database], () => statements(pgbench, connection, what(house, ownOf(others))));
    const [bare, writes] = [byPgbench(bareUpdate), byPgbench(allWrites)];
    const seen = await besides<Runner>(
      {
        ours: counting([product.pid, database], () => steps(product.address, house, ids)),
        floor: counting([floor.pid, database], () => bareSteps(floor.address, ids)),
        ...(bare && writes && { bare, writes }),
      },
      rounds,
    );
    return figuresOf(seen);
  } finally {
    await floor.stop();
  }
}

type Runner = "ours" | "floor" | "bare" | "writes";
function figuresOf({ ours, floor, bare, writes }: Partial<Record<Runner, Seen>>): Figure[] {
  const what = `transitions of an order a second, ${actors} people at once`;
  const unit = "a second";
  const updateWords = "pgbench, the bare UPDATE";
  const floorWords = "the bare UPDATE by HTTP, Node and the wall";
  const besideBare = { ...(ours && { ours }), ...(bare && { peer: bare }) };
  const besideFloor = { ...(ours && { ours }), ...(floor && { peer: floor }) };
  const floorItself = { ...(floor && { ours: floor }), ...(bare && { peer: bare }) };
  const writesWords = "pgbench, all that a transition writes";
  const besideWrites = { ...(ours && { ours }), ...(writes && { peer: writes }) };
  const writesThemselves = { ...(writes && { ours: writes }), ...(bare && { peer: bare }) };
  const known = bare ? what : `${what} (no pgbench on this machine)`;
  return [
    ...pairOf(besideBare, { what: known, unit, peer: updateWords, goal: { least: 0.4 } }),
    ...pairOf(besideFloor, { what, unit, peer: floorWords }),
    ...pairOf(floorItself, { what: `${floorWords}, ${actors} at once`, unit, peer: updateWords }),
    ...(writes ? pairOf(besideWrites, { what, unit, peer: writesWords }) : []),
    ...(writes ? pairOf(writesThemselves, { what: `${writesWords}, ${actors} at once`, unit, peer: updateWords }) : []),
  ];
}

async function pendingOrders(connection: Connection, { lab }: OrderHouse): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    "select id from orders where receiver_id = $1 and state = 'pending' and info_request is null order by id limit $2",
    [lab.iid, 2 * actors],
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

/** Returns how many times per second all workers together call `again`. */
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

/** Each client of pgbench also has its own order, so that no client waits for another's row. */
const ownOf = (ids: readonly string[]): string => `('{${ids.join()}}'::uuid[])[:client_id + 1]`;
const bareUpdate = ({ clinic: { iid } }: OrderHouse, own: string): string =>
  `update orders set version = version + 1, updated_at = clock_timestamp() where institution_id = '${iid}' and id = ${own};`;

/**
 * The order, its counters (by the table's own trigger), timeline, a notice, the audit line and the notification of open
 * tabs.
 */
const allWrites = ({ clinic, lab }: OrderHouse, own: string): string => `begin;
update orders set version = version + 1, updated_at = clock_timestamp(), info_request = 'A2?', info_asked_at = now(),
  turn = case turn when 'sender' then 'receiver' else 'sender' end where institution_id = '${clinic.iid}' and id = ${own};
insert into order_event (institution_id, order_id, id, action, from_state, to_state, user_id, side, text, inner_only)
  values ('${clinic.iid}', ${own}, gen_random_uuid(), 'requestInfo', 'pending', 'pending', '${lab.uid}', 'receiver', 'A2?', false);
insert into notice (institution_id, id, user_id, kind, params, link)
  values ('${clinic.iid}', gen_random_uuid(), '${clinic.uid}', 'orderMoved', '{"number": "261122-100001"}', '/orderDetail/page');
insert into audit (institution_id, user_id, action, subject, detail, address, request_id)
  values ('${lab.iid}', '${lab.uid}', 'order.step', ${own}::text, '{"action": "requestInfo"}', '127.0.0.1', 'bench');
select pg_notify('arcada_bench', ${own}::text);
commit;`;

async function statements(
  pgbench: string,
  { host, port, user, database }: Connection,
  script: string,
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-bench-"));
  try {
    const file = path.join(folder, "transaction.sql");
    writeFileSync(file, `${script}\n`);
    const how = ["-n", "-c", String(actors), "-j", "2", "-M", "prepared", "-T", String(roundSeconds), "-f", file];
    const where = ["-h", host, "-p", String(port), "-U", user, database];
    const { stdout } = await run(pgbench, [...how, ...where]);
    return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1] ?? Number.NaN);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
