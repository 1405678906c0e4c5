import { describe, expect, it, vi } from "vitest";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { createStartedWorkOrder, setupAfterSales, viewWorkOrder } from "@arcada/testing/fixtures/work-orders";
import { refusalOf } from "@arcada/testing/refusal-of";
import type { AfterSalesSetup } from "@arcada/testing/fixtures/work-orders";
import { mail } from "../platform/runtime/services.ts";
import { isToRecall, recallAppointments } from "./appointment.ts";

const planAt = (who: AnyTestUser, { id, version }: { id: string; version: number }, plannedAt: string | null) =>
  who.call("workorder.plan", { id, version, plannedAt });
const appointmentsFor = async (who: AnyTestUser) =>
  (await who.call("notice.list", { categoryID: 0 })).list
    .filter(({ kind }) => kind.startsWith("appointment"))
    .map(({ kind, seen, content }) => ({ kind, seen, content }));
const setClinic = ({ testServer, clinic, clinicId }: AfterSalesSetup, time_zone: string, address: string) =>
  testServer.running.database.asSystem(async (db) => {
    await db.updateTable("institution").set({ time_zone }).where("id", "=", clinic.iid).execute();
    await db.updateTable("clinic").set({ address }).where("id", "=", clinicId).execute();
  });

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

describe("the notice of an appointment", () => {
  it("tells the clinic time and place by its clock, and the assignee if somebody else planned it", async () => {
    const all = await setupAfterSales();
    await setClinic(all, "Asia/Tokyo", "5 Harbour Road");
    const order = await createStartedWorkOrder(all);
    const planned = await planAt(all.technician, order, "2031-05-02T09:00:00Z");
    const clinic = await all.clinic.call("notice.list", { categoryID: 0 });
    expect(clinic.list[0]).toMatchObject({
      kind: "appointmentPlanned",
      content: `Service appointment on Fri, May 2, 2031, 18:00 (UTC+9): 5 Harbour Road (work order ${order.number})`,
      link: `/workOrder/page?id=${order.id}`,
    });
    expect(await appointmentsFor(all.technician)).toEqual([]);
    const moved = await planAt(all.chief, planned, "2031-05-03T09:30:00Z");
    const [news] = await appointmentsFor(all.technician);
    // Somebody who works in no organisation reads the time by the clinic's clock.
    expect(news.content).toContain("moved to Sat, May 3, 2031, 18:30 (UTC+9)");
    expect(news.content).toMatch(/: .+, 5 Harbour Road \(/);
    await planAt(all.chief, moved, null);
    const kinds = (await appointmentsFor(all.clinic)).map(({ kind }) => kind);
    expect(kinds).toEqual(["appointmentCancelled", "appointmentMoved", "appointmentPlanned"]);
  });

  it("reaches others at the clinic as they ask for it by their preset", async () => {
    const all = await setupAfterSales();
    const [usual, keen] = await Promise.all(
      [1, 2].map(() => all.testServer.createUser("clinicAssistant", { id: all.clinic.iid })),
    );
    await keen.call("notice.preset", { preset: "everything" });
    const order = await createStartedWorkOrder(all);
    await planAt(all.technician, order, "2031-05-02T09:00:00Z");
    const seen = async (who: AnyTestUser) => (await appointmentsFor(who)).map((one) => one.seen);
    expect([await seen(all.clinic), await seen(usual), await seen(keen)]).toEqual([[false], [true], [false]]);
    const mailedTo = async (who: AnyTestUser) =>
      (await mail().outbox()).filter(({ to, subject }) => to.startsWith(who.uid) && subject.includes(order.number));
    await vi.waitFor(async () => expect(await mailedTo(keen)).toHaveLength(1), { timeout: 10_000 });
    expect(await mailedTo(usual)).toEqual([]);
  });

  it("recalls it once from the morning before on, and again after a move", async () => {
    const all = await setupAfterSales();
    const { database } = all.testServer.running;
    await setClinic(all, "Asia/Shanghai", "5 Harbour Road");
    const order = await planAt(all.technician, await createStartedWorkOrder(all), "2131-05-02T09:00:00+08:00");
    const recalled = async () =>
      (await appointmentsFor(all.clinic)).filter(({ kind }) => kind === "appointmentReminder").length;
    await recallAppointments(database, new Date("2131-05-01T06:59:00+08:00"));
    expect(await recalled()).toBe(0);
    const dayBefore = new Date("2131-05-01T07:00:00+08:00");
    await Promise.all([recallAppointments(database, dayBefore), recallAppointments(database, dayBefore)]);
    expect(await recalled()).toBe(1);
    expect((await appointmentsFor(all.technician)).map(({ kind }) => kind)).toEqual(["appointmentReminder"]);
    const seen = await viewWorkOrder(all.technician, order);
    await planAt(all.technician, seen, "2131-05-09T09:00:00+08:00");
    await recallAppointments(database, new Date("2131-05-08T12:00:00+08:00"));
    expect(await recalled()).toBe(2);
  });

  it("is recalled neither after it has begun nor before the clinic's day", () => {
    const at = "2031-05-02T01:00:00Z";
    expect(isToRecall("Asia/Shanghai", at, new Date("2031-04-30T22:59:00Z"))).toBe(false);
    expect(isToRecall("Asia/Shanghai", at, new Date("2031-04-30T23:00:00Z"))).toBe(true);
    expect(isToRecall("America/New_York", at, new Date("2031-04-30T23:00:00Z"))).toBe(true);
    expect(isToRecall("Asia/Shanghai", at, new Date(at))).toBe(false);
  });
});

describe("the calendar file of an appointment", () => {
  it("keeps its UID and counts the changes", async () => {
    const all = await setupAfterSales();
    await setClinic(all, "Asia/Shanghai", "5 Harbour Road; rear entrance, third floor, beside the old customs house");
    const order = await createStartedWorkOrder(all);
    expect(refusalOf(await all.clinic.ask("workorder.calendar", { id: order.id }))).toBe("workorderActionNotAllowed");
    const planned = await planAt(all.technician, order, "2031-05-02T09:00:00Z");
    const first = await all.clinic.call("workorder.calendar", { id: order.id });
    expect(first.name).toBe(`${order.number}.ics`);
    // The lines of RFC 5545 end in CRLF and have at most 75 bytes.
    expect(first.text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    const unfolded = first.text.replaceAll("\r\n ", "");
    expect(unfolded).toContain("\r\nDTSTART:20310502T090000Z\r\n");
    expect(unfolded).toContain(String.raw`5 Harbour Road\; rear entrance\, third floor`);
    await planAt(all.technician, planned, "2031-05-03T09:00:00Z");
    const second = await all.technician.call("workorder.calendar", { id: order.id });
    const read = (text: string, name: string) => new RegExp(`^${name}:(.*)\r$`, "m").exec(text)?.[1];
    expect(read(second.text, "UID")).toBe(read(first.text, "UID"));
    expect([read(first.text, "SEQUENCE"), read(second.text, "SEQUENCE")]).toEqual(["0", "1"]);
  });
});

describe("the list of work orders", () => {
  it("sorts by the appointment page after page, those without one last in both directions", async () => {
    const all = await setupAfterSales();
    const days = ["2031-05-03", null, "2031-05-01", "2031-05-02"];
    const made: string[] = [];
    for (const day of days) {
      const order = await createStartedWorkOrder(all);
      if (day) await planAt(all.technician, order, `${day}T09:00:00Z`);
      made.push(order.id);
    }
    const listAll = async (who: AnyTestUser, way: "up" | "down") => {
      const found: string[] = [];
      for (let cursor: string | undefined; ;) {
        const filter = { clinic: all.clinicId, sort: "planned", way, pageSize: 1, ...(cursor && { cursor }) } as const;
        const { list, next } = await who.call("workorder.list", filter);
        found.push(...list.map(({ id }) => id));
        if (next === null) return found.map((id) => made.indexOf(id));
        cursor = next;
      }
    };
    expect(await listAll(all.chief, "up")).toEqual([2, 3, 0, 1]);
    expect(await listAll(all.chief, "down")).toEqual([0, 3, 2, 1]);
    expect(await listAll(all.technician, "up")).toEqual([2, 3, 0, 1]);
    expect(await listAll(all.clinic, "down")).toEqual([0, 3, 2, 1]);
  });
});
