import { describe, expect, it } from "vitest";
import { waitingAgeBands, openOrderStates } from "@arcada/contract/dashboard/dashboard.calls";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { generateOrders, hour, seedOrders } from "@arcada/testing/fixtures/dashboard-orders";
import type { OrderFixture } from "@arcada/testing/fixtures/dashboard-orders";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

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
        const redelivered = seen.flatMap((one) => one.redelivered).filter(isIn);
        const remade = seen.filter((one) => one.remade && isIn(one.handedOver));
        expect([figures.redeliveries, figures.remakes]).toEqual([redelivered.length, remade.length]);
        const byClass = Map.groupBy(remade, ({ remakeClass }) => remakeClass);
        expect(new Map(figures.causes.map(({ cause, count }) => [cause, count]))).toEqual(
          new Map([...byClass].map(([cause, some]) => [cause, some.length])),
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

  it("are those of the organisation for managers, of their own orders for others, and hidden from assistants", async () => {
    const env = await setup();
    await seedOrders(env, generateOrders(60, [env.lab.iid], Date.now()));
    const clinic = { id: env.clinic.iid };
    const colleague = await env.server.createUser("clinicMember", clinic);
    const period = { from: localDayIn("UTC", Date.now() - 200 * 24 * hour), to: localDayIn("UTC", Date.now()) };
    const figures = async (who: TestUser) => ({
      open: (await who.call("dashboard.open", {})).rows.reduce((sum, row) => sum + row.all, 0),
      done: (await who.call("dashboard.period", period)).spans.whole.count,
      stored: (await who.call("dashboard.trends", period)).now.buckets[0].stored,
    });
    const all = await figures(env.clinic);
    expect(all.open * all.done).toBeGreaterThan(0);
    expect(await figures(env.dentist)).toEqual({ ...all, stored: null });
    expect(await figures(colleague)).toEqual({ open: 0, done: 0, stored: null });
    for (const person of [
      await env.server.createUser("clinicAssistant", clinic),
      await env.server.createUser("operator"),
      await env.server.createUser("afterSalesAdmin"),
    ])
      for (const name of ["dashboard.open", "dashboard.period", "dashboard.trends", "dashboard.export"] as const)
        expect(refusalOf(await person.ask(name, period))).toBe("notAllowed");
  });

  it("are exported as a spreadsheet, and cover one year at most", async () => {
    const { clinic, server: env } = await setup();
    const period = { from: "2026-01-01", to: "2026-12-31" };
    const { url } = await clinic.call("dashboard.export", period);
    const answer = await fetch(`${env.address}${url}`);
    expect(answer.headers.get("content-disposition")).toContain("arcada-figures-2026-01-01-2026-12-31.xlsx");
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    expect(refusalOf(await clinic.ask("dashboard.period", { ...period, to: "2027-02-01" }))).toBe("badInput");
  });
});
