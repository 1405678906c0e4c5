import { describe, expect, it } from "vitest";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { createStartedWorkOrder, setupAfterSales, viewWorkOrder } from "@arcada/testing/fixtures/work-orders";
import { refusalOf } from "@arcada/testing/refusal-of";

describe("the appointment of a work order", () => {
  it("is planned by its assignee, seen by the clinic, and listed with those that were missed", async () => {
    const all = await setupAfterSales();
    const make = async (plannedAt: string) => {
      const order = await createStartedWorkOrder(all);
      const planned = await all.technician.call("workorder.plan", { id: order.id, version: order.version, plannedAt });
      expect(Date.parse(planned.plannedAt ?? "")).toBe(Date.parse(plannedAt));
      return planned;
    };
    const tomorrow = await make("2031-05-02T09:00:00Z");
    const today = await make("2031-05-01T14:00:00+08:00");
    const missed = await make("2031-04-28T08:30:00Z");
    const listFor = async (who: AnyTestUser) =>
      (await who.call("workorder.planned", { before: "2031-05-01T16:00:00Z" })).list.map(({ id }) => id);
    expect(await listFor(all.technician)).toEqual([missed.id, today.id]);
    expect(await listFor(all.colleague)).toEqual([]);
    const managers = await listFor(all.chief);
    expect(managers).toEqual(expect.arrayContaining([missed.id, today.id]));
    expect(managers).not.toContain(tomorrow.id);
    expect((await viewWorkOrder(all.clinic, today)).plannedAt).toBe(today.plannedAt);
    const free = await all.chief.call("workorder.plan", { id: missed.id, version: missed.version, plannedAt: null });
    expect(free.plannedAt).toBeNull();
    expect(await listFor(all.technician)).toEqual([today.id]);
  });

  it("is refused to people without a part in it and from an old version", async () => {
    const all = await setupAfterSales();
    const order = await createStartedWorkOrder(all);
    const plan = (who: AnyTestUser, version: number) =>
      who.ask("workorder.plan", { id: order.id, version, plannedAt: "2031-05-01T09:00:00Z" });
    expect(refusalOf(await plan(all.colleague, order.version))).toBe("notFound");
    expect(refusalOf(await plan(all.technician, order.version - 1))).toBe("workorderChanged");
    expect(refusalOf(await plan(all.clinic, order.version))).toBe("notAllowed");
  });
});
