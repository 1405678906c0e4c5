import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanorama } from "@arcada/phantom/radiograph/panorama";
import { buildModel } from "@arcada/testing/analysis/onnx-model";
import { createSigner, writePack, type PackFixture } from "@arcada/testing/analysis/write-engine-pack";
import { waitForIngestJob } from "@arcada/testing/fixtures/uploads";
import { refusalOf } from "@arcada/testing/refusal-of";
import { present } from "@arcada/testing/require-present";
import { getTestServer, setup, type AnyTestUser, type TestUser } from "@arcada/testing/setup/test-server";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-included-"));
const [signer, stranger] = [createSigner("House"), createSigner("Stranger")];
const file = path.join(folder, "house.teeth.zip");
const engine = "house.teeth";
/** The film is its own heatmap: its brightest place is tooth 11. */
const model = buildModel({
  input: [1, 1, 32, 64],
  outputs: [{ name: "map", rank: 4 }],
  nodes: [{ op: "Relu", inputs: ["in"], outputs: ["map"] }],
});
const writeIncluded = ({ manifest, ...more }: Partial<PackFixture> = {}) =>
  writePack(file, { model, signer, manifest: { id: engine, ...manifest }, ...more });

let operator: AnyTestUser;
beforeAll(async () => {
  await writeIncluded();
  const server = await getTestServer({ ENGINE_FOLDER: folder, ENGINE_KEYS: signer.trusted });
  operator = await server.createUser("operator");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const switchTo = (audience: "nobody" | "chosen" | "all", institutionIds: string[] = []) =>
  operator.call("analysis.switchIncluded", { engine, audience, institutionIds });
const listSources = async (who: TestUser) =>
  (await who.call("analysis.engines", {})).engines.map(({ source }) => source);

async function uploadFilm(
  clinic: TestUser,
  seed: number,
  name = `Ana ${seed}`,
): Promise<{ patientId: string; studyId: string }> {
  const { id: patientId } = await clinic.call("patient.create", {
    name,
    sex: "female",
    birthDate: "1990-02-03",
  });
  const image = await sharp({ create: { width: 640, height: 320, channels: 3, background: { r: seed, g: 0, b: 0 } } })
    .composite([
      { input: Buffer.alloc(400, 255), raw: { width: 20, height: 20, channels: 1 as const }, left: 470, top: 90 },
    ])
    .png()
    .toBuffer();
  const job = await clinic.call("study.open", {
    patientId,
    uploads: [await clinic.upload("film.png", image)],
    kind: "panorama",
  });
  const done = await waitForIngestJob(clinic, job.id);
  return { patientId, studyId: present(done.studies[0]) };
}
const listRuns = (who: TestUser, patientId: string) => who.call("analysis.list", { patientId });
async function waitForRun(who: TestUser, patientId: string) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const [run] = await listRuns(who, patientId);
    if (run && run.state !== "queued" && run.state !== "running") return run;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("no analysis ended");
}

it("runs for nobody until the operator switches it on, for chosen clinics or for all", async () => {
  const { clinic, dentist, lab } = await setup();
  const { clinic: other } = await setup();
  await switchTo("nobody");
  expect(await listSources(clinic)).toEqual(["builtIn"]);
  expect(await switchTo("chosen", [clinic.iid])).toMatchObject({
    audience: "chosen",
    institutions: [{ id: clinic.iid }],
    info: { id: engine },
    signedBy: "House",
  });
  expect([await listSources(clinic), await listSources(other)]).toEqual([["builtIn", "included"], ["builtIn"]]);
  await switchTo("all");
  expect([await listSources(dentist), await listSources(other)]).toEqual([
    ["builtIn", "included"],
    ["builtIn", "included"],
  ]);
  const input = { engine, audience: "chosen" as const, institutionIds: [lab.iid] };
  expect(refusalOf(await operator.ask("analysis.switchIncluded", input))).toBe("notFound");
  expect(refusalOf(await clinic.ask("analysis.switchIncluded", { ...input, institutionIds: [clinic.iid] }))).toBe(
    "notAllowed",
  );
  expect(refusalOf(await clinic.ask("analysis.included", {}))).toBe("notAllowed");
  const remove = await clinic.ask("analysis.switchEngine", { id: clinic.iid, on: false });
  expect(refusalOf(remove)).toBe("notFound");
});

it("runs for whom the last of several operators decided, if they decide at once", async () => {
  const { clinic } = await setup();
  await switchTo("nobody");
  const decisions = Array.from({ length: 4 }, () => [switchTo("all"), switchTo("chosen", [clinic.iid])]).flat();
  for (const { audience, institutions } of await Promise.all(decisions))
    expect(institutions.map(({ id }) => id)).toEqual(audience === "all" ? [] : [clinic.iid]);
  const [decided] = (await operator.call("analysis.included", {})).engines;
  expect(decided?.institutions.length).toBe(decided?.audience === "all" ? 0 : 1);
});

it("analyses an uploaded film once by itself, counts it, and only what a dentist confirms is in the lists", async () => {
  const { clinic, dentist } = await setup();
  await switchTo("chosen", [clinic.iid]);
  const { patientId, studyId } = await uploadFilm(dentist, 1);
  const run = await waitForRun(dentist, patientId);
  expect(run).toMatchObject({ state: "done", open: 1, startedBy: null, engine: { id: engine, level: "C" } });
  // The same film again, by hand and at once from two browsers: one analysis, counted once.
  const again = await Promise.all([1, 2].map(() => dentist.call("analysis.start", { studyId, engine })));
  expect(new Set(again.flat().map(({ id }) => id))).toEqual(new Set([run.id]));
  expect(await clinic.call("capacity.analyses", {})).toMatchObject({ noi: 1 });
  const chart = async () => (await dentist.call("chart.detail", { patientId })).content.teeth;
  expect(await chart()).toEqual([]);
  const { seen } = await dentist.call("analysis.detail", { id: run.id });
  const decisions = seen.map(({ id }) => ({ action: "accept" as const, observationId: id }));
  await dentist.call("chart.decide", { patientId, decisions });
  expect(await chart()).toMatchObject([{ fdi: 11, presence: "present", crown: null, confirmedBy: dentist.uid }]);
});

it("starts nothing by itself where the clinic starts by hand, and refuses an engine that is not its own", async () => {
  const { clinic, dentist } = await setup();
  await switchTo("all");
  const [choice] = (await clinic.call("analysis.engines", {})).onUpload;
  expect(choice).toEqual({ modality: "PX", engine, choices: [engine] });
  const refused = await clinic.ask("analysis.setOnUpload", { modality: "PX", engine: "house.other" });
  expect(refusalOf(refused)).toBe("notFound");
  expect(refusalOf(await dentist.ask("analysis.setOnUpload", { modality: "PX", engine: null }))).toBe("notAllowed");
  expect(await clinic.call("analysis.setOnUpload", { modality: "PX", engine: null })).toMatchObject([{ engine: null }]);
  const { patientId, studyId } = await uploadFilm(dentist, 2);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await listRuns(dentist, patientId)).toEqual([]);
  await dentist.call("analysis.start", { studyId, engine });
  expect(await waitForRun(dentist, patientId)).toMatchObject({ state: "done", startedBy: dentist.name });
});

it("leaves a film that was taken months ago to a person", async () => {
  const { clinic, dentist } = await setup();
  await switchTo("chosen", [clinic.iid]);
  const named = { name: "Old Film", sex: "female", birthDate: "1990-02-03" } as const;
  const { id: patientId } = await dentist.call("patient.create", named);
  const { bytes } = createPanorama(makeHead("old"), { id: "1", name: "Film^Old", sex: "F", birthDate: "19900203" });
  const uploads = [await dentist.upload("film.dcm", Buffer.from(bytes))];
  const job = await dentist.call("study.open", { patientId, uploads, kind: "panorama", acceptMismatch: true });
  const { studies } = await waitForIngestJob(dentist, job.id);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await listRuns(dentist, patientId)).toEqual([]);
  await dentist.call("analysis.start", { studyId: present(studies[0]), engine });
  expect(await waitForRun(dentist, patientId)).toMatchObject({ state: "done" });
});

it("leaves an analysis with its patient when the same film is uploaded to another one by mistake", async () => {
  const { clinic, dentist } = await setup();
  await switchTo("chosen", [clinic.iid]);
  const first = await uploadFilm(dentist, 4);
  const run = await waitForRun(dentist, first.patientId);
  const mistaken = await uploadFilm(dentist, 4, "Bettina Other");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const idsOf = async (patientId: string) => (await listRuns(dentist, patientId)).map(({ id }) => id);
  expect(await idsOf(first.patientId)).toContain(run.id);
  // A person who asks for it there gets it there.
  await dentist.call("analysis.start", { studyId: mistaken.studyId, engine });
  expect(await idsOf(mistaken.patientId)).toContain(run.id);
});

it("does not analyse another organisation's film", async () => {
  const { clinic } = await setup();
  const { clinic: other } = await setup();
  await switchTo("chosen", [other.iid]);
  const { studyId } = await uploadFilm(clinic, 3);
  expect(refusalOf(await clinic.ask("analysis.start", { studyId, engine }))).toBe("notFound");
  expect(refusalOf(await other.ask("analysis.start", { studyId, engine }))).toBe("notFound");
});

it("does not run a file that was replaced by another signer's, by another model or by an unsigned pack", async () => {
  const { clinic } = await setup();
  await switchTo("all");
  const authentic = readFileSync(file);
  const replacements: [Partial<PackFixture>, string][] = [
    [{ signer: stranger }, "packTampered"],
    [{ files: { "model.onnx": Buffer.from("another model") } }, "packTampered"],
    [{ files: { "manifest.sig": null } }, "packUnsigned"],
  ];
  for (const [pack, fault] of replacements) {
    await writeIncluded(pack);
    expect(await listSources(clinic)).toEqual(["builtIn"]);
    const { engines, refused } = await operator.call("analysis.included", {});
    expect([engines, refused]).toMatchObject([[], [{ file: "house.teeth.zip", fault }]]);
  }
  writeFileSync(file, authentic);
  expect(await listSources(clinic)).toEqual(["builtIn", "included"]);
});

it("reads a file again whose bytes were changed in place, although its size and its time are the same", async () => {
  const { clinic } = await setup();
  await switchTo("all");
  const authentic = readFileSync(file);
  expect(await listSources(clinic)).toEqual(["builtIn", "included"]);
  const { atime, mtime } = statSync(file);
  const writeAsBefore = (bytes: Buffer) => {
    writeFileSync(file, bytes);
    utimesSync(file, atime, mtime);
  };
  writeAsBefore(Buffer.alloc(authentic.length));
  expect(await listSources(clinic)).toEqual(["builtIn"]);
  writeAsBefore(authentic);
  expect(await listSources(clinic)).toEqual(["builtIn", "included"]);
});
