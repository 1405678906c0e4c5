import { createHash } from "node:crypto";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { checkFhirBundle } from "@arcada/testing/tools/fhir-check";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { readZip } from "@arcada/testing/tools/zip-reader";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { getTestServer, setup, type TestServer, type TestSetup } from "@arcada/testing/setup/setup";
import { purgeExpired } from "../retention/purge-expired.ts";
import { fileColumns } from "../platform/storage/file-columns.ts";
import { files } from "../platform/runtime/services.ts";
import { tablesWithoutPatientFiles, tablesOfPatientFiles } from "./erase/patient-files.store.ts";
import { erasePatient } from "./erase/erase-patient.ts";
import type { FhirBundle } from "./archive/fhir-bundle.ts";
import { present } from "@arcada/testing/present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let caseEnv: TestSetup;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup();
});

const canary = "Zzyzxkanarie";
const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#406080" } })
  .jpeg()
  .toBuffer();
const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const run = <T>(statement: ReturnType<typeof sql<T>>) =>
  env.running.database.asSystem(async (db) => (await statement.execute(db)).rows);

interface Known {
  id: string;
  number: string;
  study: string;
}
/** A patient of whom everything is known, each word of it with the canary. */
async function known({ clinic, dentist }: TestSetup): Promise<Known> {
  const id = await createPatient(clinic, { name: `${canary} One`, birthDate: "1991-05-06" });
  const { number, version } = await clinic.call("patient.detail", { id });
  const facts = {
    name: `${canary} One`,
    sex: "female",
    birthDate: "1991-05-06",
    phone: canary,
    remark: canary,
  } as const;
  await clinic.call("patient.update", { id, version, ...facts, idNumber: canary, email: "a@b.test" });
  const study = (await uploadStudy(clinic, id, { [`${canary}.jpg`]: photo })).studies[0];
  const letter = await dentist.upload(`${canary}.pdf`, Buffer.from("%PDF-1.4 letter"));
  await dentist.call("visit.create", {
    patientId: id,
    at: "2026-02-03T08:00:00Z",
    dentistId: dentist.uid,
    content: { complaint: canary, diagnosis: `${canary} <caries> & more`, marks: [{ fdi: 16, remark: canary }] },
    uploads: [letter],
  });
  const given = { patientId: id, givenBy: canary, givenFor: "self", givenAt: "2026-02-03T08:00:00Z" } as const;
  await clinic.call("consent.give", { ...given, kind: "imaging", how: "screen", note: canary });
  return { id, number, study };
}

/** A chart with both kinds of findings, and the report that was made of it. */
async function seedExamination(dentist: TestSetup["dentist"], patientId: string): Promise<void> {
  const seen = (code: "caries" | "filling") => ({
    code,
    surfaces: ["occlusal" as const],
    severity: null,
    remark: "seen",
  });
  const tooth = { fdi: 16, presence: "present", crown: 2, confirmed: true } as const;
  const findings = [seen("caries"), seen("filling")];
  await dentist.call("chart.save", { patientId, version: 0, teeth: [{ ...tooth, findings }] });
  const { id, version, form } = await dentist.call("report.create", { patientId, source: "manual" });
  await dentist.call("report.save", { id, version, form: { ...form, diagnosis: "Caries of 16" } });
}

/** Returns the tables that contain a word, in any column. */
async function tablesContaining(word: string): Promise<string[]> {
  const tables = await run(sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migration' order by 1`);
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
    const { id, number } = await known(caseEnv);
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
    const [held, entered] = [(await known(other)).id, await createPatient(clinic, { name: "Entered By Mistake" })];
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

describe("the data of one patient", () => {
  it("are exported as an archive: our format, a FHIR bundle, original files and attachments, each with its hash", async () => {
    const { clinic, dentist } = await setup();
    const mine = { ...caseEnv, clinic, dentist };
    const { id, number } = await known(mine);
    await seedExamination(dentist, id);
    const other = await createPatient(clinic, { name: "Somebody Else" });
    const { url, files: count } = await dentist.call("patient.archive", { id });
    const answer = await fetch(`${env.address}${url}`, { headers: { token: dentist.token } });
    const archive = await readZip(new Uint8Array(await answer.arrayBuffer()));
    const manifest = JSON.parse(present(archive.get("manifest.json"), "manifest.json").toString()) as {
      files: { path: string; sha256: string; bytes: number }[];
    };
    expect(manifest.files).toHaveLength(count + 2);
    for (const { path, sha256, bytes } of manifest.files)
      expect([hash(present(archive.get(path))), present(archive.get(path)).length], path).toEqual([sha256, bytes]);
    expect([...archive.values()].some((bytes) => bytes.equals(photo))).toBe(true);
    const ours = JSON.parse(present(archive.get("patient.json"), "patient.json").toString()) as Record<
      string,
      Record<string, unknown>[]
    >;
    expect(ours.patient).toMatchObject([{ id, number, name: `${canary} One`, id_number: canary }]);
    expect(ours.visit).toMatchObject([{ content: { complaint: canary } }]);
    expect(ours.consent).toMatchObject([{ kind: "imaging", given_by: canary }]);
    expect(present(archive.get("patient.json"), "patient.json").toString()).not.toContain(other);
    checkFhirBundle(JSON.parse(present(archive.get("fhir.json"), "fhir.json").toString()) as FhirBundle);
    const lines = (await clinic.call("trail.looks", { id })).list.map(({ action, who }) => [action, who]);
    expect(lines).toContainEqual(["patient.archive", dentist.name]);
    expect(refusalOf(await caseEnv.clinic.ask("patient.archive", { id }))).toBe("notFound");
  });
});

describe("the list of who viewed a record", () => {
  it("is shown to the clinic: colleagues by name, a lab by its order, a guest by the link", async () => {
    const mine = await setup();
    const { clinic, dentist, designer } = mine;
    const { id, study } = await known(mine);
    const order = await sendOrder(mine, { patientId: id });
    await designer.call("order.detail", { id: order.id });
    await dentist.call("patient.detail", { id });
    const share = { kind: "study", id: study, label: "Dr. Li", factor: { kind: "birthDate" }, warned: true } as const;
    await clinic.call("share.create", share);
    const { list } = await dentist.call("trail.looks", { id });
    const told = list.map(({ action, who, house: other, order: by }) => [action, who, other, by?.number ?? null]);
    expect(told).toContainEqual(["patient.read", dentist.name, null, null]);
    const lab = (await run(sql<{ name: string }>`select name from institution where id = ${designer.iid}`))[0].name;
    expect(told).toContainEqual(["order.read", null, lab, order.number]);
    expect(JSON.stringify(list)).not.toContain(designer.name);
    const first = await dentist.call("trail.looks", { id, pageSize: 2 });
    const second = await dentist.call("trail.looks", { id, pageSize: 2, cursor: present(first.next, "next") });
    expect(new Set([...first.list, ...second.list].map((line) => line.id)).size).toBe(4);
    expect(refusalOf(await caseEnv.clinic.ask("trail.looks", { id }))).toBe("notFound");
  });
});

describe("a patient's timeline", () => {
  it("lists visits, consents, images and orders, by kind and page by page", async () => {
    const mine = await setup();
    const { clinic } = mine;
    const { id } = await known(mine);
    await clinic.call("consent.withdraw", { patientId: id, kind: "imaging", by: "x" });
    const kindsOf = async (more: object) =>
      (await clinic.call("patient.timeline", { id, ...more })).list.map(({ kind, label }) => `${kind} ${label}`);
    const all = await kindsOf({});
    expect(all.map((one) => one.split(" ")[0]).toSorted()).toEqual(["consent", "consent", "created", "study", "visit"]);
    expect(await kindsOf({ kinds: "consent" })).toEqual(["consent withdrawn.imaging", "consent imaging"]);
    const pages: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: { list: { kind: string; label: string }[]; next: string | null } = await clinic.call(
        "patient.timeline",
        { id, pageSize: 2, ...(cursor && { cursor }) },
      );
      pages.push(...page.list.map(({ kind, label }) => `${kind} ${label}`));
      cursor = page.next;
    }
    expect(pages).toEqual(all);
    expect(refusalOf(await clinic.ask("patient.timeline", { id, kinds: "nonsense" }))).toBe("badInput");
  });
});
