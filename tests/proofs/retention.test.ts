import { createHash } from "node:crypto";
import { utimes } from "node:fs/promises";
import { request } from "node:http";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { crownOrderInput, sendOrder } from "@arcada/testing/fixtures/orders";
import { waitForIngestJob, createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";
import { fileColumns } from "../../apps/server/src/platform/storage/file-columns.ts";
import { files } from "../../apps/server/src/platform/runtime/services.ts";
import { freeBytes } from "../../apps/server/src/platform/upload/storage-quota.ts";
import { purgeExpired } from "../../apps/server/src/retention/purge-expired.ts";
import { erasePatient } from "../../apps/server/src/patient/erase/erase-patient.ts";
import { removeOrphanedFiles } from "../../apps/server/src/retention/remove-orphaned-files.ts";
import { dropUnusedDerivedFiles } from "../../apps/server/src/retention/drop-unused-derived-files.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const head = makeHead("keeping");
const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const size = { columns: 64, rows: 64, slices: 20, voxel: 2.4 };
const slices = Object.fromEntries(
  [...createCbctFiles(head, wang, { size })].map(({ bytes }, place) => [`I${place}.dcm`, bytes]),
);
const scan = writeStl(createArchScan(head, "upper"));
const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const photo = (colour: string): Promise<Uint8Array> =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();

let clinicAndLab: TestSetup;
beforeAll(async () => void (clinicAndLab = await setup()));
const database = () => clinicAndLab.server.running.database;
const runSql = (statement: ReturnType<typeof sql>) => database().asSystem((db) => statement.execute(db));
const setDeletedDaysAgo = (table: "study" | "patient", id: string, days: number) =>
  runSql(sql`update ${sql.table(table)} set deleted_at = now() - make_interval(days => ${days}) where id = ${id}`);
/** No upload is younger than the days that it is kept: nothing but what people see needs its bytes. */
const expireUploads = async () => {
  await runSql(sql`delete from upload`);
  await runSql(sql`update stored_file set created_at = now() - interval '2 days'`);
};
const isStored = async (who: TestUser, bytes: Uint8Array) =>
  (await files().bytes("originals", who.iid, hash(bytes))) !== null;
const readUsedStorage = async (who: TestUser) => (await who.call("capacity.storage", { iid: who.iid })).totalSize;
const listAuditActions = async (subject: string) =>
  (
    await database().asSystem((db) =>
      db.selectFrom("audit").select("action").where("subject", "=", subject).orderBy("id").execute(),
    )
  ).map(({ action }) => action);

describe("the bin", () => {
  it("keeps a study for thirty days and not for thirty-one: then its files and their storage are free, but for what another study holds", async () => {
    const { clinic } = await setup();
    const [one, other] = [await createPatient(clinic), await createPatient(clinic)];
    const [shared, own] = [await photo("#a04040"), await photo("#40a040")];
    const gone = (await uploadStudy(clinic, one, { "a.jpg": shared, "b.jpg": own })).studies;
    const kept = (await uploadStudy(clinic, other, { "c.jpg": shared })).studies;
    await expireUploads();
    const before = await readUsedStorage(clinic);
    for (const id of gone) await clinic.call("study.remove", { id });
    for (const id of gone) await setDeletedDaysAgo("study", id, 29);
    await purgeExpired(database(), erasePatient);
    expect(await isStored(clinic, own)).toBe(true);
    for (const id of gone) await setDeletedDaysAgo("study", id, 31);
    await purgeExpired(database(), erasePatient);
    expect([await isStored(clinic, own), await isStored(clinic, shared)]).toEqual([false, true]);
    expect(await readUsedStorage(clinic)).toBeLessThanOrEqual(before);
    expect((await clinic.call("study.detail", { id: kept[0] })).state).toBe("ready");
    expect(await listAuditActions(gone[0])).toContain("study.purge");
    const left = await runSql(sql`select from stored_file where institution_id = ${clinic.iid}`);
    expect(left.rows).toHaveLength(1);
  });

  it("lets a patient go with all images, but one whom an order names stays", async () => {
    const clinicAndLab = await setup();
    const { clinic } = clinicAndLab;
    const gone = await createPatient(clinic);
    const [study] = (await uploadStudy(clinic, gone, { "upper.stl": scan })).studies;
    const named = await createPatient(clinic, { name: "李明" });
    await sendOrder(clinicAndLab, { patientId: named });
    await expireUploads();
    for (const id of [gone, named]) await setDeletedDaysAgo("patient", id, 31);
    await runSql(sql`update institution set retention_years = 0 where id = ${clinic.iid}`);
    await purgeExpired(database(), erasePatient);
    const { rows } = await runSql(sql`select id from patient where institution_id = ${clinic.iid}`);
    expect(rows).toEqual([{ id: named }]);
    expect(await isStored(clinic, scan)).toBe(false);
    expect([await listAuditActions(study), await listAuditActions(gone)]).toEqual([
      expect.arrayContaining(["study.purge"]),
      expect.arrayContaining(["patient.purge"]),
    ]);
  });
});

it("a streaming copy of an order's scan is deleted three months after its last use, and recreated on the next", async () => {
  const { clinic } = await setup();
  const uploads = [{ upload: await clinic.upload("upper.stl", scan), role: "upperScan" as const }];
  const { id } = await clinic.call("order.save", crownOrderInput(await createPatient(clinic), null, { uploads }));
  const copyOf = async () => (await clinic.call("order.detail", { id })).files[0].glb;
  const copies = async () =>
    (await runSql(sql`select sha256 from order_glb where institution_id = ${clinic.iid} and sha256 is not null`))
      .rows as {
      sha256: string;
    }[];
  await expect.poll(copyOf, { timeout: 20_000 }).not.toBeNull();
  const [copy] = await copies();
  const unusedFor = (days: number) =>
    runSql(
      sql`update order_glb set used_at = now() - make_interval(days => ${days}) where institution_id = ${clinic.iid}`,
    );
  await unusedFor(80);
  await dropUnusedDerivedFiles(database());
  expect(await copies()).toEqual([copy]);
  await unusedFor(100);
  await dropUnusedDerivedFiles(database());
  expect(await copies()).toEqual([]);
  expect(await files().bytes("converted", clinic.iid, copy.sha256)).toBeNull();
  expect(await copyOf()).toBeNull();
  await expect.poll(copyOf, { timeout: 20_000 }).not.toBeNull();
  expect(await copies()).toEqual([copy]);
});

it("a file that no row ever named goes once it has lain there for thirty days, and no other", async () => {
  const { clinic } = await setup();
  const named = await photo("#654321");
  await uploadStudy(clinic, await createPatient(clinic), { "a.jpg": named });
  const lostAfter = async (days: number, area: "originals" | "converted") => {
    const { sha256 } = await files().put(area, clinic.iid, Buffer.from(`${area} ${days}`));
    await setFileAge(clinic, area, sha256, days);
    return [area, sha256] as const;
  };
  const old = [await lostAfter(31, "originals"), await lostAfter(31, "converted")];
  const young = [await lostAfter(29, "originals"), await lostAfter(29, "converted")];
  await setFileAge(clinic, "originals", hash(named), 400);
  expect(await removeOrphanedFiles(database())).toBe(2);
  for (const [area, sha256] of old) expect(await files().bytes(area, clinic.iid, sha256)).toBeNull();
  for (const [area, sha256] of young) expect(await files().bytes(area, clinic.iid, sha256)).not.toBeNull();
  expect(await isStored(clinic, named)).toBe(true);
});

const setFileAge = (who: TestUser, area: "originals" | "converted", sha256: string, days: number) =>
  files().local(area, who.iid, sha256, async (at) => {
    const then = Date.now() / 1000 - days * 86_400;
    await utimes(at, then, then);
  });

it("an original that only a deleted draft needed goes, and a notice after a year", async () => {
  const { clinic } = await setup();
  const patientId = await createPatient(clinic);
  const bytes = await photo("#123456");
  const upload = await clinic.upload("smile.jpg", bytes);
  const uploads = [{ upload, role: "photo" as const }];
  const draft = await clinic.call("order.save", crownOrderInput(patientId, null, { uploads }));
  await expireUploads();
  await purgeExpired(database(), erasePatient);
  expect(await isStored(clinic, bytes)).toBe(true);
  await clinic.call("order.step", { id: draft.id, action: "delete", version: draft.version });
  for (const days of [364, 366])
    await runSql(
      sql`insert into notice (id, user_id, kind, created_at) values (gen_random_uuid(), ${clinic.uid}, 'orderMoved', now() - make_interval(days => ${days}))`,
    );
  expect(await purgeExpired(database(), erasePatient)).toMatchObject({ notices: 1 });
  expect(await isStored(clinic, bytes)).toBe(false);
});

describe("the files for viewers", () => {
  const unusedFor = (id: string, months: number) =>
    runSql(
      sql`update study set used_at = now() - make_interval(months => ${months}) - interval '1 day' where id = ${id}`,
    );
  const groupsOf = async (who: TestUser, id: string) =>
    (await who.call("study.detail", { id })).series[0].volume?.groups.map(
      (url) => new URL(present(url), "http://a").pathname,
    );

  it("are deleted three months after their last use and are identical when recreated; originals always stay", async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    const [id] = (await uploadStudy(clinic, patient, slices)).studies as [string];
    const before = await groupsOf(clinic, id);
    expect(before).toHaveLength(3);
    await unusedFor(id, 2);
    expect(await dropUnusedDerivedFiles(database())).toBe(0);
    await unusedFor(id, 3);
    // Viewing counts as use.
    await clinic.call("study.detail", { id });
    expect(await dropUnusedDerivedFiles(database())).toBe(0);
    await unusedFor(id, 3);
    expect(await dropUnusedDerivedFiles(database())).toBe(1);
    const [row] = await clinic.call("study.list", { patientId: patient });
    expect(row).toMatchObject({ state: "unconverted", thumbnailUrl: expect.any(String) });
    expect(await groupsOf(clinic, id)).toBeUndefined();
    const { rows } = await runSql(sql`select from converted_file where institution_id = ${clinic.iid}`);
    expect(rows).toEqual([]);
    const again = await clinic.call("study.convert", { id });
    expect(again).toMatchObject({ state: "converting", job: expect.any(String) });
    // A repeated request returns the same job.
    expect((await clinic.call("study.convert", { id })).job).toBe(again.job);
    expect((await waitForIngestJob(clinic, present(again.job, "job"))).state).toBe("done");
    expect(await clinic.call("study.conversion", { id })).toMatchObject({ state: "ready", job: null, progress: 1 });
    expect((await groupsOf(clinic, id))?.map(contentOf)).toEqual(before?.map(contentOf));
    expect(await listAuditActions(id)).toEqual(expect.arrayContaining(["study.unprepare", "study.convert"]));
  });

  it("can be cancelled while they are recreated: finished files stay, the study is shown as unconverted, and conversion can continue later", async () => {
    const { clinic } = await setup();
    const [id] = (await uploadStudy(clinic, await createPatient(clinic), slices)).studies as [string];
    await unusedFor(id, 3);
    await dropUnusedDerivedFiles(database());
    const { job } = await clinic.call("study.convert", { id });
    expect((await clinic.call("study.cancelJob", { id: present(job) })).state).toBe("cancelled");
    expect((await clinic.call("study.conversion", { id })).state).toBe("unconverted");
    const next = await clinic.call("study.convert", { id });
    expect(next.job).not.toBe(job);
    expect((await waitForIngestJob(clinic, present(next.job, "job"))).state).toBe("done");
    expect(await groupsOf(clinic, id)).toHaveLength(3);
  });

  it("are recreated for a lab, too, that receives the study through an order", async () => {
    const clinicAndLab = await setup();
    const { clinic, lab } = clinicAndLab;
    const patientId = await createPatient(clinic);
    const [id] = (await uploadStudy(clinic, patientId, slices)).studies as [string];
    await sendOrder(clinicAndLab, { patientId, studies: [id] });
    await unusedFor(id, 3);
    await dropUnusedDerivedFiles(database());
    const began = await lab.call("study.convert", { id });
    expect(began).toMatchObject({ state: "converting", job: null });
    await expect
      .poll(async () => (await lab.call("study.conversion", { id })).state, { timeout: 20_000 })
      .toBe("ready");
    expect(refusalOf(await clinicAndLab.designer.ask("study.convert", { id: patientId }))).toBe("notFound");
  });
});
const contentOf = (pathname: string): string => pathname.split("/").slice(2, 5).join("/");

it("where the storage is full nothing more is even read: neither from a browser nor by DICOMweb", async () => {
  const { clinic } = await setup();
  await runSql(
    sql`insert into stored_file (institution_id, sha256, bytes) values (${clinic.iid}, ${"0".repeat(64)}, ${freeBytes})`,
  );
  await expect(clinic.upload("smile.jpg", await photo("#111111"))).rejects.toThrow("507");
  const address = new URL("/dicomweb/studies", clinicAndLab.server.address);
  const status = await new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${clinic.token}`, "content-type": type, "content-length": 1_000_000_000 };
    // No byte of the body is sent, but the response arrives all the same.
    const asked = request(address, { method: "POST", headers }, (answer) => {
      resolve(answer.statusCode ?? 0);
      asked.destroy();
    });
    asked.on("error", reject).flushHeaders();
  });
  expect(status).toBe(507);
});
const type = 'multipart/related; type="application/dicom"; boundary=x';

it("every column that names a stored file is in the list of those", async () => {
  const { rows } =
    await runSql(sql`select c.relname as "table", a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and (a.attname ~ '(sha256|thumbnail|logo|avatar)'
      or exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)
        and pg_get_constraintdef(k.oid) like '%[0-9a-f]{64}%'))`);
  // These columns hold hashes but own no stored file: file maintenance, migrations, the content of an upload again, and
  // the source of a derived file.
  const others = [
    // A keyed hash of an e-mail address.
    "letter_count.recipient",
    "file_fault.sha256",
    "unneeded.sha256",
    "migration.sha256",
    "intake.sha256",
    "order_glb.original",
    "order_picture.original",
    "cleaned_file.original",
    "analysis.image_sha256",
    "chart_decision.image_sha256",
    // The hash of the signed content.
    "report.sha256",
  ];
  const forgotten = (rows as { table: string; column: string }[]).filter(
    ({ table, column }) =>
      !others.includes(`${table}.${column}`) &&
      !fileColumns.some((one) => one.table === table && one.column === column),
  );
  expect(forgotten).toEqual([]);
});
