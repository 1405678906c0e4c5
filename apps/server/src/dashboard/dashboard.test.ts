import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { waitingAgeBands, openOrderStates } from "@arcada/contract/dashboard/dashboard.calls";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const hour = 3_600_000;
const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

interface OrderFixture {
  id: string;
  state: OrderState;
  turn: "sender" | "receiver" | "nobody";
  receiver: string;
  created: number;
  handedOver: number | null;
  accepted: number | null;
  dispatched: number | null;
  completed: number | null;
  remade: boolean;
  redelivered: number[];
}

/** A year of orders with pseudo-random durations: the same every time. */
function generateOrders(count: number, labs: readonly string[], now: number): OrderFixture[] {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const later = (from: number | null, hours: number) =>
    from === null ? null : from + Math.floor(random() * hours * hour);
  return Array.from({ length: count }, () => {
    const state = orderStates[Math.floor(random() * orderStates.length)];
    const created = now - Math.floor(random() * 300 * 24 * hour);
    const isOut = state !== "draft" && state !== "awaiting_sending";
    const isDone = state === "completed";
    const handedOver = isOut ? later(created, 2) : null;
    const accepted = isDone || state === "awaiting_receipt" ? later(handedOver, 60) : null;
    const dispatched = (isDone && random() > 0.2) || state === "awaiting_receipt" ? later(accepted, 200) : null;
    const completed = isDone ? later(dispatched ?? accepted, 90) : null;
    return {
      id: newId(),
      state,
      turn: isDone ? "nobody" : random() > 0.5 ? "sender" : "receiver",
      receiver: labs[Math.floor(random() * labs.length)],
      created,
      handedOver,
      accepted,
      dispatched,
      completed,
      remade: isOut && random() > 0.85,
      redelivered:
        handedOver !== null && random() > 0.85
          ? [present(later(handedOver, 400)), present(later(handedOver, 400))]
          : [],
    };
  });
}

async function seedOrders({ server: env, clinic, dentist }: TestSetup, made: readonly OrderFixture[]): Promise<void> {
  const patient = await createPatient(clinic);
  const rows = made.map((one) => ({
    ...one,
    remakeOf: one.remade ? newId() : null,
    created: instant(one.created),
    handedOver: instant(one.handedOver),
    accepted: instant(one.accepted),
    dispatched: instant(one.dispatched),
    completed: instant(one.completed),
    redeliveries: one.redelivered.length,
  }));
  const again = made.flatMap(({ id, redelivered }) =>
    redelivered.map((at) => ({ id, event: newId(), at: instant(at) })),
  );
  await env.running.database.asSystem(async (db) => {
    await sql`insert into orders (institution_id, id, number, receiver_id, creator_id, state, turn, turn_after, step, case_type, rx,
        patient_id, created_at, updated_at, handed_over_at, accepted_at, dispatched_at, completed_at, remake_of, remake_class,
        remake_bears, redelivery_count)
      select ${clinic.iid}, id, 'test-' || id, receiver, ${dentist.uid}, state, turn, 'nobody', 'preparing', 'other', ${rx}, ${patient},
        created, now(), "handedOver", accepted, dispatched, completed, "remakeOf", case when "remakeOf" is not null then 'lab' end,
        case when "remakeOf" is not null then 'open' end, redeliveries
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as made (id uuid, receiver uuid, state text, turn text, created timestamptz,
        "handedOver" timestamptz, accepted timestamptz, dispatched timestamptz, completed timestamptz, "remakeOf" uuid, redeliveries int)`.execute(
      db,
    );
    await sql`insert into order_event (institution_id, order_id, id, at, action, from_state, to_state, side, text, inner_only)
      select ${clinic.iid}, id, event, at, 'redeliver', 'awaiting_receipt', 'awaiting_dispatch', 'sender', 'The margin is open', false
      from jsonb_to_recordset(${JSON.stringify(again)}::jsonb) as again (id uuid, event uuid, at timestamptz)`.execute(
      db,
    );
  });
}

const rx = JSON.stringify({
  items: [],
  workKinds: ["design"],
  jaws: [],
  implantSystem: null,
  fixType: null,
  instructions: null,
  schemeRequired: false,
  maskName: false,
  noDigitalFiles: true,
  studies: [],
});

/** Same as percentile_cont: interpolates between the two values around the position. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place - Math.floor(place));
}
const closeToValue = (value: number | null): unknown => (value === null ? null : expect.closeTo(value, 2));
function expectedDurations(orders: readonly OrderFixture[], from: keyof OrderFixture, to: keyof OrderFixture) {
  const seconds = orders
    .filter((one) => one[from] !== null && one[to] !== null)
    .map((one) => ((one[to] as number) - (one[from] as number)) / 1000);
  return {
    count: seconds.length,
    median: closeToValue(percentile(seconds, 0.5)),
    late: closeToValue(percentile(seconds, 0.9)),
  };
}

describe("the figures of a manager's dashboard", () => {
  it("equal a count of the single orders, for a clinic and for a lab, in any time zone", async () => {
    const now = Date.now();
    for (const zone of ["Asia/Shanghai", "America/Los_Angeles"]) {
      const env = await setup({ clinic: { timeZone: zone }, lab: { timeZone: zone } });
      const other = await env.server.createInstitution("lab");
      const all = generateOrders(400, [env.lab.iid, other.id], now);
      await seedOrders(env, all);
      const dayOf = (ms: number): string => localDayIn(zone, ms);
      for (const [who, seen] of [
        [env.clinic, all],
        [env.lab, all.filter(({ receiver, handedOver }) => receiver === env.lab.iid && handedOver !== null)],
      ] as [TestUser, OrderFixture[]][]) {
        const side = who === env.clinic ? "sender" : "receiver";
        const open = await who.call("dashboard.open", {});
        expect(open.today).toBe(dayOf(Date.now()));
        const days = (one: OrderFixture) => (Date.parse(open.today) - Date.parse(dayOf(one.created))) / 86_400_000;
        for (const state of openOrderStates) {
          const own = seen.filter((one) => one.state === state);
          expect(open.rows.find((row) => row.state === state)).toEqual({
            state,
            ages: waitingAgeBands.map(
              ({ min: least, max: most }) =>
                own.filter((one) => days(one) >= least && days(one) <= (most ?? 999)).length,
            ),
            mine: own.filter(({ turn }) => turn === side).length,
            all: own.length,
          });
        }
        const period = { from: dayOf(now - 200 * 24 * hour), to: dayOf(now - 10 * 24 * hour) };
        const isIn = (ms: number | null) => ms !== null && dayOf(ms) >= period.from && dayOf(ms) <= period.to;
        const figures = await who.call("dashboard.period", period);
        const done = seen.filter(({ state, completed }) => state === "completed" && isIn(completed));
        expect(done.length).toBeGreaterThan(5);
        expect(figures.spans).toEqual({
          accept: expectedDurations(done, "handedOver", "accepted"),
          make: expectedDurations(done, "accepted", "dispatched"),
          receive: expectedDurations(done, "dispatched", "completed"),
          whole: expectedDurations(done, "handedOver", "completed"),
        });
        const months = [...Map.groupBy(done, ({ completed }) => dayOf(present(completed)).slice(0, 7))].toSorted(
          ([a], [b]) => a.localeCompare(b),
        );
        expect(figures.months).toEqual(
          months.map(([month, some]) => ({ month, ...expectedDurations(some, "handedOver", "completed") })),
        );
        const redelivered = seen.flatMap((one) => one.redelivered).filter(isIn);
        const remade = seen.filter((one) => one.remade && isIn(one.handedOver));
        expect([figures.redeliveries, figures.remakes]).toEqual([redelivered.length, remade.length]);
        expect(figures.causes).toEqual(
          remade.length > 0 ? [{ cause: "lab", bears: "open", count: remade.length }] : [],
        );
        for (const partner of figures.partners) {
          const theirs = (one: OrderFixture) => side === "receiver" || one.receiver === partner.id;
          expect(partner).toEqual({
            id: partner.id,
            name: partner.name,
            ...expectedDurations(done.filter(theirs), "handedOver", "completed"),
            redeliveries: seen
              .filter(theirs)
              .flatMap((one) => one.redelivered)
              .filter(isIn).length,
            remakes: remade.filter(theirs).length,
          });
        }
        expect(figures.partners.reduce((sum, { count }) => sum + count, 0)).toBe(done.length);
      }
    }
  });

  it("link to exactly the orders that they count", async () => {
    const env = await setup();
    await seedOrders(env, generateOrders(120, [env.lab.iid], Date.now()));
    const { today, rows } = await env.lab.call("dashboard.open", {});
    const before = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
    for (const { state, ages: counts, mine } of rows) {
      for (const [place, { min: least, max: most }] of waitingAgeBands.entries()) {
        const found = await env.lab.call("order.list", {
          state,
          createdTo: before(least),
          ...(most !== null && { createdFrom: before(most) }),
        });
        expect(found.total, `${state} ${place}`).toBe(counts[place]);
      }
      expect((await env.lab.call("order.list", { state, turn: "mine" })).total).toBe(mine);
    }
  });

  it("are visible only to managers, are exported as a spreadsheet, and cover one year at most", async () => {
    const { clinic, dentist, designer, server: env } = await setup();
    const period = { from: "2026-01-01", to: "2026-12-31" };
    for (const person of [dentist, designer, await env.createUser("operator"), await env.createUser("afterSalesAdmin")])
      for (const name of ["dashboard.open", "dashboard.period", "dashboard.export"] as const)
        expect(refusalOf(await person.ask(name, period))).toBe("notAllowed");
    const { url } = await clinic.call("dashboard.export", period);
    const answer = await fetch(`${env.address}${url}`);
    expect(answer.headers.get("content-disposition")).toContain("arcada-figures-2026-01-01-2026-12-31.xlsx");
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    expect(refusalOf(await clinic.ask("dashboard.period", { ...period, to: "2027-02-01" }))).toBe("badInput");
  });
});
