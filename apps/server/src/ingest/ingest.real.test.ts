import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { IngestJob } from "@arcada/contract/study/upload-job.calls";
import type { Study } from "@arcada/contract/study/study.schema";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { craftZip } from "./archive/crafted-zip.ts";
import { present } from "@arcada/testing/require-present";

const data = process.env.ARCADA_TEST_DATA ?? path.join(import.meta.dirname, "../../../../../shared/data");
const real = (name: string): Uint8Array => readFileSync(path.join(data, name));
const folder = (name: string, ends = /./) =>
  Object.fromEntries(
    readdirSync(path.join(data, name))
      .filter((file) => ends.test(file))
      .map((file) => [file, real(`${name}/${file}`)]),
  );

describe.skipIf(!existsSync(data))("real files (skipped where ARCADA_TEST_DATA is absent)", () => {
  let clinic: TestUser;
  let patient: string;
  beforeAll(async () => {
    ({ clinic } = await setup());
    patient = await createPatient(clinic);
  });
  const taken = async (files: Record<string, Uint8Array>): Promise<{ job: IngestJob; studies: Study[] }> => {
    const job = await uploadStudy(clinic, patient, files, { acceptMismatch: true });
    return { job, studies: await Promise.all(job.studies.map((id) => clinic.call("study.detail", { id }))) };
  };
  const firstImage = (study: Study | undefined) => study?.series[0]?.instances[0]?.picture;

  it("a panorama in JPEG Lossless keeps its look-up table's values, inverted, on its detector's scale", async () => {
    const { studies } = await taken({ "pano.dcm": real("pano-dicom/pano-CR-ModalityLUT.dcm") });
    expect(studies).toMatchObject([{ kind: "panorama", kindCertain: false, state: "ready" }]);
    expect(firstImage(studies[0])).toMatchObject({
      format: "grey16",
      columns: 1976,
      rows: 1576,
      inverted: true,
      max: 1023,
      spacing: { row: 0.15, source: "imager" },
    });
  });

  it("a presentation state alone is refused with its reason, and is stored together with its images", async () => {
    const state = { "prLUTs.dcm": real("dcm4che-img/prLUTs.dcm") };
    const { job } = await taken(state);
    const refusal = "filePresentationOnly";
    expect(job).toMatchObject({ state: "failed", refusal, refused: [{ name: "prLUTs.dcm", refusal }] });
    const image = { "image.dcm": real("dcm4che-img/imageForPrLUTs.dcm") };
    expect((await taken({ ...image, ...state })).job).toMatchObject({ state: "done", refused: [], added: 2 });
    const other = await createPatient(clinic, { name: "李四" });
    const more = { acceptMismatch: true };
    await uploadStudy(clinic, other, image, more);
    expect(await uploadStudy(clinic, other, state, more)).toMatchObject({ state: "done", refused: [], added: 1 });
  });

  it("a plan without an image is kept as a document, and an archive within archives within archives is refused", async () => {
    const plan = real("dicom-syntaxes/files/rtplan.dcm");
    const nested = craftZip([{ name: "a.dcm", data: plan }]);
    const inner = craftZip([{ name: "2.zip", data: nested }]);
    const other = await createPatient(clinic, { name: "plan" });
    const files = { "plan.dcm": plan, "deep.zip": craftZip([{ name: "1.zip", data: inner }]) };
    const job = await uploadStudy(clinic, other, files, { acceptMismatch: true });
    expect(Object.fromEntries(job.refused.map(({ name, refusal }) => [name, refusal]))).toEqual({
      "deep.zip": "zipNested",
    });
    expect(await clinic.call("study.list", { patientId: other })).toMatchObject([{ kind: "document", state: "ready" }]);
  });

  it("a scanned cephalogram derives its scale from the scanner's resolution", async () => {
    const { studies } = await taken({ "B1893L12.jpg": real("ceph-bolton/B1893L12.jpg") });
    expect(studies).toMatchObject([{ kind: "lateralCeph", state: "ready" }]);
    const image = present(firstImage(studies[0]));
    expect(image).toMatchObject({ format: "image", columns: 4096, rows: 5120, spacing: { source: "resolution" } });
    expect(image.spacing?.row).toBeCloseTo(25.4 / 512, 6);
  });

  it("a bitewing and two scans become a radiograph and one model study with both jaws", async () => {
    const { studies } = await taken({
      "bitewing.png": real("bitewing/bitewing.png"),
      "case0-upper.stl": real("ios-smartee/derived/case0-upper.stl"),
      "case0-lower.ply": real("ios-smartee/derived/case0-lower.ply"),
    });
    expect(studies.map(({ kind, state, count }) => [kind, state, count])).toEqual([
      ["dentalFilm", "ready", 1],
      ["model", "ready", 2],
    ]);
    expect(
      studies[1].series[0].instances.map(({ model }) => [model!.format, model!.jaw, model!.triangles > 80_000]),
    ).toEqual([
      ["stl", "upper", true],
      ["ply", "lower", true],
    ]);
  });

  it(
    "a medium of extensionless files gives one study: its volume, its localizer and its captures",
    { timeout: 120_000 },
    async () => {
      const medium = "ct-skull-phantom/Philips/S21570";
      const files = ["", "/S1000", "/S2030", "/S4010"].flatMap((part) =>
        readdirSync(path.join(data, medium + part), { withFileTypes: true })
          .filter((file) => file.isFile())
          .map(({ name }) => ({ name: `S21570${part}/${name}`, data: real(`${medium}${part}/${name}`) })),
      );
      const { job, studies } = await taken({ "disc.zip": craftZip(files) });
      expect(job.refused).toEqual([]);
      expect(studies).toMatchObject([
        { kind: "ct", kindCertain: true, state: "ready", count: 147, takenAt: expect.stringContaining("2015-02-0") },
      ]);
      expect(studies[0].series.map(({ kind, count }) => [kind, count])).toEqual([
        ["pictures", 1],
        ["volume", 140],
        ["pictures", 6],
      ]);
      expect(studies[0].series[1].volume).toMatchObject({
        columns: 512,
        rows: 512,
        slices: 140,
        valueName: "HU",
        spacing: [0.451171875, 0.451171875, 1],
      });
    },
  );

  it("an archive that comes three times at once, once within another, is stored once", async () => {
    const abdomen = real("zip-mr-abdomen/abd1.zip");
    const other = await createPatient(clinic, { name: "abdomen" });
    const send = (files: Record<string, Uint8Array>) => uploadStudy(clinic, other, files, { acceptMismatch: true });
    const jobs = await Promise.all([
      send({ "abd1.zip": abdomen }),
      send({ "copy.zip": abdomen }),
      send({ "disc.zip": craftZip([{ name: "disc/abd1.zip", data: abdomen }]) }),
    ]);
    expect(jobs.map(({ state, added, known }) => [state, added + known])).toEqual([1, 2, 3].map(() => ["done", 11]));
    expect(jobs.reduce((sum, { added }) => sum + added, 0)).toBe(11);
    expect(await clinic.call("study.list", { patientId: other })).toMatchObject([{ count: 11 }]);
  });

  it(
    "every file of all syntaxes and of the broken ones is shown or named with a reason, and a locked archive is reported as locked",
    { timeout: 120_000 },
    async () => {
      const files = folder("dicom-syntaxes/files");
      const { job, studies } = await taken({ ...files, "locked.zip": real("zip-encrypted/train-gt.json.zip") });
      const reason = Object.fromEntries(job.refused.map(({ name, refusal }) => [name, refusal]));
      expect(reason).toMatchObject({
        "MR_truncated.dcm": "fileTruncated",
        "rtplan_truncated.dcm": "fileTruncated",
        "locked.zip": "zipEncrypted",
      });
      const shown = new Set(
        studies.flatMap(({ kind: studyKind, series }) =>
          series.flatMap(({ kind, instances }) =>
            instances
              .filter(({ picture: image }) => image !== null || kind === "volume" || studyKind === "document")
              .map(({ name }) => name),
          ),
        ),
      );
      const lost = Object.keys(files).filter((name) => !shown.has(name) && !(name in reason));
      // A DICOMDIR is not an image; the other file is byte for byte the same as SC_jpeg_no_color_transform_2.dcm.
      expect(lost).toEqual(["DICOMDIR-empty.dcm", "SC_rgb_jpeg_app14_dcmd.dcm"]);
      expect(shown.size).toBeGreaterThan(45);
    },
  );
});
