import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { patientTables } from "../../domain/patient-tables.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const wang = { name: "王小明", sex: "male", birthDate: "1990-01-01", evenIfDuplicate: true } as const;

describe("every column that refers to a patient", () => {
  it("is listed among the patient columns, so that a merge moves all rows", async () => {
    const { server } = await setup();
    const { rows } = await server.running.database.asSystem((db) =>
      sql<{ name: string }>`select c.table_name as name from information_schema.columns c
        join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and c.column_name = 'patient_id' and t.table_type = 'BASE TABLE'`.execute(db),
    );
    expect(patientTables.map(({ table }) => table).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });
});

/**
 * Returns every row of the institution that refers to a patient or is one, without the columns that each change
 * increments.
 */
async function openMerge({ server, clinic }: TestSetup): Promise<unknown> {
  const rows = (table: string) =>
    server.running.database.asSystem(async (db) => {
      const found = await sql<{
        row: unknown;
      }>`select to_jsonb(t) - '{version,updated_at}'::text[] as row from ${sql.table(table)} t where institution_id = ${clinic.iid} order by to_jsonb(t)::text`.execute(
        db,
      );
      return found.rows;
    });
  const tables = ["patient", "patient_counter", "order_entry", ...patientTables.map(({ table }) => table)];
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await rows(table)])));
}

const draft = (clinic: TestUser, lab: TestUser, patientId: string) =>
  clinic.call("order.save", {
    patientId,
    caseType: "other",
    items: [],
    workKinds: [],
    targetIid: lab.iid,
    dueDate: null,
  });

/** Inserts a row as another slice would write it, in addition to the rows that calls create. */
const study = ({ server, clinic }: TestSetup, patient: string, uid: string) =>
  server.running.database.asSystem((db) =>
    sql`insert into study (institution_id, id, patient_id, kind, kind_certain, state, uid, count, bytes, created_by)
      values (${clinic.iid}, ${newId()}, ${patient}, 'panorama', true, 'ready', ${uid}, 1, 1, ${clinic.uid})`.execute(
      db,
    ),
  );
const mount = ({ server, clinic }: TestSetup, patient: string, kind: string) =>
  server.running.database.asSystem((db) =>
    sql`insert into film_mount (institution_id, patient_id, kind, version, layout, films, saved_by)
      values (${clinic.iid}, ${patient}, ${kind}, 1, 'full18', ${JSON.stringify({ place: patient })}::jsonb, ${clinic.uid})`.execute(
      db,
    ),
  );
const chart = ({ server, clinic }: TestSetup, patient: string, versions: number) =>
  server.running.database.asSystem(async (db) => {
    for (let version = 1; version <= versions; version++)
      await sql`insert into tooth_chart (institution_id, patient_id, version, content, changed, by_user)
        values (${clinic.iid}, ${patient}, ${version}, '{}', '{}', ${clinic.uid})`.execute(db);
    if (versions > 0)
      await sql`insert into chart_decision (institution_id, patient_id, image_sha256, code, target, observation_id, decision, by_user)
        values (${clinic.iid}, ${patient}, 'a', 'caries', '{"tooth": 11}', ${newId()}, 'accept', ${clinic.uid})`.execute(
        db,
      );
  });

const person = fc.record({
  birth: fc.constantFrom({ birthDate: "1990-01-01" }, { birthDate: "1988-02-29" }, { age: 30 }),
  phone: fc.constantFrom(null, "13800138000", "13900139000"),
  allergies: fc.constantFrom(null, "青霉素", "Latex"),
  diabetes: fc.constantFrom(null, true, false),
  habits: fc.subarray(["smoking", "biting", "sugar"] as const),
  remark: fc.constantFrom(null, "😀 prefers mornings", "مرحبا"),
  studies: fc.nat(2),
  orders: fc.nat(2),
  mounts: fc.subarray(["films", "photos"]),
  chartVersions: fc.nat(2),
});
const mergeChoices = fc.dictionary(
  fc.constantFrom("name", "sex", "birth", "phone", "diabetes"),
  fc.constantFrom("kept" as const, "other" as const),
);

/** Two records of one person with different data, and the input that merges them. */
async function twoRecords() {
  const env = await setup();
  const { clinic } = env;
  const kept = await clinic.call("patient.create", { ...wang, allergies: "青霉素", diabetes: false, remark: "a" });
  const other = await clinic.call("patient.create", {
    ...wang,
    phone: "13800138000",
    allergies: "乳胶",
    diabetes: true,
    habits: ["smoking"],
    idNumber: "110101199001011234",
  });
  const pair = { keepId: kept.id, otherId: other.id };
  const request = { ...pair, keepVersion: kept.version, otherVersion: other.version, choices: {} };
  return { ...env, kept, other, request };
}

describe("two records of one person", () => {
  it("are merged, and restored exactly by an unmerge, whatever they contain", async () => {
    const env = await setup();
    const { clinic, lab } = env;
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 3, maxLength: 3 }), mergeChoices, async (people, chosen) => {
        const ids: string[] = [];
        for (const { birth, studies, orders, mounts, chartVersions, ...fields } of people) {
          const { id } = await clinic.call("patient.create", {
            name: "王小明",
            sex: "male",
            evenIfDuplicate: true,
            ...birth,
            ...fields,
          });
          for (let at = 0; at < studies; at++) await study(env, id, newId());
          for (let at = 0; at < orders; at++) await draft(clinic, lab, id);
          for (const kind of mounts) await mount(env, id, kind);
          await chart(env, id, chartVersions);
          ids.push(id);
        }
        const [keepId, ...others] = ids as [string, string, string];
        const states: unknown[] = [];
        for (const otherId of others) {
          states.push(await openMerge(env));
          const { kept, other } = await clinic.call("patient.beside", { keepId, otherId });
          const merged = await clinic.call("patient.merge", {
            keepId,
            otherId,
            keepVersion: kept.version,
            otherVersion: other.version,
            choices: chosen,
          });
          expect(merged).toMatchObject({ studies: kept.studies + other.studies, orders: kept.orders + other.orders });
          expect(refusalOf(await clinic.ask("patient.detail", { id: otherId }))).toBe("notFound");
        }
        const [last, first] = await clinic.call("patient.merges", { id: keepId });
        expect(refusalOf(await clinic.ask("patient.unmerge", { id: first.id }))).toBe("patientUnmergeLater");
        expect((await clinic.call("patient.unmerge", { id: last.id })).id).toBe(others[1]);
        expect(await openMerge(env)).toEqual(states[1]);
        await clinic.call("patient.unmerge", { id: first.id });
        expect(await openMerge(env)).toEqual(states[0]);
      }),
      { numRuns: process.env.ARCADA_PROOF === "full" ? 60 : 4 },
    );
  });

  it("are offered as duplicates for the same name and birth date", async () => {
    const { dentist, kept, other } = await twoRecords();
    expect(await dentist.call("patient.duplicates", { id: kept.id })).toMatchObject([
      { id: other.id, reason: "nameAndBirth" },
    ]);
  });

  it("are neither compared, merged nor unmerged by another institution", async () => {
    const { server, clinic, kept, request } = await twoRecords();
    const stranger = await server.createUser("clinicAdmin", await server.createInstitution("clinic"));
    for (const name of ["patient.beside", "patient.merge"] as const)
      expect(refusalOf(await stranger.ask(name, request))).toBe("notFound");
    await clinic.call("patient.merge", request);
    const [merge] = await clinic.call("patient.merges", { id: kept.id });
    expect(refusalOf(await stranger.ask("patient.unmerge", { id: merge.id }))).toBe("notFound");
  });

  it.each([
    ["an outdated version", { keepVersion: 7 }, "patientChanged"],
    ["an impossible choice", { choices: { phone: "both" } }, "badInput"],
  ] as const)("are not merged with %s", async (_, change, refusal) => {
    const { clinic, request } = await twoRecords();
    expect(refusalOf(await clinic.ask("patient.merge", { ...request, ...change }))).toBe(refusal);
  });

  it("are not merged if both are one record", async () => {
    const { clinic, kept, request } = await twoRecords();
    expect(refusalOf(await clinic.ask("patient.merge", { ...request, otherId: kept.id }))).toBe("badInput");
  });

  it("keep the allergies and diseases of both, and become one record that is found by either's data", async () => {
    const { clinic, dentist, kept, other, request } = await twoRecords();
    expect(await dentist.call("patient.merge", request)).toMatchObject({
      allergies: "青霉素\n乳胶",
      diabetes: true,
      phone: "13800138000",
      habits: ["smoking"],
      idNumber: "110101199001011234",
      remark: "a",
    });
    expect((await clinic.call("patient.list", { search: "13800138000" })).list.map(({ id }) => id)).toEqual([kept.id]);
    expect((await clinic.call("patient.bin", {})).list).toEqual([]);
    expect(refusalOf(await clinic.ask("patient.restore", { id: other.id }))).toBe("notFound");
  });

  it("keep changes since the merge after an unmerge, which is possible once", async () => {
    const { clinic, kept, request } = await twoRecords();
    const merged = await clinic.call("patient.merge", request);
    await clinic.call("patient.update", { ...wang, id: kept.id, version: merged.version, phone: "13900139000" });
    const [merge] = await clinic.call("patient.merges", { id: kept.id });
    await clinic.call("patient.unmerge", { id: merge.id });
    expect(await clinic.call("patient.detail", { id: kept.id })).toMatchObject({
      allergies: "青霉素",
      diabetes: false,
      idNumber: null,
      phone: "13900139000",
    });
    expect(refusalOf(await clinic.ask("patient.unmerge", { id: merge.id }))).toBe("notFound");
    expect((await clinic.call("patient.list", {})).total).toBe(2);
  });

  it("cannot be merged while both have the same study, or unmerged after thirty days", async () => {
    const env = await setup();
    const { clinic, server } = env;
    const [kept, other] = [await clinic.call("patient.create", wang), await clinic.call("patient.create", wang)];
    for (const { id } of [kept, other]) await study(env, id, "1.2.3");
    const asked = { keepId: kept.id, otherId: other.id, keepVersion: 0, otherVersion: 0, choices: {} };
    const before = await openMerge(env);
    expect(refusalOf(await clinic.ask("patient.merge", asked))).toBe("patientMergeTwice");
    expect(await openMerge(env)).toEqual(before);
    const system = (statement: ReturnType<typeof sql>) =>
      server.running.database.asSystem((db) => statement.execute(db));
    await system(sql`update study set deleted_at = now() where patient_id = ${other.id}`);
    const merges = await Promise.all([clinic.ask("patient.merge", asked), clinic.ask("patient.merge", asked)]);
    expect(new Set(merges.map(refusalOf))).toEqual(new Set(["accepted", "notFound"]));
    await system(sql`update patient_merge set merged_at = now() - interval '31 days' where kept_id = ${kept.id}`);
    const [merge] = await clinic.call("patient.merges", { id: kept.id });
    expect(merge.until).toBeNull();
    expect(refusalOf(await clinic.ask("patient.unmerge", { id: merge.id }))).toBe("patientUnmergeOver");
  });
});
