import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { orderRules } from "@arcada/contract/order/order.rules";
import { hashPassword } from "../account/password/password-hash.ts";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { crownOrderInput } from "@arcada/testing/fixtures/orders";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { keepLicence } from "@arcada/testing/fixtures/reports";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

/** Half past midnight in Shanghai, where the 24th has begun. */
const instant = "2026-11-23T16:29:00.000Z";
const clinics = [
  { timeZone: "Asia/Shanghai", day: "2026-11-24", paper: "2026-11-24 00:29 (UTC+8, Asia/Shanghai)" },
  { timeZone: "America/Los_Angeles", day: "2026-11-23", paper: "2026-11-23 08:29 (UTC−8, America/Los_Angeles)" },
  { timeZone: "UTC", day: "2026-11-23", paper: "2026-11-23 16:29 UTC" },
] as const;
const dayBefore = (day: string): string => (day === "2026-11-24" ? "2026-11-23" : "2026-11-22");

const fetchFile = async (who: TestUser, url: string): Promise<Buffer> => {
  const answer = await fetch(who.server.address + url);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};
/** Returns the text of a document as a PDF reader extracts it; null if the machine has no such reader. */
const pdfText = (pdf: Buffer): string | null =>
  existsSync("/usr/bin/pdftotext")
    ? execFileSync("/usr/bin/pdftotext", ["-layout", "-", "-"], { input: pdf, encoding: "utf8" }).replace(/\s+/g, " ")
    : null;
/** Days since 31 December 1899, as in a spreadsheet cell, for a local time. */
const spreadsheetSerial = (wall: string): number => Date.parse(`${wall}Z`) / 86_400_000 + 25_569;

const setupByZone = new Map<string, TestSetup>();
/** Created once: servers in several time zones use the same clinics. */
beforeAll(async () => {
  const hash = await hashPassword(goodPassword);
  for (const { timeZone } of clinics) {
    const env = await setup({ clinic: { timeZone } });
    setupByZone.set(timeZone, env);
    await env.server.running.database.asSystem((db) =>
      sql`update users set password_hash = ${hash} where id = ${env.clinic.uid}`.execute(db),
    );
  }
}, 120_000);
afterEach(() => void vi.useRealTimers());

// The server must not depend on its own time zone.
describe.each(["Asia/Shanghai", "America/Los_Angeles", "UTC"])("a server in %s", (own) => {
  const before = process.env["TZ"];
  beforeAll(() => {
    process.env["TZ"] = own;
    expect(new Date().toString()).toContain({ "Asia/Shanghai": "+0800", UTC: "+0000" }[own] ?? "-0800");
  });
  afterAll(() => {
    if (before === undefined) delete process.env["TZ"];
    else process.env["TZ"] = before;
  });

  it.each(clinics)(
    "shows the same day everywhere to a clinic in $timeZone",
    async ({ timeZone, day, paper }) => {
      const { clinic, lab, server } = present(setupByZone.get(timeZone));
      const patientId = await createPatient(clinic, { birthDate: "1990-11-24" });
      vi.useFakeTimers({ toFake: ["Date"], now: new Date(instant) });

      expect((await clinic.call("account.getUserInfo", {})).institution?.timeZone).toBe(timeZone);
      // The order's number and the day on which it is due.
      const order = await clinic.call("order.save", { ...crownOrderInput(patientId, lab.iid), dueDate: null });
      expect(order.number.slice(0, 6)).toBe(day.slice(2).replaceAll("-", ""));
      expect(Date.parse(present(order.dueDate, "dueDate")) - Date.parse(day)).toBe(orderRules.dueDays * 86_400_000);
      const { url } = await clinic.call("order.prescription", { id: order.id, lang: "en", teeth: "fdi" });
      const prescription = pdfText(await fetchFile(clinic, url));
      if (prescription !== null) expect(prescription).toContain(paper);
      // A birthday begins at the clinic's midnight.
      expect((await clinic.call("patient.detail", { id: patientId })).age).toBe(day === "2026-11-24" ? 36 : 35);
      // Lists by day, and their spreadsheets.
      await server.running.database.asSystem(async (db) => {
        await sql`update orders set created_at = ${instant} where id = ${order.id}`.execute(db);
        await sql`update order_entry set created_at = ${instant} where order_id = ${order.id}`.execute(db);
        await sql`update patient set created_at = ${instant}, recent_visit_at = ${instant}, last_visit_at = ${instant} where id = ${patientId}`.execute(
          db,
        );
      });
      const days = { createdFrom: day, createdTo: day };
      const other = { createdFrom: dayBefore(day), createdTo: dayBefore(day) };
      const visited = { visitFrom: day, visitTo: day };
      const found = async (name: "order.list" | "patient.list", query: object) =>
        (await clinic.call(name, query)).list.map(({ id }) => id);
      expect(await found("order.list", days)).toContain(order.id);
      expect(await found("order.list", other)).not.toContain(order.id);
      expect(await found("patient.list", days)).toContain(patientId);
      expect(await found("patient.list", visited)).toContain(patientId);
      expect(await found("patient.list", other)).not.toContain(patientId);
      for (const call of ["order.export", "patient.export"] as const) {
        const sheet = present(
          (await readZip(await fetchFile(clinic, (await clinic.call(call, {})).url))).get("xl/worksheets/sheet1.xml"),
          "xl/worksheets/sheet1.xml",
        ).toString();
        const time = timeZone === "UTC" ? "16:29" : timeZone === "Asia/Shanghai" ? "00:29" : "08:29";
        expect(sheet).toContain(`<v>${spreadsheetSerial(`${day}T${time}:00`).toFixed(11)}</v>`);
      }
    },
    60_000,
  );
});

// Each by a server in another time zone than the clinic.
it.each(clinics.map((one, place) => ({ ...one, own: clinics[(place + 1) % clinics.length].timeZone })))(
  "a report is signed with the local time of a clinic in $timeZone, with the zone in the document, on a server in $own",
  async ({ timeZone, own, paper }) => {
    const before = process.env["TZ"];
    process.env["TZ"] = own;
    try {
      const { clinic } = present(setupByZone.get(timeZone));
      await keepLicence(clinic, clinic.uid);
      const patientId = await createPatient(clinic);
      const draft = await clinic.call("report.create", { patientId, source: "manual" });
      const form = { ...draft.form, diagnosis: "Sound." };
      const saved = await clinic.call("report.save", { id: draft.id, version: draft.version, form, seen: true });
      vi.useFakeTimers({ toFake: ["Date"], now: new Date(instant) });
      const input = { id: saved.id, version: saved.version, password: goodPassword };
      expect((await clinic.ask("report.sign", input)).code).toBe(200);
      const words = pdfText(
        await fetchFile(clinic, (await clinic.call("report.paper", { id: saved.id, lang: "en" })).url),
      );
      if (words !== null) expect(words).toContain(paper);
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  },
  120_000,
);

describe("a day with a clock change", () => {
  it.each([
    { day: "2026-03-08", begins: "2026-03-08T08:00:00Z", ends: "2026-03-09T07:00:00Z", hours: 23 },
    { day: "2026-11-01", begins: "2026-11-01T07:00:00Z", ends: "2026-11-02T08:00:00Z", hours: 25 },
  ])("is found completely, with $hours hours", async ({ day, begins, ends }) => {
    const { clinic, server } = await setup({ clinic: { timeZone: "America/Los_Angeles" } });
    const at = async (moment: number) => {
      const id = await createPatient(clinic);
      await server.running.database.asSystem((db) =>
        sql`update patient set created_at = ${new Date(moment)} where id = ${id}`.execute(db),
      );
      return id;
    };
    const [, first, last] = [
      await at(Date.parse(begins) - 1),
      await at(Date.parse(begins)),
      await at(Date.parse(ends) - 1),
      await at(Date.parse(ends)),
    ];
    const { list } = await clinic.call("patient.list", {
      createdFrom: day,
      createdTo: day,
      sort: "createdAt",
      way: "up",
    });
    expect(list.map(({ id }) => id)).toEqual([first, last]);
  });
});

describe("the time zone of an organisation", () => {
  it("is its country's until a manager chooses one, and an unknown zone is refused", async () => {
    const { clinic } = await setup();
    expect((await clinic.call("institution.detail", {})).timeZone).toBe("Asia/Shanghai");
    for (const timeZone of ["+08:00", "Nowhere/At_All", "", "x".repeat(2000)])
      expect(await clinic.ask("institution.update", { timeZone })).toMatchObject({
        code: refusals.badInput.code,
        data: { timeZone: expect.any(String) },
      });
    expect((await clinic.call("institution.update", { timeZone: "Europe/Istanbul" })).timeZone).toBe("Europe/Istanbul");
    const founder = await clinic.server.createUser("newUser");
    const made = { type: "clinic", name: "Two zones", country: "US" } as const;
    expect((await founder.call("institution.create", made)).timeZone).toBe("UTC");
    const chosen = { ...made, timeZone: "America/Denver" };
    expect((await (await clinic.server.createUser("newUser")).call("institution.create", chosen)).timeZone).toBe(
      "America/Denver",
    );
  });

  it("is refused by the database if it is unknown, whatever code writes it", async () => {
    const { clinic, server } = await setup();
    await expect(
      server.running.database.asSystem((db) =>
        sql`update institution set time_zone = 'Nowhere/At_All' where id = ${clinic.iid}`.execute(db),
      ),
    ).rejects.toThrow("institution_time_zone_check");
  });
});
