import { describe, expect, it } from "vitest";
import { dashboardRules, listBuckets, previousPeriod } from "@arcada/contract/dashboard/trend-buckets";
import { remakeReasons } from "@arcada/contract/dashboard/trends.schema";
import { addDays, localDayIn } from "@arcada/contract/kernel/time-zone";
import { unfinishedStates } from "@arcada/contract/order/order-today.calls";
import { generateOrders, seedOrders } from "@arcada/testing/fixtures/dashboard-orders";
import type { OrderFixture } from "@arcada/testing/fixtures/dashboard-orders";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";
import { present } from "@arcada/testing/require-present";

const zone = "America/Los_Angeles";
const dayOf = (ms: number): string => localDayIn(zone, ms);
const periodOf = (days: number) => {
  const to = dayOf(Date.now());
  return { from: addDays(to, 1 - days), to };
};

/** Counts the orders of some days as the statistics should. The column due_date is a day of UTC here. */
function countCompleted(orders: readonly OrderFixture[], { from, to }: { from: string; to: string }) {
  const done = orders.filter(
    ({ completed }) => completed !== null && dayOf(completed) >= from && dayOf(completed) <= to,
  );
  const dated = done.filter(({ due }) => due !== null);
  return {
    completed: done.length,
    dated: dated.length,
    late: dated.filter(
      ({ due, dispatched, completed }) => dayOf(dispatched ?? present(completed)) > localDayIn("UTC", present(due)),
    ).length,
  };
}

async function setupOrders(days: number) {
  const env = await setup({ clinic: { timeZone: zone }, lab: { timeZone: zone } });
  const all = generateOrders(300, [env.lab.iid], Date.now());
  await seedOrders(env, all);
  const period = periodOf(days);
  const load = async (who: TestUser) => ({ figures: await who.call("dashboard.trends", period), period });
  return { ...env, all, load };
}

describe("the trends of a dashboard", () => {
  it("equal a count of the single orders, week by week and month by month, now and in the period before", async () => {
    for (const days of [90, 200]) {
      const { clinic, all, load } = await setupOrders(days);
      const { figures, period } = await load(clinic);
      expect([figures.unit, figures.scope]).toEqual([
        days > dashboardRules.maxWeeklyDays ? "month" : "week",
        "institution",
      ]);
      for (const [part, range] of [
        [figures.now, period],
        [figures.before, previousPeriod(period)],
      ] as const) {
        expect(part.total).toMatchObject(countCompleted(all, range));
        expect(part.buckets.map(({ from, to }) => ({ from, to }))).toEqual(
          listBuckets(range, figures.unit).map(({ from, to }) => ({ from, to })),
        );
        for (const bucket of part.buckets) expect(bucket).toMatchObject(countCompleted(all, bucket));
        const remade = all.filter(
          ({ remade: isRemade, handedOver }) =>
            isRemade && handedOver !== null && dayOf(handedOver) >= range.from && dayOf(handedOver) <= range.to,
        );
        expect(part.total.remakes).toBe(remade.length);
        for (const reason of remakeReasons)
          expect(part.buckets.reduce((sum, { reasons }) => sum + (reasons[reason] ?? 0), 0)).toBe(
            remade.filter(({ remakeClass }) => (remakeClass ?? "unstated") === reason).length,
          );
      }
      expect(figures.now.total.late * figures.now.total.remakes).toBeGreaterThan(0);
    }
  });

  it("lead to exactly the orders that they count, for a clinic, a lab and a person of each", async () => {
    const { clinic, lab, dentist, designer, load } = await setupOrders(60);
    for (const who of [clinic, lab, dentist, designer]) {
      const { figures } = await load(who);
      const list = who === lab || who === designer ? ("received" as const) : ("sent" as const);
      const base = { list, ...(figures.scope === "own" && { personId: who.uid }) };
      const total = async (filter: object) => (await who.call("order.list", { ...base, ...filter })).total;
      for (const { from, to, ...bucket } of [
        ...figures.now.buckets,
        { ...figures.now, ...figures.now.total, reasons: {} },
      ]) {
        const completed = { completedFrom: from, completedTo: to };
        expect(await total(completed)).toBe(bucket.completed);
        expect(await total({ ...completed, delivered: "late" })).toBe(bucket.late);
        expect(await total({ ...completed, delivered: "onTime" })).toBe(bucket.dated - bucket.late);
        expect(await total({ sentFrom: from, sentTo: to, remake: "any" })).toBe(bucket.remakes);
        for (const [remake, count] of Object.entries(bucket.reasons))
          expect(await total({ sentFrom: from, sentTo: to, remake })).toBe(count);
      }
      const states = unfinishedStates.join(",");
      for (const person of figures.people.filter(({ id }) => id !== null)) {
        const own = { personId: person.id };
        expect(await total({ ...own, states })).toBe(person.open);
        expect(await total({ ...own, states, dueTo: addDays(figures.today, -1) })).toBe(person.overdue);
        expect(await total({ ...own, completedFrom: figures.now.from, completedTo: figures.now.to })).toBe(
          person.completed,
        );
      }
      expect(figures.people.length).toBeGreaterThan(0);
    }
  });

  it("show what is stored at the end of each week", async () => {
    const { clinic, load } = await setupOrders(30);
    const before = present((await load(clinic)).figures.now.buckets.at(-1)).stored;
    await clinic.server.running.database.asSystem((db) =>
      db
        .insertInto("stored_file")
        .values({ institution_id: clinic.iid, sha256: "a".repeat(64), bytes: 1000 })
        .execute(),
    );
    const { buckets } = (await load(clinic)).figures.now;
    expect(present(buckets.at(-1)).stored).toBe(present(before) + 1000);
    expect(present(buckets[0]).stored).toBe(before);
  });
});

describe("the workload over time", () => {
  it("counts at the end of each week and month the orders that the list finds as open on that day", async () => {
    for (const days of [60, 200]) {
      const { lab, all, load } = await setupOrders(days);
      const { period, figures } = await load(lab);
      const { buckets, people } = await lab.call("dashboard.workload", period);
      expect(buckets).toEqual(figures.now.buckets.map(({ from, to }) => ({ from, to })));
      for (const [place, { to }] of buckets.entries()) {
        const open = all.filter(
          ({ handedOver, state, dispatched, completed }) =>
            handedOver !== null &&
            dayOf(handedOver) <= to &&
            (unfinishedStates.some((one) => one === state) || dayOf(dispatched ?? completed ?? Date.now()) > to),
        );
        expect(people.reduce((sum, one) => sum + one.open[place], 0)).toBe(open.length);
        for (const { id, open: counts } of people.filter((one) => one.id !== null)) {
          const { total } = await lab.call("order.list", { list: "received", openOn: to, personId: present(id) });
          expect(total).toBe(counts[place]);
        }
      }
    }
  });

  it("is a technician's own, and none of a clinic", async () => {
    const { clinic, designer, load } = await setupOrders(60);
    const { period } = await load(designer);
    const { people } = await designer.call("dashboard.workload", period);
    expect(people.map(({ id }) => id)).toEqual([designer.uid]);
    expect(refusalOf(await clinic.ask("dashboard.workload", period))).toBe("notAllowed");
  });
});
