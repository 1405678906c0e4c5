import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import en from "../../../../packages/texts/en/trail.json" with { type: "json" };
import { everyCall } from "@arcada/contract/calls";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { TestServer, TestSetup } from "@arcada/testing/setup/test-server";
import { toCsvLine } from "./csv-line.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let caseEnv: TestSetup;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup();
});

describe("the audit log of an organisation", () => {
  it("shows who viewed a patient to its managers and to nobody else", async () => {
    const { clinic, dentist, lab } = caseEnv;
    const id = await createPatient(clinic);
    await createPatient(clinic);
    await dentist.call("patient.detail", { id });
    const { list } = await clinic.call("trail.list", { patient: id });
    expect(list.map(({ action, userName, patientId }) => [action, userName, patientId])).toEqual([
      ["patient.read", dentist.name, id],
      ["patient.create", clinic.name, id],
    ]);
    expect(refusalOf(await dentist.ask("trail.list", {}))).toBe("notAllowed");
    expect((await lab.call("trail.list", { patient: id })).list).toEqual([]);
  });

  it("is read page by page, each entry once, and filtered by person, kind and day", async () => {
    const { clinic } = caseEnv;
    await env.running.database.asSystem(async (db) => {
      await sql`select arcada_add_partition('audit', '2020-02-29')`.execute(db);
      await sql`insert into audit (institution_id, user_id, action, at) select ${clinic.iid}, ${clinic.uid}, 'order.read', '2020-02-29T23:30:00Z'
        from generate_series(1, 130)`.execute(db);
    });
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: { list: { id: string }[]; next: string | null } = await clinic.call("trail.list", {
        group: "order",
        ...(cursor && { cursor }),
      });
      seen.push(...page.list.map((line) => line.id));
      cursor = page.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(130);
    const on = async (day: string) =>
      (await clinic.call("trail.list", { from: day, to: day, pageSize: 200 })).list.length;
    // In Shanghai, in the clinic's time zone, the first of March has begun.
    expect(await on("2020-02-29")).toBe(0);
    expect(await on("2020-03-01")).toBe(130);
    expect((await clinic.call("trail.list", { user: caseEnv.dentist.uid, group: "order" })).list).toEqual([]);
    expect(refusalOf(await clinic.ask("trail.list", { cursor: "1.0.x" }))).toBe("badInput");
  });

  it("is exported as a table in which spreadsheets execute no cell", async () => {
    const { clinic } = caseEnv;
    await env.running.database.asSystem((db) =>
      sql`update users set nick_name = '=HYPERLINK("http://x")' where id = ${caseEnv.dentist.uid}`.execute(db),
    );
    const { url, rows } = await clinic.call("trail.export", { user: caseEnv.dentist.uid });
    const answer = await fetch(`${env.address}${url}`);
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = bytes.toString().split("\r\n");
    expect(lines).toHaveLength(rows + 2);
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(toCsvLine(["+1", "-1", "@x", "\tx", "plain", "a\nb"])).toBe(`"'+1","'-1","'@x","'\tx","plain","a\nb"\r\n`);
  });

  it("has a text for every action that calls record", () => {
    const words = en.action as Record<string, Record<string, string> | undefined>;
    const wordless = everyCall().flatMap(({ row }) => {
      const [group = "", name = ""] = row.audit?.split(".") ?? [];
      return row.audit && !words[group]?.[name] ? [row.audit] : [];
    });
    expect(wordless).toEqual([]);
  });
});
