import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { recordTransactions } from "@arcada/testing/tools/query-spy";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const wang = { name: "王小明", sex: "male", birthDate: "1990-01-01" } as const;
const made = (clinic: TestUser, more: Record<string, unknown> = {}) =>
  clinic.call("patient.create", { ...wang, evenIfDuplicate: true, ...more });

const bornBefore = (years: number, days: number): string => {
  const today = new Date();
  return new Date(Date.UTC(today.getUTCFullYear() - years, today.getUTCMonth(), today.getUTCDate() - days))
    .toISOString()
    .slice(0, 10);
};

/** Creates a child with a report, an adult with a CT and an old patient who came once, and a search among them. */
async function createThreePatients() {
  const { clinic, server } = await setup();
  const child = await made(clinic, { name: "王小小", birthDate: bornBefore(9, 5) });
  const grown = await made(clinic, { name: "王大大", birthDate: bornBefore(40, 5), remark: "=1+1" });
  const old = await made(clinic, { name: "Ada Hill", birthDate: undefined, age: 70 });
  await server.running.database.asSystem(async (db) => {
    await sql`insert into study (institution_id, id, patient_id, kind, kind_certain, state, count, bytes, created_by)
      values (${clinic.iid}, gen_random_uuid(), ${grown.id}, 'ct', true, 'ready', 1, 1, ${clinic.uid})`.execute(db);
    await sql`insert into report (institution_id, id, patient_id, number, source, state, form, basis, created_by, saved_by)
      values (${clinic.iid}, gen_random_uuid(), ${child.id}, 'R1', 'manual', 'draft', '{}', '{}', ${clinic.uid}, ${clinic.uid})`.execute(
      db,
    );
    await sql`update patient set recent_visit_at = '2020-02-29T23:30:00Z', last_visit_at = '2020-02-29T23:30:00Z' where id = ${old.id}`.execute(
      db,
    );
  });
  const find = async (query: Record<string, unknown>) =>
    (await clinic.call("patient.list", { sort: "age", ...query })).list.map(({ id }) => id);
  return { clinic, child, grown, old, find };
}

describe("a clinic's patients", () => {
  describe("in the list", () => {
    let patients: Awaited<ReturnType<typeof createThreePatients>>;
    beforeAll(async () => {
      patients = await createThreePatients();
    });

    it("are sorted by age in both directions", async () => {
      const { find, child, grown, old } = patients;
      expect(await find({})).toEqual([child.id, grown.id, old.id]);
      expect(await find({ way: "down" })).toEqual([old.id, grown.id, child.id]);
    });

    it("are filtered by age, alone and with search words", async () => {
      const { find, child, grown, old } = patients;
      expect(await find({ ageFrom: 9, ageTo: 9 })).toEqual([child.id]);
      expect(await find({ ageFrom: 10 })).toEqual([grown.id, old.id]);
      expect(await find({ ageTo: 70, search: "王" })).toEqual([child.id, grown.id]);
    });

    it.each([
      [{ ct: "yes" }, ["grown"]],
      [{ ct: "no", report: "no" }, ["old"]],
      [{ report: "yes", search: "wxx" }, ["child"]],
      [{ report: "yes", search: "wxx", sex: "female" }, []],
      [{ report: "yes", ct: "no" }, ["child"]],
      [{ ct: "yes", report: "yes" }, []],
      [{ ct: "yes", report: "no", ageFrom: 40 }, ["grown"]],
    ] as const)("are filtered by images and reports: %j finds %j", async (query, names) => {
      expect(await patients.find(query)).toEqual(names.map((name) => patients[name].id));
    });

    it("are filtered by the day of the last visit", async () => {
      expect(await patients.find({ visitTo: "2020-03-01" })).toEqual([patients.old.id]);
      expect(await patients.find({ visitTo: "2020-02-29" })).toEqual([]);
    });

    it("are filtered by the day of their creation", async () => {
      expect(await patients.find({ createdFrom: bornBefore(0, -2) })).toEqual([]);
      expect(await patients.find({ createdFrom: bornBefore(0, 1), sex: "male" })).toHaveLength(3);
    });

    it("continue after a cursor, which is refused in the other direction", async () => {
      const { clinic, find, grown, old } = patients;
      const { next } = await clinic.call("patient.list", { sort: "age", pageSize: 1 });
      expect(await find({ cursor: next, pageSize: 5 })).toEqual([grown.id, old.id]);
      expect(refusalOf(await clinic.ask("patient.list", { sort: "age", way: "down", cursor: next }))).toBe("badInput");
    });

    it("are exported as a sheet of what was found, in its order and without formulas", async () => {
      const { clinic } = patients;
      const { url, ...sheet } = await clinic.call("patient.export", { search: "王", sort: "age" });
      expect(sheet).toEqual({ rows: 2, cut: false });
      const entries = await readZip(
        Buffer.from(await (await fetch(new URL(url, clinic.server.address))).arrayBuffer()),
      );
      const cells = present(entries.get("xl/worksheets/sheet1.xml"), "xl/worksheets/sheet1.xml").toString();
      expect(cells.indexOf("王小小")).toBeLessThan(cells.indexOf("王大大"));
      expect(cells).toContain('<c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c>');
      expect(cells).not.toContain("Ada Hill");
    });
  });

  it("have the same pages whether fewer or more match than are counted", async () => {
    const { clinic } = await setup();
    const [people, imaged] = [1200, 900];
    await clinic.server.running.database.asSystem(async (db) => {
      await sql`insert into patient (institution_id, id, number, name, sex, birth_date, recent_visit_at, created_by, haystack, grams, sort_name)
        select ${clinic.iid}, gen_random_uuid(), 'Q' || n, '王', case when n % 2 = 0 then 'female' else 'male' end, date '1990-01-01',
          timestamptz '2026-01-01' + n * interval '1 minute', ${clinic.uid}, '王', '{王}', 'wang'
        from generate_series(1, ${people}::int) n`.execute(db);
      // Two of each, so that a patient who has several is not counted twice.
      await sql`insert into study (institution_id, id, patient_id, kind, kind_certain, state, count, bytes, created_by)
        select institution_id, gen_random_uuid(), id, 'ct', true, 'ready', 1, 1, created_by from patient, generate_series(1, 2)
        where institution_id = ${clinic.iid} and recent_visit_at <= timestamptz '2026-01-01' + ${imaged}::int * interval '1 minute'`.execute(
        db,
      );
    });
    const page = async (query: Record<string, unknown>) => {
      const { list, total, next } = await clinic.call("patient.list", { pageSize: 50, ...query });
      const { list: second, total: again } = await clinic.call("patient.list", {
        pageSize: 50,
        ...query,
        cursor: present(next),
      });
      expect(again).toBe(total);
      return { numbers: [...list, ...second].map(({ number }) => Number(number.slice(1))), total };
    };
    const hundred = (from: number, step = 1) => Array.from({ length: 100 }, (_, place) => from - place * step);
    for (const query of [{ search: "王" }, { search: "王", report: "no" }, { report: "no" }])
      expect(await page(query)).toEqual({ numbers: hundred(people), total: 1000 });
    for (const query of [{ ct: "yes" }, { ct: "yes", report: "no" }, { search: "王", ct: "yes" }])
      expect(await page(query)).toEqual({ numbers: hundred(imaged), total: imaged });
    for (const query of [
      { search: "王", sex: "female" },
      { search: "王", sex: "female", report: "no" },
    ])
      expect(await page(query)).toEqual({ numbers: hundred(people, 2), total: people / 2 });
  });

  it("are read in one round trip within the tenant scope, with one audit log entry, with and without a filter", async () => {
    const { clinic } = await setup();
    const { id } = await made(clinic);
    const { database } = clinic.server.running;
    const lines = async () =>
      (
        await database.asSystem((db) =>
          db
            .selectFrom("audit")
            .selectAll()
            .where("action", "=", "patient.list")
            .where("user_id", "=", clinic.uid)
            .execute(),
        )
      ).filter(({ institution_id }) => institution_id === clinic.iid).length;
    for (const query of [{}, { search: "王", sex: "male" } as const]) {
      const before = await lines();
      const [look, ...others] = (
        await recordTransactions(async () => expect((await clinic.call("patient.list", query)).list[0].id).toBe(id))
      ).filter(({ statements }) => statements.some((one) => one.includes("patient_living")));
      expect([look.roundTrips, others]).toEqual([1, []]);
      expect(look.statements[0]).toContain(clinic.iid);
      expect((await lines()) - before).toBe(1);
    }
  });

  it("have statistics of ages in the planner, so that a search for a rare age does not scan all patients", async () => {
    const { clinic } = await setup();
    const { rows } = await clinic.server.running.database.asSystem(async (db) => {
      await sql`insert into patient (institution_id, id, number, name, sex, birth_date, created_by, haystack, grams, sort_name)
        select ${clinic.iid}, gen_random_uuid(), 'Q' || n, 'x', 'male', date '1940-01-01' + n * 15, ${clinic.uid}, '', '{}', 'x'
        from generate_series(1, 2000) n`.execute(db);
      await sql`set local role none`.execute(db);
      await sql`analyze patient`.execute(db);
      return sql<{ "QUERY PLAN": string }>`explain select from patient where deleted_at is null
        and patient_born(birth_date, age_given, age_given_on) < '1930-01-01'`.execute(db);
    });
    expect(Number(present(/rows=(\d+)/.exec(rows[0]["QUERY PLAN"]))[1])).toBeLessThan(50);
  });
});
