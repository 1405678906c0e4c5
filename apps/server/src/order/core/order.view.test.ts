import { sql, type RawBuilder } from "kysely";
import { expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { sendOrder, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { recordTransactions } from "@arcada/testing/tools/query-spy";
import { setup } from "@arcada/testing/setup/test-server";
import { viewOrder } from "./order.view.ts";
import { present } from "@arcada/testing/require-present";

it("an order is shown as of one moment, even if a step happens between its queries", async () => {
  const env = await setup();
  const { dentist, lab } = env;
  const { id } = await sendOrder(env);
  const waiting = await lab.call("order.detail", { id });
  let asked = 0;
  const stepAfterFirst = {
    transformQuery: <T>({ node }: { node: T }): T => node,
    transformResult: async <T>({ result }: { result: T }): Promise<T> => {
      if (asked++ === 0) await takeStep(lab, waiting, "accept", { promisedDate: "2030-01-01" });
      return result;
    },
  };
  const principal = { uid: dentist.uid, iid: dentist.iid, role: dentist.role };
  const seen = await env.server.running.database.as({ system: false, iid: principal.iid, uid: principal.uid }, (db) =>
    viewOrder({ db: db.withPlugin(stepAfterFirst), principal, now: new Date() }, id),
  );
  expect(seen.events.at(-1)).toMatchObject({ action: "accept", to: seen.state });
  expect(seen).toMatchObject({ state: "awaiting_design", version: waiting.version + 1, promisedDate: "2030-01-01" });
});

it("a step answers with everything that belongs to the order: its files, messages, read marks and revisions", async () => {
  const env = await setup();
  const { dentist, designer } = env;
  const scan = await dentist.upload("stump.stl", smallScanStl());
  let order = await sendOrder(env, { schemeRequired: true, uploads: [{ upload: scan, role: "upperScan" }] });
  const look = () => designer.call("order.detail", { id: order.id });
  order = await takeStep(designer, await look(), "accept");
  expect(lines(order)).toEqual(lines(await look()));
  expect(order).toMatchObject({ files: [{ role: "upperScan" }], messages: [], revisions: [] });
  await dentist.call("order.message", { id: order.id, text: "margin?" });
  order = await takeStep(designer, order, "submitScheme", { text: "screw at 11" });
  expect(lines(order)).toEqual(lines(await look()));
  expect(order).toMatchObject({
    messages: [{ text: "margin?" }],
    readings: [{ who: dentist.name }],
    revisions: [{ text: "screw at 11" }],
    unread: 1,
  });
});
// Addresses of images are signed at the moment of the response, and so differ.
const lines = ({ files, ...order }: Order) => ({ ...order, files: files.map(({ id, role }) => [id, role]) });

it("a step sends its statements in few trips: what it waits for is what fifty people at once feel", async () => {
  const env = await setup();
  let order = await sendOrder(env);
  // Warm up: queries that run only once run here.
  order = await takeStep(env.lab, order, "requestInfo", { text: "A2?" });
  order = await takeStep(env.dentist, order, "supplyInfo", { text: "A2" });
  const heard = await recordTransactions(async () => {
    order = await takeStep(env.lab, order, "requestInfo", { text: "A3?" });
  });
  const step = present(heard.find(({ statements }) => statements.some((one) => one.includes('update "orders"'))));
  expect(order.infoRequest).toBe("A3?");
  expect(step.statements.slice(-2)).toEqual(["commit", expect.stringContaining("pg_logical_emit_message")]);
  expect(step.statements.length, step.statements.join("\n")).toBeLessThanOrEqual(21);
  // One of them ends what waited at the other side.
  expect(step.roundTrips).toBeLessThanOrEqual(7);
});

it("a step plans its statements once for each connection, and not again for each step", async () => {
  const env = await setup();
  let order = await sendOrder(env);
  for (let times = 0; times < 12; times++) {
    order = await takeStep(env.lab, order, "requestInfo", { text: "A2?" });
    order = await takeStep(env.dentist, order, "supplyInfo", { text: "A2" });
  }
  // PostgreSQL always plans the first five executions, in each connection.
  const { database } = env.server.running;
  const askConnections = async <T>(columns: RawBuilder<T>): Promise<T[]> => {
    const held = sql<T>`select ${columns} from pg_prepared_statements, pg_sleep(0.2) where statement not like '%from session s%'`;
    return (await Promise.all(Array.from({ length: 10 }, () => database.queryAsSystem(held)))).flat();
  };
  const known = await askConnections(sql<{ statement: string; custom: number; generic: number }>`statement,
    custom_plans::int as custom, generic_plans::int as generic`);
  expect(known.filter(({ custom }) => custom > 5)).toEqual([]);
  expect(known.some(({ statement, generic }) => statement.includes('update "orders"') && generic > 0)).toBe(true);
});

it("the timeline of one order is read by its key, however many orders and entries the receiver has", async () => {
  const env = await setup();
  const { id } = await sendOrder(env);
  const { dentist, lab } = env;
  const { database } = env.server.running;
  for (let other = 0; other < 3; other++) await sendOrder(env);
  await database.asSystem(async (db) => {
    await sql`insert into order_event (institution_id, order_id, id, action, from_state, to_state, side, inner_only)
      select institution_id, id, gen_random_uuid(), 'requestInfo', state, state, 'receiver', false
      from orders, generate_series(1, 500) where receiver_id = ${lab.iid} and id <> ${id}`.execute(db);
  });
  const counted = sql<Record<"scans" | "entries", number>>`select seq_scan::int as scans,
    (seq_tup_read + idx_tup_fetch)::int as entries from pg_stat_xact_user_tables where relname = 'order_event'`;
  const read = await database.as({ system: false, iid: lab.iid, uid: lab.uid }, async (db) => {
    const count = async () => present((await counted.execute(db)).rows[0]);
    const before = await count();
    const { rows } = await sql<{ entries: unknown[] }>`select
      arcada_order_timeline(${dentist.iid}, ${id}) as entries`.execute(db);
    const after = await count();
    return [present(rows[0]).entries.length, after.scans - before.scans, after.entries - before.entries];
  });
  expect(read).toEqual([1, 0, expect.toSatisfy((entries: number) => entries < 10)]);
});
