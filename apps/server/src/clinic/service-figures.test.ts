import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insertDevice, insertWorkOrder } from "@arcada/testing/fixtures/after-sales-fixtures";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const types = ["installation", "move_machine", "repair"] as const;
const wireOf = (type: (typeof types)[number]) => (type === "move_machine" ? "moveMachine" : type);
const openStates = ["new", "in_progress", "transfer_review", "acceptance_review"] as const;
const hour = 3_600_000;
const now = Date.now();
const iso = (hoursAgo: number) => new Date(now - hoursAgo * hour).toISOString();

const work = fc.record({
  type: fc.constantFrom(...types),
  end: fc.constantFrom("open", "open", "finished", "closed", "void"),
  state: fc.constantFrom(...openStates),
  /** Never at the edge of a band, which moves while the test runs. */
  age: fc.integer({ min: 0, max: 14_000 }).map((hours) => hours + 0.5),
  took: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
  person: fc.nat(2),
  clinic: fc.nat(3),
  reworks: fc.constantFrom(0, 0, 0, 1, 2),
});

/** As PostgreSQL's percentile_cont: between the two nearest ranks. */
function percentile(values: number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)];
  return low + (sorted[Math.ceil(place)] - low) * (place % 1);
}

describe("the figures of after-sales", () => {
  it("are what counting every work order one by one comes to", async () => {
    const env = await getTestServer();
    const manager = await env.createUser("afterSalesAdmin");
    const people = [manager, await env.createUser("afterSalesMember"), await env.createUser("afterSalesMember")];
    const clinics: string[] = [];
    for (const [name, position] of [
      ["A", { longitude: 1, latitude: 2 }],
      ["B", { longitude: 3, latitude: 4 }],
      ["C", {}],
      ["D", {}],
    ] as const)
      clinics.push((await manager.call("clinic.create", { name, country: "CN", province: "310000", ...position })).id);
    const all = fc.sample(work, { numRuns: 80, seed: 20_261_122 }).map((one) => ({
      ...one,
      finishedAge: one.age * one.took,
      isOpen: one.end === "open",
      // Twelve months by the calendar are 334 days at least.
      isFinished: one.end === "finished" || one.end === "closed",
    }));
    for (const one of all)
      await insertWorkOrder(env, {
        clinic: clinics[one.clinic],
        by: manager.uid,
        assignee: people[one.person].uid,
        type: one.type,
        state: one.isOpen ? one.state : one.end === "finished" ? "finished" : "closed",
        createdAt: iso(one.age),
        finishedAt: one.isFinished ? iso(one.finishedAge) : null,
        outcome: one.end === "closed" ? "done" : one.end === "void" ? "void" : null,
        reworks: one.reworks,
      });
    for (const version of ["1.0", "1.0", null]) await insertDevice(env, { clinic: clinics[0], version });

    const begin = new Date(now);
    const first = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() - 11, 1);
    const done = all.filter((one) => one.isFinished && now - one.finishedAge * hour >= first);
    const timesOf = (some: typeof done) => {
      const hours = some.map((one) => one.age - one.finishedAge);
      return { count: some.length, median: close(percentile(hours, 0.5)), p90: close(percentile(hours, 0.9)) };
    };
    const answer = await manager.call("clinic.figures", {});
    const { finished } = answer;
    expect(finished.all).toEqual(timesOf(done));
    for (const type of types)
      expect(finished.byType.find((one) => one.type === wireOf(type))).toEqual({
        type: wireOf(type),
        ...timesOf(done.filter((one) => one.type === type)),
      });
    const monthOf = (one: (typeof all)[number]) => iso(one.finishedAge).slice(0, 7);
    for (const month of finished.byMonth)
      expect(month).toEqual({ month: month.month, ...timesOf(done.filter((one) => monthOf(one) === month.month)) });
    expect(sum(finished.byMonth)).toBe(done.length);
    expect(sum(finished.byTypeAndMonth)).toBe(done.length);
    expect(finished.reworked).toBe(done.filter(({ reworks }) => reworks > 0).length);
    expect(finished.reworks).toBe(done.reduce((total, { reworks }) => total + reworks, 0));

    const bandOf = (age: number) => (age < 24 ? "day" : age < 168 ? "week" : age < 720 ? "month" : "older");
    const open = all.filter(({ isOpen }) => isOpen);
    expect(sum(answer.open)).toBe(open.length);
    for (const row of answer.open)
      expect(row.count).toBe(open.filter((one) => one.state === row.state && bandOf(one.age) === row.age).length);
    for (const [at, person] of people.entries())
      expect(answer.people.find(({ id }) => id === person.uid)).toMatchObject({
        open: open.filter((one) => one.person === at).length,
        finished: done.filter((one) => one.person === at).length,
      });
    expect(answer.devices).toEqual([
      { product: "Scanner", softwareVersion: "1.0", unbound: 2, bound: 0, locked: 0 },
      { product: "Scanner", softwareVersion: null, unbound: 1, bound: 0, locked: 0 },
    ]);

    const map = await manager.call("clinic.map", {});
    const openAt = (...places: number[]) => open.filter((one) => places.includes(one.clinic));
    for (const place of [0, 1])
      expect(map.clinics.find(({ id }) => id === clinics[place])).toMatchObject({
        openWork: openAt(place).length,
        devices: place === 0 ? 3 : 0,
        oldest: iso(Math.max(...openAt(place).map(({ age }) => age))),
      });
    expect(map.elsewhere).toMatchObject([{ provinceName: "Shanghai", clinics: 2, openWork: openAt(2, 3).length }]);
  });

  it("are for administrators and the operator", async () => {
    const env = await getTestServer();
    const institution = await env.createInstitution("clinic");
    for (const person of [await env.createUser("afterSalesMember"), await env.createUser("clinicAdmin", institution)])
      for (const name of ["clinic.map", "clinic.figures"] as const)
        expect(refusalOf(await person.ask(name, {}))).toBe("notAllowed");
    expect((await (await env.createUser("operator")).ask("clinic.figures", {})).code).toBe(200);
  });
});

// Instants are kept to the millisecond here and to the microsecond there.
const close = (value: number | null) => (value === null ? null : (expect.closeTo(value, 4) as unknown as number));
const sum = (rows: { count: number }[]) => rows.reduce((total, { count }) => total + count, 0);
