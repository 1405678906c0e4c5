import { createHash } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { toVector } from "@arcada/imaging/geometry/vector";
import { sampleMiddlePlanes } from "@arcada/imaging/view/middle-planes";
import { encodeArchImages, renderArchImages } from "@arcada/imaging/arch/arch-images";
import { guessArch } from "@arcada/imaging/arch/detection/detect-arches";
import { buildPreview } from "@arcada/imaging/volume/volume-preview";
import { decodeSliceGroup } from "@arcada/imaging/volume/slice-group-codec";
import type { Study } from "@arcada/contract/study/study.schema";
import { waitForIngestJob, createPatient, openStudy, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { runIngestJob } from "./run-ingest-job.ts";
import { craftZip } from "./archive/crafted-zip.ts";
import { buildVolume } from "../../../../packages/imaging/src/volume/build-volume.ts";
import { present } from "@arcada/testing/require-present";

const head = makeHead("ingest");
const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const size = { columns: 96, rows: 96, slices: 20, voxel: 1.6 };
const slices = [...createCbctFiles(head, wang, { size })];
const cbctZip = craftZip(slices.map(({ bytes }, place) => ({ name: `disc/I${place}`, data: bytes })));
const scan = writeStl(createArchScan(head, "upper"));
const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

let env: TestSetup;
beforeAll(async () => void (env = await setup()));
const bytesAt = async (url: string): Promise<Uint8Array> => {
  const response = await fetch(new URL(url, env.server.address));
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
};
const studies = async (clinic: TestUser, ids: string[]): Promise<Study[]> =>
  Promise.all(ids.map((id) => clinic.call("study.detail", { id })));
const stored = (iid: string | null) =>
  env.server.running.database.asSystem((db) =>
    db.selectFrom("stored_file").select("sha256").where("institution_id", "=", present(iid)).execute(),
  );

describe("an upload of a volume, a scan and a photo", () => {
  it("becomes three studies that viewers can show, and keeps the originals byte for byte", async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    const photo = new Uint8Array(
      await sharp({ create: { width: 90, height: 60, channels: 3, background: "#b06050" } })
        .withExif({ IFD0: { Artist: "Wang Xiaoming" } })
        .jpeg()
        .toBuffer(),
    );
    const job = await uploadStudy(clinic, patient, { "cbct.zip": cbctZip, "upper.stl": scan, "smile.jpg": photo });
    expect(job).toMatchObject({ state: "done", refused: [], refusal: null });
    const found = await studies(clinic, job.studies);
    expect(found.map(({ kind, state, count }) => [kind, state, count])).toEqual([
      ["ct", "ready", 20],
      ["photo", "ready", 1],
      ["model", "ready", 1],
    ]);
    await showsVolume(found[0]);
    const image = found[1].series[0].instances[0];
    expect(image.picture).toMatchObject({ format: "image", columns: 90, rows: 60 });
    expect(Buffer.from(await bytesAt(present(image.picture, "picture").url)).includes("Xiaoming")).toBe(false);
    expect(hash(await bytesAt(present(image.originalUrl, "originalUrl")))).toBe(hash(photo));
    const model = found[2].series[0].instances[0];
    expect(model.model).toMatchObject({ format: "stl", jaw: "upper" });
    expect(hash(await bytesAt(present(model.model, "model").url))).toBe(hash(scan));
    expect(model.model?.glb?.error).toBeLessThan(0.005);
    expect((await bytesAt(present(model.model?.glb, "glb").url)).length).toBeLessThan(scan.length / 12);
    // The archive itself is removed from the store: only slices, photo and scan remain.
    await expect.poll(() => stored(clinic.iid), { timeout: 5000 }).toHaveLength(22);
  });

  async function showsVolume(study: Study): Promise<void> {
    expect(study.header.map(({ key }) => key)).toContain("KVP");
    expect(JSON.stringify(study.header)).not.toMatch(/Xiaoming|小明/);
    const [series] = study.series;
    expect(series).toMatchObject({
      kind: "volume",
      count: 20,
      problems: [],
      volume: { columns: 96, rows: 96, slices: 20, valueName: "grey" },
    });
    const truth = await buildVolume(slices.map(({ bytes }) => readDicom(bytes)));
    const groups = await Promise.all(present(series.volume, "volume").groups.map((url) => bytesAt(present(url))));
    const decoded = (await Promise.all(groups.map((group) => decodeSliceGroup(group)))).flat();
    expect(
      Buffer.compare(
        Buffer.concat(decoded.map((slice) => new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength))),
        Buffer.from(truth.data.buffer),
      ),
    ).toBe(0);
    const { url, info } = present(series.volume?.preview, "preview");
    const preview = buildPreview(truth.info, truth.data);
    expect(info).toEqual(preview.info);
    const sameAs = (values: Int16Array) => Buffer.from(values.buffer);
    expect(sameAs(preview.data).equals(await bytesAt(url))).toBe(true);
    expect(
      sameAs(sampleMiddlePlanes(truth.info, preview)).equals(
        await bytesAt(present(series.volume?.firstLook, "firstLook")),
      ),
    ).toBe(true);
    const arch = present(guessArch(preview.info, preview.data));
    expect(series.volume?.arch?.lower.flat()).toEqual(arch.lower.flat().map((mm) => expect.closeTo(mm, 2) as number));
    expect(series.volume?.arch?.up).toEqual(arch.up);
    const line = { points: present(series.volume?.arch).lower.map(toVector), up: arch.up };
    const images = encodeArchImages(present(renderArchImages(truth.info, preview, line)));
    expect(hash(await bytesAt(present(series.volume?.archImages, "archImages")))).toBe(hash(images));
    expect((await sharp(await bytesAt(present(study.thumbnailUrl, "thumbnailUrl"))).metadata()).format).toBe("webp");
    const original = series.instances[7];
    const came = await bytesAt(present(original.originalUrl, "originalUrl"));
    expect(hash(came)).toBe(original.sha256);
    expect(slices.map(({ bytes }) => hash(bytes))).toContain(original.sha256);
  }
});

describe("files that name another person", () => {
  it("wait for an answer, unless the caller states beforehand that they are the patient's", async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic, { name: "李四" });
    const asked = await uploadStudy(clinic, patient, { "cbct.zip": cbctZip });
    expect(asked).toMatchObject({ state: "done", refusal: null, questions: asked.studies });
    expect(await clinic.call("study.list", { patientId: patient })).toEqual([]);
    const other = await createPatient(clinic, { name: "李四" });
    const taken = await uploadStudy(clinic, other, { "cbct.zip": cbctZip }, { acceptMismatch: true });
    expect(taken).toMatchObject({ state: "done", questions: [] });
    expect(await clinic.call("study.list", { patientId: other })).toMatchObject([{ kind: "ct", count: 20 }]);
  });
});

describe("a file that cannot go in", () => {
  it("is named with its own reason, and the rest goes in", async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    const text = (value: string) => new TextEncoder().encode(value);
    const job = await uploadStudy(clinic, patient, {
      "note.dcm": text("not a picture at all"),
      "empty.dcm": new Uint8Array(),
      "cut.dcm": slices[0].bytes.subarray(0, 9000),
      "cut.stl": scan.subarray(0, 50_000),
      "half.jpg": (
        await sharp({ create: { width: 300, height: 300, channels: 3, background: "#888" } })
          .jpeg()
          .toBuffer()
      ).subarray(0, 700),
      "secret.zip": craftZip([{ name: "a", data: text("x"), flags: 1 }]),
      "deep.zip": craftZip([
        { name: "1.zip", data: craftZip([{ name: "2.zip", data: craftZip([{ name: "x", data: text("x") }]) }]) },
      ]),
      "page.pdf": text("%PDF-1.7\n"),
      "thing.bin": Uint8Array.of(1, 2, 3, 0, 9),
      "good.zip": craftZip([{ name: "inner.zip", data: craftZip([{ name: "lower.stl", data: scan }]) }]),
    });
    expect(Object.fromEntries(job.refused.map(({ name, refusal }) => [name, refusal]))).toEqual({
      "note.dcm": "fileNotDicom",
      "empty.dcm": "fileEmpty",
      "cut.dcm": "fileTruncated",
      "cut.stl": "fileBroken",
      "half.jpg": "fileBroken",
      "secret.zip": "zipEncrypted",
      "deep.zip": "zipNested",
      "page.pdf": "fileTruncated",
      "thing.bin": "fileUnknown",
    });
    expect(job).toMatchObject({ state: "done", studies: [expect.any(String)] });
    expect((await studies(clinic, job.studies))[0].series[0].instances).toMatchObject([
      { name: "lower.stl", model: { jaw: "lower" } },
    ]);
    await expect.poll(() => stored(clinic.iid), { timeout: 5000 }).toHaveLength(1);
  });

  it("fails the job by its reason when there is no rest", async () => {
    const { clinic } = await setup();
    const job = await uploadStudy(clinic, await createPatient(clinic), {
      "a.zip": craftZip([{ name: "../../a", data: Uint8Array.of(1) }]),
    });
    expect(job).toMatchObject({ state: "failed", refusal: "zipPath", studies: [] });
    // The uploaded content is released just after the job has reported its end.
    await expect.poll(() => stored(clinic.iid), { timeout: 5000 }).toEqual([]);
  });
});

describe("the same images again", () => {
  it("are not stored twice, and new ones join their study", async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    const first = await uploadStudy(
      clinic,
      patient,
      Object.fromEntries(slices.slice(0, 10).map(({ name, bytes }) => [name, bytes])),
    );
    const second = await uploadStudy(clinic, patient, { "cbct.zip": cbctZip });
    expect(second.studies).toEqual(first.studies);
    const whole = (await studies(clinic, first.studies))[0];
    expect(whole).toMatchObject({
      count: 20,
      state: "ready",
      series: [{ kind: "volume", count: 20, volume: { slices: 20 } }],
    });
    expect(whole.series[0].volume?.groups).toHaveLength(3);
    expect([first, second].map(({ added, known }) => [added, known])).toEqual([
      [10, 0],
      [10, 10],
    ]);
    const third = await uploadStudy(clinic, patient, { "cbct.zip": cbctZip });
    expect(third).toMatchObject({ state: "done", studies: first.studies, added: 0, known: 20 });
    expect(await clinic.call("study.list", { patientId: patient })).toMatchObject([{ count: 20 }]);
    await expect.poll(() => stored(clinic.iid), { timeout: 5000 }).toHaveLength(20);
  });
});

describe("a job that is cancelled", () => {
  it("leaves nothing, wherever it stood", { timeout: 60_000 }, async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    for (const wait of [0, 60, 150, 300, 500]) {
      const id = await openStudy(clinic, patient, { "cbct.zip": cbctZip });
      await new Promise((resolve) => setTimeout(resolve, wait));
      const job = await clinic.call("study.cancelJob", { id });
      if (job.state === "done") continue;
      expect(job).toMatchObject({ state: "cancelled", studies: [] });
      expect(await clinic.call("study.list", { patientId: patient })).toEqual([]);
      await expect.poll(() => stored(clinic.iid), { timeout: 10_000 }).toEqual([]);
    }
  });
});

describe("a job whose process is killed", () => {
  it("ends as if nothing had happened, however often it is restarted", { timeout: 60_000 }, async () => {
    const { clinic } = await setup();
    const patient = await createPatient(clinic);
    const { database } = env.server.running;
    const uploads = [await clinic.upload("cbct.zip", cbctZip)];
    const job = (await clinic.call("study.open", { patientId: patient, uploads })).id;
    const key = { iid: clinic.iid, job };
    // Next to the queue's own run: started, stopped and restarted at other points.
    for (const wait of [20, 80, 200, 350]) await runIngestJob(database, key, AbortSignal.timeout(wait)).catch(() => {});
    await runIngestJob(database, key, new AbortController().signal).catch(() => {});
    expect(await waitForIngestJob(clinic, job)).toMatchObject({ state: "done", refused: [] });
    expect(await clinic.call("study.list", { patientId: patient })).toMatchObject([{ count: 20, state: "ready" }]);
    expect(await stored(clinic.iid)).toHaveLength(20);
  });
});

it("refuses an image whose decoder would need much memory according to its header", { timeout: 60_000 }, async () => {
  const { clinic } = await setup();
  const bomb = await sharp({ create: { width: 11_000, height: 11_000, channels: 3, background: "#345" } })
    .toColourspace("b-w")
    .png({ progressive: true })
    .toBuffer();
  const job = await uploadStudy(clinic, await createPatient(clinic), { "bomb.png": new Uint8Array(bomb) });
  expect(job).toMatchObject({ state: "failed", refused: [{ name: "bomb.png", refusal: "fileTooMuchMemory" }] });
});
