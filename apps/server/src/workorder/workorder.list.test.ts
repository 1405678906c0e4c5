import { sql } from "kysely";
import { expect, it } from "vitest";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { createWorkOrder, setupAfterSales, type AfterSalesSetup } from "@arcada/testing/fixtures/work-orders";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { readSheetXml } from "@arcada/testing/tools/read-spreadsheet";
import { listOrders } from "./workorder.list.ts";

/** The n-th id of a group: orders are as old as their ids. */
const idOf = (group: string, n: number): string => `00000000-0000-7000-${group}-${String(n).padStart(12, "0")}`;

/** `many` orders like one of the chief's, each with the changes of an SQL expression; `n` counts them from 1. */
async function seedOrders(
  all: AfterSalesSetup,
  group: string,
  many: number,
  change: ReturnType<typeof sql>,
): Promise<void> {
  const { id } = await createWorkOrder(all);
  await all.testServer.running.database.asSystem(async (db) => {
    await sql`insert into work_order select (jsonb_populate_record(w, jsonb_build_object(
        'id', '00000000-0000-7000-' || ${group}::text || '-' || lpad(n::text, 12, '0'), 'number', ${group}::text || '-' || n) || ${change})).*
      from work_order w, generate_series(1, ${many}::int) n where w.id = ${id}`.execute(db);
    await sql`update work_order set state = 'closed', closed_at = now(), outcome = 'void' where id = ${id}`.execute(db);
  });
}

async function readPages(actor: AnyTestUser, query: Record<string, unknown>): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await actor.call("workorder.list", { ...query, pageSize: 4, ...(cursor && { cursor }) });
    found.push(...page.list.map(({ id }) => id));
    cursor = page.next;
  }
  return found;
}

it("the list contains a member's orders for every reason, newest first, each once, and no other orders", async () => {
  const all = await setupAfterSales();
  const { technician, colleague, chief } = all;
  const columns = sql`jsonb_build_object('state', case when n % 2 = 0 then 'in_progress' else 'new' end,
    'assignee_id', case when n % 6 = 0 then ${technician.uid}::text else ${chief.uid}::text end,
    'alternate_id', case when n % 6 = 1 then ${technician.uid}::text end,
    'created_by', case when n % 6 in (2, 3) then ${technician.uid}::text else ${chief.uid}::text end)`;
  await seedOrders(all, "8a01", 36, columns);
  await all.testServer.running.database.asSystem((db) =>
    sql`insert into work_order_event (id, work_order_id, user_id, action, inner_only)
      select gen_random_uuid(), w.id, ${technician.uid}, action, false from work_order w
      cross join unnest(array['note', 'submit', 'start']) action
      where w.number ~ '^8a01-' and substr(w.number, 6)::int % 6 in (3, 4) and (action <> 'submit' or substr(w.number, 6)::int % 6 = 4)`.execute(
      db,
    ),
  );
  const places = Array.from({ length: 36 }, (_, at) => 36 - at);
  const ids = (rests: number[]) => places.filter((n) => rests.includes(n % 6)).map((n) => idOf("8a01", n));
  const ownOf = async (query: Record<string, unknown>) =>
    (await readPages(technician, query)).filter((id) => id.startsWith("00000000"));
  expect(await ownOf({})).toEqual(ids([0, 1, 2, 3, 4]));
  expect(await ownOf({ reported: "true" })).toEqual(ids([2, 3, 4]));
  expect(await ownOf({ mine: "true" })).toEqual(ids([0]));
  expect(await ownOf({ state: "in_progress" })).toEqual(ids([0, 2, 4]));
  const { counts, total } = await technician.call("workorder.list", { reported: "true" });
  expect([counts.new, counts.in_progress, total]).toEqual([6, 12, 18]);
  expect(await readPages(colleague, {})).toEqual([]);
});

it("the list reads the read marks of open orders and of its page only, with any number of closed orders", async () => {
  const all = await setupAfterSales();
  const { chief } = all;
  const closed = sql`jsonb_build_object('state', 'closed', 'closed_at', now(), 'outcome', 'done')`;
  await seedOrders(all, "8b02", 3000, closed);
  const { database } = all.testServer.running;
  await database.asSystem(async (db) => {
    await sql`insert into work_order_read (work_order_id, user_id)
      select id, ${chief.uid} from work_order where number like '8b02-%'`.execute(db);
    await sql`set local role none`.execute(db);
    await sql`analyze work_order, work_order_read`.execute(db);
  });
  const read = await database.as({ system: false, iid: null, uid: chief.uid, service: true }, async (db) => {
    const principal = { uid: chief.uid, iid: null, role: "afterSalesAdmin" as const };
    const looked = async () =>
      (
        await sql<{ n: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n
          from pg_stat_xact_user_tables where relname = 'work_order_read'`.execute(db)
      ).rows[0].n;
    const before = await looked();
    const input = workorderCalls.list.input.parse({});
    const { list } = await listOrders({ db, principal, now: new Date() }, input);
    expect(list).toHaveLength(20);
    return (await looked()) - before;
  });
  expect(read).toBeLessThan(300);
});

it("the spreadsheet holds what the list shows to its reader under the filter", async () => {
  const all = await setupAfterSales();
  const [shown, other] = [await createWorkOrder(all), await createWorkOrder(all, { assigneeId: undefined })];
  const planned = { id: shown.id, version: shown.version, plannedAt: "2031-05-02T09:00:00Z" };
  await all.technician.call("workorder.plan", planned);
  const exported = async (who: AnyTestUser, filter: Record<string, unknown> = {}) => {
    const { url } = await who.call("workorder.export", filter);
    return readSheetXml(await fetch(`${all.testServer.address}${url}`));
  };
  const own = await exported(all.technician, { clinic: all.clinicId, timeZone: "Asia/Shanghai" });
  expect(own).toContain(`<t xml:space="preserve">${shown.number}</t>`);
  expect(own).not.toContain(other.number);
  // 17:00 on 2031-05-02 as the day number of spreadsheets.
  expect(own).toContain("<v>47970.70833333");
  const clinics = await exported(all.clinic);
  expect([clinics.includes(shown.number), clinics.includes(other.number)]).toEqual([true, true]);
  expect((await exported(all.colleague)).match(/<row>/g)).toHaveLength(1);
  expect(await exported(all.chief, { clinic: all.clinicId, state: "closed" })).not.toContain(shown.number);
});
