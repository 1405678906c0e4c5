import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { getTestServer, setup, type TestServer, type TestSetup } from "@arcada/testing/setup/test-server";
import { canary, photo, createDocumentedPatient } from "@arcada/testing/fixtures/patient-with-all-records";
import { purgeExpired } from "../../retention/purge-expired.ts";
import { fileColumns } from "../../platform/storage/file-columns.ts";
import { files } from "../../platform/runtime/services.ts";
import { tablesOfPatientFiles, tablesWithoutPatientFiles } from "./patient-files.store.ts";
import { erasePatient } from "./erase-patient.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let caseEnv: TestSetup;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup();
});

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const run = <T>(statement: ReturnType<typeof sql<T>>) =>
  env.running.database.asSystem(async (db) => (await statement.execute(db)).rows);

/** Returns the tables that contain a word, in any column. */
async function tablesContaining(word: string): Promise<string[]> {
  const tables = await run(sql<{ name: string }>`select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname <> 'migration' order by 1`);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await run(sql`select from ${sql.table(name)} t where to_jsonb(t)::text ilike ${`%${word}%`} limit 1`);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe("erasing a patient", () => {
  it("waits for orders, and requires the right number and the end of the retention period or a written reason", async () => {
    const { clinic, dentist } = caseEnv;
    const { id, number } = await createDocumentedPatient(caseEnv);
    const order = await sendOrder(caseEnv, { patientId: id, instructions: canary });
    const asked = (more: object) => clinic.ask("patient.erase", { id, number, ...more });
    expect(refusalOf(await asked({ reason: "asked" }))).toBe("patientHasOrders");
    await takeStep(dentist, order, "cancel", { reason: canary });
    expect(refusalOf(await asked({ number: "P9999999", reason: "asked" }))).toBe("badInput");
    expect(refusalOf(await asked({ reason: "  " }))).toBe("patientRetained");
    expect(refusalOf(await dentist.ask("patient.erase", { id, number, reason: "asked" }))).toBe("notAllowed");
    expect(refusalOf(await (await setup()).clinic.ask("patient.erase", { id, number, reason: "x" }))).toBe("notFound");
    const { lastVisitAt, ...told } = await clinic.call("patient.erasure", { id });
    const years = Number(lastVisitAt.slice(0, 4)) + 15;
    expect(told).toMatchObject({ number, years: 15, isHeld: true, openOrders: 0, studies: 1, visits: 1, orders: 1 });
    expect(told.heldUntil.slice(0, 4)).toBe(String(years));
    expect((await clinic.call("patient.detail", { id })).name).toBe(`${canary} One`);
    expect((await clinic.call("visit.list", { patientId: id })).list).toHaveLength(1);
  });

  it("leaves no text and no file of them anywhere, and the audit log records the erasure without the patient", async () => {
    const { clinic, dentist, lab } = caseEnv;
    const { id } = (await clinic.call("patient.list", { search: canary })).list[0];
    const { number } = await clinic.call("patient.detail", { id });
    await clinic.call("trail.export", {});
    const before = (await clinic.call("patient.list", {})).total;
    await clinic.call("patient.erase", { id, number, reason: "the patient asked for it" });
    expect((await clinic.call("patient.list", {})).total).toBe(before - 1);
    expect(refusalOf(await clinic.ask("patient.detail", { id }))).toBe("notFound");
    expect(refusalOf(await clinic.ask("patient.restore", { id }))).toBe("notFound");
    expect(refusalOf(await clinic.ask("patient.erase", { id, number, reason: "x" }))).toBe("notFound");
    // The audit log is chained and cannot be changed: it must never have contained a word of a patient.
    expect(await tablesContaining(canary)).toEqual([]);
    expect(await tablesContaining(number)).not.toContain("patient");
    await expect.poll(() => files().bytes("originals", clinic.iid, hash(photo))).toBeNull();
    const { list } = await clinic.call("trail.list", { patient: id });
    expect(list[0]).toMatchObject({ action: "patient.erase", subject: id, userName: clinic.name });
    const [order] = (await dentist.call("order.list", {})).list;
    expect(order).toMatchObject({ state: "cancelled" });
    expect(JSON.stringify(await lab.call("order.list", {}))).not.toContain(canary);
  });

  it("happens automatically after thirty days in the bin, where no retention is required", async () => {
    const other = await setup();
    const { clinic } = other;
    const [held, entered] = [
      (await createDocumentedPatient(other)).id,
      await createPatient(clinic, { name: "Entered By Mistake" }),
    ];
    for (const id of [held, entered]) {
      await clinic.call("patient.remove", { id });
      await run(sql`update patient set deleted_at = now() - interval '31 days' where id = ${id}`);
    }
    const left = async () => (await run(sql`select id from patient where institution_id = ${clinic.iid}`)).length;
    await purgeExpired(env.running.database, erasePatient);
    expect(await left()).toBe(1);
    expect(await run(sql`select from study where patient_id = ${held}`)).toHaveLength(1);
    await run(sql`update institution set retention_years = 0 where id = ${clinic.iid}`);
    await purgeExpired(env.running.database, erasePatient);
    expect(await left()).toBe(0);
    // Names of uploads are removed a week after the uploads were processed.
    expect((await tablesContaining(canary)).filter((name) => name !== "upload")).toEqual([]);
  });

  it("covers every column that refers to a file, and whether it is a patient's", () =>
    expect([...new Set(fileColumns.map(({ table }) => table))].toSorted()).toEqual(
      [...tablesOfPatientFiles, ...tablesWithoutPatientFiles].toSorted(),
    ));
});
