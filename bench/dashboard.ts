import path from "node:path";
import pg from "pg";
import { dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import { orderTodayCalls } from "@arcada/contract/order/order-today.calls";
import { successCode } from "@arcada/contract/kernel/refusals";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { interleave, roundSeconds } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";
import { createOrderDataset } from "./data/order-dataset.ts";

const orders = Number(process.env.ARCADA_BENCH_ORDERS ?? 100_000);
const goal = { most: 300 };

/** Measures the dashboards of a lab with this many orders and of its clinic, and what each has to do today. */
export async function measureDashboard(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" });
  try {
    await product.start();
    // Stop the product: its jobs would scan for orders while they are created and no index exists.
    await product.stop();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    try {
      say(`A lab of ${orders.toLocaleString("en")} orders is made …`);
      const { clinic, lab } = await createOrderDataset(postgres.connection, orders);
      await completeOrders(postgres.connection, lab.iid);
      await product.start();
      const ask =
        ({ path: at }: { path: string }, query: Record<string, string> = {}, { token } = lab) =>
        () =>
          requestDashboard(product.address, token, at, query);
      const since = (days: number) => ({ from: day(-days), to: day(0) });
      const { open, period, trends } = dashboardCalls;
      const { today } = orderTodayCalls;
      const seen = await interleave({
        "open ones": () => measureP95(ask(open)),
        "stages, thirty days": () => measureP95(ask(period, since(29))),
        "stages, a year": () => measureP95(ask(period, since(364))),
        "trends, thirty days": () => measureP95(ask(trends, since(29))),
        "trends, a year": () => measureP95(ask(trends, since(364))),
        "trends, a year, of the clinic": () => measureP95(ask(trends, since(364), clinic)),
        "the day of the laboratory": () => measureP95(ask(today)),
        "the board of the laboratory": () => measureP95(ask(today, { view: "board" })),
        "the day of the clinic": () => measureP95(ask(today, {}, clinic)),
      });
      return Object.entries(seen).map(([what, ours]) => ({
        what: `figures of a lab with ${orders.toLocaleString("en")} orders: ${what}, p95`,
        ours,
        unit: "ms",
        goal,
      }));
    } finally {
      await postgres.stop();
    }
  } finally {
    await product.remove();
  }
}

const day = (later: number): string => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10);

/** Each that was completed was accepted, dispatched and received; some were delivered again, some were made again. */
async function completeOrders(connection: pg.PoolConfig, lab: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("set role arcada_system");
    await client.query(
      `with each as (select institution_id, id, created_at, row_number() over (order by id) as n from orders where receiver_id = $1 and state = 'completed')
       update orders o set accepted_at = e.created_at + (1 + e.n * 7919 % 100) * interval '1 hour',
         dispatched_at = e.created_at + (101 + e.n * 104729 % 200) * interval '1 hour',
         completed_at = e.created_at + (301 + e.n * 1299709 % 90) * interval '1 hour',
         redelivery_count = case when e.n % 15 = 0 then 1 else 0 end,
         remake_of = case when e.n % 20 = 0 then o.id end, remake_class = case when e.n % 20 = 0 then 'lab' end,
         remake_bears = case when e.n % 20 = 0 then 'open' end
       from each e where o.institution_id = e.institution_id and o.id = e.id`,
      [lab],
    );
    await client.query(
      `insert into order_event (institution_id, order_id, id, at, action, from_state, to_state, side, text, inner_only)
       select institution_id, id, gen_random_uuid(), dispatched_at, 'redeliver', 'awaiting_receipt', 'awaiting_dispatch', 'sender', 'The margin is open', false
       from orders where receiver_id = $1 and redelivery_count > 0`,
      [lab],
    );
    await client.query("reset role");
    await client.query("vacuum analyze orders, order_event");
  } finally {
    await client.end();
  }
}

async function requestDashboard(
  address: string,
  token: string,
  at: string,
  query: Record<string, string>,
): Promise<void> {
  const response = await fetch(`${address}${at}?${new URLSearchParams(query).toString()}`, { headers: { token } });
  const { code, msg } = (await response.json()) as Envelope<unknown>;
  if (code !== successCode) throw new Error(`${at}: ${code} ${msg}`);
}

/** Returns the 95th percentile of the response times (ms) of one round. */
async function measureP95(request: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  const end = performance.now() + roundSeconds * 1000;
  while (times.length < 20 || performance.now() < end) {
    const from = performance.now();
    await request();
    times.push(performance.now() - from);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)];
}
