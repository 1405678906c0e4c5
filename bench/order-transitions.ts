import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { orderCalls } from "@arcada/contract/order/order.calls";
import type { EmbeddedPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import type { Product } from "@arcada/testing/setup/product-process";
import type { BareTransition } from "./peers/bare-transition.ts";
import { compareRuns, measureCounted, figurePair, type Measurement } from "./lib/compare-runs.ts";
import { roundSeconds, type Figure } from "./lib/figure-table.ts";
import { readAnswer } from "./lib/read-response-data.ts";
import type { OrderDataset } from "./data/order-dataset.ts";
import { findPgbench } from "./patient-list-throughput.ts";
import { startPeer } from "./peers/peer-process.ts";
import { peerEnvironment } from "./lib/peer-environment.ts";

type Connection = EmbeddedPostgres["connection"];
const run = promisify(execFile);
const workers = 50;
const rounds = 5;

/**
 * A lab asks and the clinic answers, repeatedly, with fifty people and one order each. For comparison pgbench runs the
 * bare UPDATE and all writes of a transition, and a minimal HTTP server shows how much of the bare UPDATE remains after
 * HTTP, Node and the tenant scope: the lower bound of any response.
 */
export async function measureTransitions(
  product: Product,
  dataset: OrderDataset,
  connection: Connection,
): Promise<Figure[]> {
  const pending = await pendingOrders(connection, dataset);
  // pgbench gets other orders: its writes lengthen a timeline, and with it the answer of a step.
  const [ids, others] = [pending.slice(0, workers), pending.slice(workers)];
  const pgbench = findPgbench();
  const floor = await startPeer("bare-transition.ts", { connection, iid: dataset.clinic.iid } satisfies BareTransition);
  try {
    const database = product.postmasterPid();
    const counting = (pids: number[], work: () => Promise<number>) => () =>
      measureCounted({ pids }, work, (speed, seconds) => speed * seconds);
    const byPgbench = (what: (dataset: OrderDataset, own: string) => string) =>
      pgbench && counting([database], () => runPgbench(pgbench, connection, what(dataset, ownOrderSql(others))));
    const [bare, writes] = [byPgbench(bareUpdateSql), byPgbench(allWritesSql)];
    const seen = await compareRuns<RunName>(
      {
        ours: counting([product.pid, database], () => runTransitions(product.address, dataset, ids)),
        floor: counting([floor.pid, database], () => runBareTransitions(floor.address, ids)),
        ...(bare && writes && { bare, writes }),
      },
      rounds,
    );
    return figuresOf(seen);
  } finally {
    await floor.stop();
  }
}

type RunName = "ours" | "floor" | "bare" | "writes";
function figuresOf({ ours, floor, bare, writes }: Partial<Record<RunName, Measurement>>): Figure[] {
  const what = `transitions of an order a second, ${workers} people at once`;
  const unit = "a second";
  const updateWords = "pgbench, the bare UPDATE";
  const floorWords = "the bare UPDATE by HTTP, Node and the tenant scope";
  const bareComparison = { ...(ours && { ours }), ...(bare && { peer: bare }) };
  const floorComparison = { ...(ours && { ours }), ...(floor && { peer: floor }) };
  const floorItself = { ...(floor && { ours: floor }), ...(bare && { peer: bare }) };
  const writesWords = "pgbench, all that a transition writes";
  const writesComparison = { ...(ours && { ours }), ...(writes && { peer: writes }) };
  const writesThemselves = { ...(writes && { ours: writes }), ...(bare && { peer: bare }) };
  const known = bare ? what : `${what} (no pgbench on this machine)`;
  return [
    ...figurePair(bareComparison, { what: known, unit, peer: updateWords, goal: { least: 0.4 } }),
    ...figurePair(floorComparison, { what, unit, peer: floorWords }),
    ...figurePair(floorItself, { what: `${floorWords}, ${workers} at once`, unit, peer: updateWords }),
    ...(writes ? figurePair(writesComparison, { what, unit, peer: writesWords, goal: { least: 0.5 } }) : []),
    ...(writes
      ? figurePair(writesThemselves, { what: `${writesWords}, ${workers} at once`, unit, peer: updateWords })
      : []),
  ];
}

async function pendingOrders(connection: Connection, { lab }: OrderDataset): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ id: string }>(
    "select id from orders where receiver_id = $1 and state = 'pending' and info_request is null order by id limit $2",
    [lab.iid, 2 * workers],
  );
  await client.end();
  return rows.map(({ id }) => id);
}

interface OrderState {
  version: number;
  infoRequest: string | null;
}

function runTransitions(address: string, { clinic, lab }: OrderDataset, ids: readonly string[]): Promise<number> {
  return measurePerSecond(ids, async (id, mayContinue) => {
    let order: OrderState = await readAnswer(
      await fetch(`${address}${orderCalls.detail.path}?id=${id}`, { headers: { token: clinic.token } }),
    );
    while (mayContinue()) {
      const [token, action] = order.infoRequest === null ? [lab.token, "requestInfo"] : [clinic.token, "supplyInfo"];
      const body = { id, version: order.version, action, text: "A2?" };
      order = await readAnswer(await post(`${address}${orderCalls.step.path}`, body, { token }));
    }
  });
}

const runBareTransitions = (address: string, ids: readonly string[]): Promise<number> =>
  measurePerSecond(ids, async (id, mayContinue) => {
    while (mayContinue()) await readAnswer(await post(address, { id }));
  });

const post = (address: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(address, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Returns how many times per second all workers together call `again`. */
async function measurePerSecond(
  ids: readonly string[],
  work: (id: string, mayContinue: () => boolean) => Promise<void>,
): Promise<number> {
  const [from, end] = [performance.now(), performance.now() + roundSeconds * 1000];
  let done = 0;
  const mayContinue = () => performance.now() < end && ++done > 0;
  await Promise.all(ids.map((id) => work(id, mayContinue)));
  return done / ((performance.now() - from) / 1000);
}

/** Each client of pgbench also has its own order, so that no client waits for another's row. */
const ownOrderSql = (ids: readonly string[]): string => `('{${ids.join()}}'::uuid[])[:client_id + 1]`;
const bareUpdateSql = ({ clinic: { iid } }: OrderDataset, own: string): string =>
  `update orders set version = version + 1, updated_at = clock_timestamp() where institution_id = '${iid}' and id = ${own};`;

/**
 * The order, its counters (by the table's own trigger), timeline, a notice, the audit line and the notification of open
 * tabs.
 */
const allWritesSql = ({ clinic, lab }: OrderDataset, own: string): string => `begin;
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

async function runPgbench(
  pgbench: string,
  { host, port, user, database }: Connection,
  script: string,
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-bench-"));
  try {
    const file = path.join(folder, "transaction.sql");
    writeFileSync(file, `${script}\n`);
    const how = ["-n", "-c", String(workers), "-j", "2", "-M", "prepared", "-T", String(roundSeconds), "-f", file];
    const where = ["-h", host, "-p", String(port), "-U", user, database];
    const { stdout } = await run(pgbench, [...how, ...where], { env: peerEnvironment() });
    return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1] ?? Number.NaN);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
