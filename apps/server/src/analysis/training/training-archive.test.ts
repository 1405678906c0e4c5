import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, expect, it } from "vitest";
import { waitForIngestJob } from "@arcada/testing/fixtures/uploads";
import { getTestServer, setup, type TestUser } from "@arcada/testing/setup/test-server";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { buildModel } from "@arcada/testing/analysis/onnx-model";
import { writePack, type PackFixture } from "@arcada/testing/analysis/write-engine-pack";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-engines-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A clinic whose packs the operator has allowed, on an instance that accepts unsigned packs. */
async function trustedClinic(): Promise<TestUser> {
  await getTestServer({ ENGINE_UNSIGNED: "on" });
  const { clinic } = await setup();
  await clinic.server.allowEnginePacks(clinic.iid);
  return clinic;
}

const hasRuntime = process.platform !== "darwin" || process.arch === "arm64";
it.runIf(hasRuntime)(
  "an authentic pack analyses a radiograph, and a tampered or forbidden pack leaves no data behind",
  { timeout: 120_000 },
  async () => {
    const clinic = await trustedClinic();
    const patientId = (await clinic.call("patient.create", { name: "Ana", sex: "female", birthDate: "1990-02-03" })).id;
    const studyId = await uploadRadiograph(clinic, patientId);

    const tampered = await clinic.call("analysis.installPack", {
      upload: await installPack(clinic, { files: { "model.onnx": Buffer.from("another model") } }),
    });
    expect(tampered).toEqual({ engine: null, fault: "packTampered", detail: "sumDiffers" });
    const thief = buildModel({
      input: [1, 1, 32, 64],
      outputs: [{ name: "map", rank: 1 }],
      nodes: [{ op: "Cast", inputs: ["bytes"], outputs: ["map"], attributes: { to: 1 } }],
      weights: { bytes: { dims: [40], location: "README.md" } },
    });
    expect(await clinic.call("analysis.installPack", { upload: await installPack(clinic, { model: thief }) })).toEqual({
      engine: null,
      fault: "modelForbidden",
      detail: "externalData",
    });
    const left = await clinic.server.running.database.asSystem((db) =>
      sql<{ sha256: string }>`select sha256 from stored_file f where institution_id = ${clinic.iid}
        and not exists (select from instance i where i.institution_id = f.institution_id and i.sha256 = f.sha256)`.execute(
        db,
      ),
    );
    expect(left.rows).toEqual([]);

    const { engine } = await clinic.call("analysis.installPack", { upload: await installPack(clinic, {}) });
    expect(engine).toMatchObject({
      source: "pack",
      on: true,
      info: { id: "test.teeth", kind: "learned", quotaCost: 1 },
    });
    const again = await clinic.ask("analysis.installPack", { upload: await installPack(clinic, {}) });
    expect(refusalOf(again)).toBe("engineKnown");

    const [begun] = await clinic.call("analysis.start", { studyId, engine: engine!.id });
    const done = await waitUntilDone(clinic, begun.id);
    expect(done).toMatchObject({
      state: "done",
      open: 1,
      seen: [{ code: "TOOTH_BOX", target: { kind: "tooth", fdi: 11 } }],
    });
    expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 1 });

    await clinic.call("analysis.switchEngine", { id: engine!.id, on: false });
    expect(refusalOf(await clinic.ask("analysis.start", { studyId, engine: engine!.id }))).toBe("engineOff");
    await clinic.call("analysis.removeEngine", { id: engine!.id });
    expect((await clinic.call("analysis.engines", {})).engines.map(({ source }) => source)).toEqual(["builtIn"]);
    expect((await clinic.call("analysis.detail", { id: begun.id })).info.card.limits).toBe("Knows one bright place.");
    expect(await clinic.call("analysis.training", {})).toEqual({ images: 0, patients: 0, withoutConsent: 0 });
  },
);

it.runIf(hasRuntime)(
  "a pack whose model returns NaN fails with that reason, stores nothing and charges nothing",
  { timeout: 120_000 },
  async () => {
    const clinic = await trustedClinic();
    const patientId = (await clinic.call("patient.create", { name: "Ana", sex: "female", birthDate: "1990-02-03" })).id;
    const studyId = await uploadRadiograph(clinic, patientId);
    const model = buildModel({
      input: [1, 1, 32, 64],
      outputs: [{ name: "map", rank: 4 }],
      nodes: [
        { op: "Neg", inputs: ["in"], outputs: ["low"] },
        { op: "Sqrt", inputs: ["low"], outputs: ["map"] },
      ],
    });
    const { engine } = await clinic.call("analysis.installPack", { upload: await installPack(clinic, { model }) });
    const [begun] = await clinic.call("analysis.start", { studyId, engine: present(engine).id });
    expect(await waitUntilDone(clinic, begun.id)).toMatchObject({ state: "failed", error: "notANumber", seen: [] });
    expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 0 });
  },
);

it.runIf(hasRuntime)(
  "only organisations that the operator allows install and run packs; others are refused with the reason",
  { timeout: 120_000 },
  async () => {
    await getTestServer({ ENGINE_UNSIGNED: "on" });
    const { clinic, lab } = await setup();
    const operator = await clinic.server.createUser("operator");
    const allow = (institutionId: string, allowed: boolean) =>
      operator.ask("analysis.allowPacks", { institutionId, allowed });
    const patientId = (await clinic.call("patient.create", { name: "Ana", sex: "female", birthDate: "1990-02-03" })).id;
    const studyId = await uploadRadiograph(clinic, patientId);
    const install = async () => clinic.ask("analysis.installPack", { upload: await installPack(clinic, {}) });

    expect(refusalOf(await install())).toBe("packsForbidden");
    expect((await clinic.call("analysis.engines", {})).packs).toEqual({ allowed: false, unsigned: true });
    expect(refusalOf(await clinic.ask("analysis.allowPacks", { institutionId: clinic.iid, allowed: true }))).toBe(
      "notAllowed",
    );
    for (const unknown of [newId(), lab.iid]) expect(refusalOf(await allow(unknown, true))).toBe("notFound");

    for (const _ of "twice") expect((await allow(clinic.iid, true)).code).toBe(200);
    expect((await operator.call("operator.organisation", { id: clinic.iid })).enginePacks).toBe(true);
    const engine = present((await install()).data.engine, "engine");
    expect((await clinic.call("analysis.engines", {})).packs.allowed).toBe(true);

    await allow(clinic.iid, false);
    expect(refusalOf(await clinic.ask("analysis.start", { studyId, engine: engine.id }))).toBe("packsForbidden");
    const { rows } = await clinic.server.running.database.asSystem((db) =>
      sql<{
        detail: unknown;
      }>`select detail from audit where action = 'analysis.packs' and subject = ${clinic.iid} order by id`.execute(db),
    );
    expect(rows.at(-1)?.detail).toMatchObject({ allowed: false });
  },
);

it("the training export contains only consenting patients: 16-bit images with boxes and codes, without names even in the pixels", async () => {
  const { clinic } = await setup();
  const { iid, server } = clinic;
  const patientId = (await clinic.call("patient.create", { name: "Ana", sex: "female", birthDate: "1990-02-03" })).id;
  await uploadRadiograph(clinic, patientId);
  const tooth = { fdi: 16, presence: "present" as const, crown: 1 as const, confirmed: true };
  const findings = [
    { code: "caries" as const, surfaces: ["occlusal" as const], severity: null, remark: "Ana said so" },
  ];
  await clinic.call("chart.save", { patientId, version: 0, teeth: [{ ...tooth, findings }] });
  expect(await clinic.call("analysis.training", {})).toEqual({ images: 0, patients: 0, withoutConsent: 1 });
  await server.running.database.asSystem((db) =>
    sql`insert into consent (institution_id, id, patient_id, kind, text_version, words, how, given_by, given_for, given_at, recorded_by)
      values (${iid}, gen_random_uuid(), ${patientId}, 'training', '1', 'yes', 'screen', 'Ana', 'self', now(), ${clinic.uid})`.execute(
      db,
    ),
  );
  // Declared as a panorama, but in the colour of skin.
  await uploadRadiograph(clinic, patientId, "#c98f74");
  const { url } = await clinic.call("analysis.exportTraining", {});
  const bytes = Buffer.from(await (await fetch(server.address + url)).arrayBuffer());
  const names = [...bytes.toString("latin1").matchAll(/P-[0-9a-f]{12}\/I-[0-9a-f]{12}\.(?:png|json)/g)];
  expect(new Set(names.map(([name]) => name)).size).toBe(2);
  const text = bytes.toString("latin1");
  expect(text).toContain('"code": "caries"');
  expect(text).toMatch(/"images": 1,\s+"leftOut": \[\s+"(?:training|trial)\/P-/);
  // One patient in five is held back from training; the folder and the JSON file agree on it.
  expect(text).toContain(`"heldBack": ${text.includes("trial/P-")}`);
  for (const secret of ["Ana", patientId, "film.png"]) expect(text).not.toContain(secret);
  const png = bytes.subarray(bytes.indexOf("\x89PNG", 0, "latin1"), bytes.indexOf("IEND", 0, "latin1") + 8);
  expect(await sharp(png).metadata()).toMatchObject({ depth: "ushort", channels: 1, width: 640, height: 320 });
  expect((await clinic.call("analysis.training", {})).images).toBe(2);
  await server.running.database.asSystem((db) =>
    sql`insert into dicom_instance (institution_id, instance_id, study_id, series_uid, uid, sop_class, frames, syntax, attributes, metadata)
      select institution_id, id, study_id, '1.2', '1.3', '1.4', 1, '1.5', '', ${'{\u0001"00280301":{"vr":"CS","Value":["YES"]}}'}
      from instance where institution_id = ${iid}`.execute(db),
  );
  expect((await clinic.call("analysis.training", {})).images).toBe(0);
});

/** A radiograph with one bright area. */
async function uploadRadiograph(clinic: TestUser, patientId: string, background = "#000"): Promise<string> {
  const dot = {
    input: Buffer.alloc(400, 255),
    raw: { width: 20, height: 20, channels: 1 as const },
    left: 470,
    top: 90,
  };
  const ground = sharp({ create: { width: 640, height: 320, channels: 3, background } });
  const radiograph = await ground.composite([dot]).png().toBuffer();
  const uploads = [await clinic.upload("film.png", radiograph)];
  const { id } = await clinic.call("study.open", { patientId, uploads, kind: "panorama" });
  return (await waitForIngestJob(clinic, id)).studies[0];
}

let packCount = 0;
async function installPack(clinic: TestUser, pack: Partial<PackFixture>): Promise<string> {
  const model = buildModel({
    input: [1, 1, 32, 64],
    outputs: [{ name: "map", rank: 4 }],
    nodes: [{ op: "Relu", inputs: ["in"], outputs: ["map"] }],
  });
  const at = await writePack(path.join(folder, `${packCount++}.zip`), { model, ...pack });
  return clinic.upload("pack.zip", readFileSync(at));
}

async function waitUntilDone(clinic: TestUser, id: string) {
  for (;;) {
    const found = await clinic.call("analysis.detail", { id });
    if (found.state !== "queued" && found.state !== "running") return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
