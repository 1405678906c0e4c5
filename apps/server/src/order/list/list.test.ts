import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import { crownOrderInput, sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";
import type { Db } from "../../platform/database/database.ts";
import { listOrders } from "./list-pages.ts";
import { compactCounters } from "./order-counters.ts";
import { writeSearchWords } from "./write-search-words.ts";
import { present } from "@arcada/testing/require-present";
import { readSheetXml } from "@arcada/testing/tools/read-spreadsheet";
import { refusalOf } from "@arcada/testing/refusal-of";

const numbers = async (who: TestUser, input: Record<string, unknown>): Promise<string[]> =>
  (await who.call("order.list", input)).list.map(({ number }) => number);

/** Sends orders of three patients to the lab in this order. */
async function threeSent(env: TestSetup) {
  const sent = [];
  for (const name of ["陈默", "Anna Berg", "王小明"])
    sent.push(await sendOrder(env, { patientId: await createPatient(env.clinic, { name }) }));
  return sent;
}

/** Returns the number of rows of `orders` that this connection has fetched. */
const ordersRead = async (db: Db): Promise<number> =>
  (
    await sql<{
      n: number;
    }>`select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname = 'orders'`.execute(
      db,
    )
  ).rows[0].n;

describe("the list of orders", () => {
  it("returns pages by cursor, sorted by every column both ways, complete and without duplicates", async () => {
    const env = await setup();
    const all = (await threeSent(env)).map(({ number }) => number);
    for (const who of [env.dentist, env.lab])
      for (const sort of ["number", "created", "updated", "due", "patient", "state"] as const) {
        const found: Record<string, string[]> = { up: [], down: [] };
        for (const way of ["up", "down"] as const)
          for (let cursor: string | undefined; ;) {
            const page = await who.call("order.list", { sort, way, pageSize: 2, ...(cursor && { cursor }) });
            expect(page.total).toBe(3);
            found[way].push(...page.list.map(({ number }) => number));
            if (!page.next) break;
            cursor = page.next;
          }
        expect(found["up"].toSorted(), sort).toEqual(all);
        expect(found["down"], sort).toEqual(found["up"].toReversed());
      }
    expect(await numbers(env.lab, { sort: "patient" })).toEqual([all[1], all[0], all[2]]);
  });

  it("shows the numbers of some orders to both sides, and a draft's number to its sender alone", async () => {
    const env = await setup();
    const [sent] = await threeSent(env);
    const draft = await env.dentist.call("order.save", crownOrderInput(await createPatient(env.clinic), env.lab.iid));
    const ids = [sent.id, draft.id].join(",");
    const told = async (who: TestUser) => (await who.call("order.names", { ids })).map(({ number }) => number);
    expect((await told(env.dentist)).toSorted()).toEqual([sent.number, draft.number].toSorted());
    expect(await told(env.lab)).toEqual([sent.number]);
    expect(await told((await setup()).lab)).toEqual([]);
  });

  it("tells a laboratory that refused an order no more of its work", async () => {
    const env = await setup();
    const order = await sendOrder(env);
    const readWork = async (who: TestUser) =>
      [await who.call("order.names", { ids: order.id }), (await who.call("order.list", {})).list].map(
        ([row]) => present(row).work.length,
      );
    expect(await readWork(env.lab)).toEqual([1, 1]);
    await takeStep(env.lab, order, "refuse", { reason: "fully booked" });
    expect(await readWork(env.lab)).toEqual([0, 0]);
    expect(await readWork(env.dentist)).toEqual([1, 1]);
  });

  describe("with an accepted order and a draft", () => {
    let env: TestSetup;
    let sent: Awaited<ReturnType<typeof threeSent>>;
    beforeAll(async () => {
      env = await setup();
      sent = await threeSent(env);
      await takeStep(env.designer, sent[0], "accept");
      await env.dentist.call("order.save", crownOrderInput(await createPatient(env.clinic), env.lab.iid));
    });

    it("is filtered by several states, and by the turn", async () => {
      expect(await numbers(env.lab, { states: "awaiting_design,completed" })).toEqual([sent[0].number]);
      expect(await numbers(env.dentist, { turn: "mine" })).toEqual([]);
    });

    it("is filtered by the other organisation and a state", async () => {
      const query = { otherIid: env.clinic.iid, state: "pending", sort: "number", way: "up" };
      expect(await numbers(env.lab, query)).toEqual([sent[1].number, sent[2].number]);
    });

    it("is filtered by a person for the person's own side alone", async () => {
      expect(await numbers(env.lab, { personId: env.designer.uid })).toEqual([sent[0].number]);
      expect(await numbers(env.dentist, { personId: env.designer.uid })).toEqual([]);
    });

    it("is filtered by the kind of case, and counts the orders of all pages", async () => {
      expect(await numbers(env.lab, { caseType: "implant" })).toEqual([]);
      expect((await env.lab.call("order.list", { caseType: "restoration", pageSize: 1 })).total).toBe(3);
    });

    it("is filtered by the days on which orders are due and were created", async () => {
      expect(await numbers(env.lab, { dueFrom: "2030-01-01", dueTo: "2030-01-01" })).toHaveLength(3);
      expect(await numbers(env.lab, { createdTo: "2020-01-01" })).toEqual([]);
    });

    it("offers the organisations and people that its orders have", async () => {
      expect(await env.lab.call("order.choices", {})).toMatchObject({
        organisations: [{ id: env.clinic.iid }],
        people: [{ id: env.designer.uid }],
      });
    });

    it("refuses an unknown state and a made-up cursor", async () => {
      for (const query of [{ states: "pending,gone" }, { sort: "due", cursor: "bm9uZQ" }])
        expect(refusalOf(await env.lab.ask("order.list", query)), JSON.stringify(query)).toBe("badInput");
    });
  });

  it("finds by number, by each name that its reader may know, and never by the characters of a hidden one", async () => {
    const env = await setup({ clinic: { hidePatientNames: true } });
    const { lab, dentist, clinic } = env;
    const patientId = await createPatient(clinic, { name: "王小明" });
    const { number } = await sendOrder(env, { patientId });
    for (const search of [number, number.slice(0, 6), number.slice(-4), "王"])
      expect(await numbers(lab, { search }), search).toEqual([number]);
    for (const search of ["王小明", "小明", "小", "wxm", "wangxiaoming"]) {
      expect(await numbers(lab, { search }), search).toEqual([]);
      expect(await numbers(dentist, { search }), search).toEqual([number]);
    }
    const record = await clinic.call("patient.detail", { id: patientId });
    await clinic.call("patient.update", { ...record, name: "李雷", id: patientId });
    expect([await numbers(dentist, { search: "lilei" }), await numbers(dentist, { search: "王" })]).toEqual([
      [number],
      [],
    ]);
    expect([await numbers(lab, { search: "王" }), await numbers(lab, { search: "李" })]).toEqual([[number], []]);
    const { name } = (await dentist.call("order.choices", {})).organisations[0];
    expect(await numbers(dentist, { search: name.slice(2) })).toEqual([number]);
  });

  it("finds more hits than it sorts, the newest first, page after page", async () => {
    const env = await setup();
    const { dentist, clinic } = env;
    const { id } = await sendOrder(env, { patientId: await createPatient(clinic, { name: "王小明" }) });
    await sendOrder(env, { patientId: await createPatient(clinic, { name: "Anna Berg" }) });
    const made = await env.server.running.database.asSystem((db) =>
      sql<{
        number: string;
      }>`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
          'number', 'N' || n, 'state', 'draft', 'turn', 'nobody', 'handed_over_at', null, 'updated_at', o.updated_at - make_interval(mins => n * 7919 % 1200)))).*
        from orders o, generate_series(1, 1100) n where o.id = ${id} returning number, updated_at, id`.execute(db),
    );
    const first = await dentist.call("order.list", { search: "王小", pageSize: 600 });
    const { list, next } = await dentist.call("order.list", {
      search: "王小",
      pageSize: 600,
      cursor: present(first.next, "next"),
    });
    expect([first.total, next]).toEqual([1000, null]);
    const all = [...first.list, ...list];
    expect(new Set(all.map(({ number }) => number)).size).toBe(made.rows.length + 1);
    expect(all.map(({ updatedAt }) => updatedAt)).toEqual(
      all
        .map((one) => one.updatedAt)
        .toSorted()
        .toReversed(),
    );
  });

  it("reads only the orders of its page, however many are in one state and later in another", async () => {
    const env = await setup();
    const { iid, uid } = env.clinic;
    const { id } = await sendOrder(env, { patientId: await createPatient(env.clinic, { name: "王小明" }) });
    const { database } = env.server.running;
    await database.asSystem(async (db) => {
      await sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'number', 'L' || n, 'handed_over_at', null,
          'state', case when n > 1000 then 'draft' else 'cancelled' end, 'turn', 'nobody', 'updated_at', o.updated_at - make_interval(mins => n)))).*
        from orders o, generate_series(1, 2000) n where o.id = ${id}`.execute(db);
      await sql`set local role none`.execute(db);
      await sql`analyze orders`.execute(db);
    });
    const reads = (query: Record<string, unknown>) =>
      database.as({ system: false, iid, uid }, async (db) => {
        const before = await ordersRead(db);
        const { list } = await listOrders(db, { iid: iid, timeZone: "UTC" }, orderCalls.list.input.parse(query));
        return ((await ordersRead(db)) - before) / list.length;
      });
    for (const query of [{}, { state: "draft" }, { state: "draft", way: "up" }, { state: "draft", pageSize: 7 }])
      expect(await reads(query), JSON.stringify(query)).toBeLessThan(3);
    const first = await env.dentist.call("order.list", { state: "draft" });
    const second = await env.dentist.call("order.list", { state: "draft", cursor: present(first.next, "next") });
    expect([...first.list, ...second.list].map(({ number }) => number)).toEqual(
      Array.from({ length: first.list.length * 2 }, (_, place) => `L${1001 + place}`),
    );
  });

  it("has search words for imported orders, and loses no counter when they are summed up", async () => {
    const env = await setup();
    const { database } = env.server.running;
    const [first] = await threeSent(env);
    await database.asSystem((db) =>
      sql`update order_entry set worded = false, haystack = order_haystack(number), grams = order_grams(number)
        where order_id = ${first.id} and institution_id = ${env.lab.iid}`.execute(db),
    );
    expect(await numbers(env.lab, { search: "陈默" })).toEqual([]);
    expect(await database.asSystem((db) => writeSearchWords(db))).toBe(1);
    expect(await numbers(env.lab, { search: "陈默" })).toEqual([first.number]);
    const before = await env.lab.call("order.counts", {});
    await database.asSystem((db) =>
      sql`insert into order_tally select ${env.lab.iid}, 'pending', true, n from unnest(array_fill(1, array[40]) || array_fill(-1, array[40])) n`.execute(
        db,
      ),
    );
    expect(await compactCounters(database)).toBeGreaterThan(80);
    expect(await env.lab.call("order.counts", {})).toEqual(before);
    const counted = await database.asSystem((db) =>
      sql<{
        n: number;
      }>`select count(*)::int as n from orders where receiver_id = ${env.lab.iid} and handed_over_at is not null`.execute(
        db,
      ),
    );
    expect(before.all).toBe(counted.rows[0].n);
  });

  it("ranks its states as the contract has them", async () => {
    const { server } = await setup();
    const ranked = await server.running.database.asSystem((db) =>
      sql<{
        state: string;
      }>`select state from unnest(${[...orderStates].toSorted()}::text[]) state order by order_rank(state) desc`.execute(
        db,
      ),
    );
    expect(ranked.rows.map(({ state }) => state)).toEqual([...orderStates]);
  });

  it("returns more orders of one task than it sorts by their due days, page after page and both ways", async () => {
    const env = await setup();
    const { id } = await sendOrder(env, { patientId: await createPatient(env.clinic), dueDate: "2090-01-01" });
    await env.server.running.database.asSystem((db) =>
      sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
          'number', 'T' || n, 'due_date', case when n % 11 > 0 then date '2090-01-01' + n * 7919 % 600 end,
          'state', case when n > 1100 then 'cancelled' else 'pending' end, 'turn', case when n > 1100 then 'nobody' else 'receiver' end))).*
        from orders o, generate_series(1, 1300) n where o.id = ${id}`.execute(db),
    );
    const found: Record<string, { number: string; due: string }[]> = { up: [], down: [] };
    for (const way of ["up", "down"] as const)
      for (let cursor: string | undefined; ;) {
        const input = { task: "accept" as const, sort: "due" as const, way, pageSize: 400, cursor };
        const { list, next, total } = await env.lab.call("order.list", input);
        expect(total).toBe(1000);
        found[way].push(...list.map(({ number, dueDate }) => ({ number, due: dueDate ?? "never" })));
        if (!next) break;
        cursor = next;
      }
    expect(new Set(found["up"].map(({ number }) => number)).size).toBe(1101);
    const days = found["up"].map(({ due }) => due);
    expect(days).toEqual(days.toSorted());
    expect(found["down"]).toEqual(found["up"].toReversed());
  });
});

describe("the spreadsheet of the list", () => {
  it("holds the rows that the list shows to this reader under this filter, and its creation is in the audit log", async () => {
    const env = await setup({ clinic: { hidePatientNames: true } });
    const { clinic, lab, server } = env;
    const patientId = await createPatient(clinic, { name: "王小明" });
    const order = await sendOrder(env, { patientId });
    await takeStep(env.designer, await sendOrder(env), "accept");
    const { url, rows, cut } = await lab.call("order.export", { state: "pending" });
    expect([rows, cut, url.includes("excel-list.xlsx")]).toEqual([1, false, true]);
    const sheet = await readSheetXml(await fetch(`${server.address}${url}`));
    expect(sheet).toContain(`<t xml:space="preserve">${order.number}</t>`);
    expect(sheet).toContain("王**");
    expect(sheet).not.toContain("小明");
    // 2030-01-01 in the days of spreadsheets.
    expect(sheet).toContain('<c s="2"><v>47484</v></c>');
    expect(sheet.match(/<row>/g)).toHaveLength(2);
    const trail = await lab.call("trail.list", { group: "order" });
    expect(trail.list.map(({ action }) => action)).toContain("order.export");
  });
});

describe("a person's views of the list", () => {
  it("belong to them alone, have one default, and disappear when they are deleted", async () => {
    const { lab, designer } = await setup();
    const mine = {
      name: "Open",
      filter: { turn: "mine" },
      columns: ["number" as const, "due" as const],
      standard: true,
    };
    await lab.call("order.saveLook", mine);
    await lab.call("order.saveLook", { ...mine, name: "Late", columns: null });
    const again = await lab.call("order.saveLook", { ...mine, filter: { state: "pending" }, standard: false });
    await lab.call("order.setColumns", { columns: ["number", "patient"] });
    expect(await lab.call("order.looks", {})).toMatchObject({
      looks: [
        { name: "Late", standard: true },
        { name: "Open", filter: { state: "pending" }, standard: false },
      ],
      columns: ["number", "patient"],
    });
    expect(await designer.call("order.looks", {})).toEqual({ looks: [], columns: null });
    expect((await designer.ask("order.dropLook", { id: again.id })).code).not.toBe(200);
    await lab.call("order.dropLook", { id: again.id });
    expect((await lab.call("order.looks", {})).looks).toHaveLength(1);
  });
});
