import { beforeAll, describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { Mark } from "@arcada/contract/study/mark";
import { cbctFiles } from "@arcada/imaging/phantom/cbct";
import { makeHead } from "@arcada/imaging/phantom/head";
import { sentOrder, smallScan, steps } from "../../../../tests/orders.ts";
import { newPatient, opened, uploaded } from "../../../../tests/uploads.ts";
import { world, type Person, type World } from "../../../../tests/world.ts";

const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const slices = Object.fromEntries(
  [...cbctFiles(makeHead("study"), wang, { size })].map(({ name, bytes }) => [`王小明 ${name}`, bytes]),
);

/** A patient with a volume and a scan. */
async function imaged(clinic: Person): Promise<{ patient: string; ct: string; model: string }> {
  const patient = await newPatient(clinic);
  const [ct] = (await uploaded(clinic, patient, slices)).studies;
  const [model] = (await uploaded(clinic, patient, { "王小明_upper.stl": smallScan() })).studies;
  return { patient, ct: ct!, model: model! };
}

describe("a study in an order", () => {
  let here: World;
  let found: Awaited<ReturnType<typeof imaged>>;
  beforeAll(async () => {
    here = await world({ clinic: { hidePatientNames: true } });
    found = await imaged(here.clinic);
  });

  it("opens to the lab from the hand-over on, without a trace of a hidden name, until the lab refuses", async () => {
    const { clinic, lab, designer } = here;
    const { patient, ct, model } = found;
    expect((await lab.asks("study.detail", { id: ct })).code).toBe(40401);
    const order = await sentOrder(here, { patientId: patient, studies: [ct, model] });
    const volume = await designer.gets("study.detail", { id: ct });
    expect(volume).toMatchObject({ patientName: "王**", state: "ready", series: [{ kind: "volume", count: 8 }] });
    expect(volume.series[0]!.volume!.groups).toHaveLength(1);
    expect(volume.series[0]!.instances.map(({ originalUrl }) => originalUrl)).toEqual(
      Array.from({ length: 8 }, () => null),
    );
    // A viewer receives only the first file of a volume, and everything else as usual.
    const shown = await designer.gets("study.detail", { id: ct, brief: "true" });
    const [series] = volume.series;
    expect(shown.series).toMatchObject([{ count: 8, instances: [{ id: series!.instances[0]!.id }] }]);
    expect(shown.series[0]!.instances).toHaveLength(1);
    expect(shown.series[0]!.volume).toEqual(series!.volume);
    const scan = await lab.gets("study.detail", { id: model });
    expect((await lab.gets("study.detail", { id: model, brief: "true" })).series).toEqual(scan.series);
    expect(scan.series[0]!.instances[0]).toMatchObject({ name: "1.stl", model: { jaw: "upper" } });
    expect(decodeURIComponent(JSON.stringify([volume, scan]))).not.toMatch(/小明|Xiaoming/i);
    expect([volume.patientId, scan.patientId, volume.description]).toEqual([null, null, null]);
    expect(JSON.stringify([volume, scan])).not.toContain(patient);
    expect(await clinic.gets("study.detail", { id: ct })).toMatchObject({ patientName: "王小明", patientId: patient });
    await steps(lab, order, "refuse", { reason: "no capacity" });
    expect((await lab.asks("study.detail", { id: ct })).code).toBe(40401);
    expect((await lab.asks("study.marks", { id: ct })).code).toBe(40401);
  });

  it("stays where it is while the order runs", async () => {
    const { clinic } = here;
    const { patient, ct } = found;
    const other = await newPatient(clinic);
    await sentOrder(here, { patientId: patient, studies: [ct] });
    expect((await clinic.asks("study.remove", { id: ct })).code).toBe(40910);
    const move = { id: ct, from: patient, patientId: other, reason: "wrong person" };
    expect((await clinic.asks("study.move", move)).code).toBe(40910);
    expect(await clinic.gets("study.detail", { id: ct })).toMatchObject({ patientId: patient });
  });
});

describe("a clinic's study", () => {
  it("can be given another kind and another patient, and be removed", async () => {
    const { clinic, dentist } = await world();
    const { patient, ct, model } = await imaged(clinic);
    expect(await dentist.gets("study.attach", { id: ct, kind: "xRay" })).toMatchObject({
      kind: "xRay",
      kindCertain: true,
    });
    const other = await newPatient(clinic, { name: "李四" });
    const move = { id: ct, from: patient, patientId: other, reason: "wrong person" };
    expect((await dentist.asks("study.move", move)).code).toBe(refusals.patientMismatch.code);
    expect(await dentist.gets("study.move", { ...move, acceptMismatch: true })).toMatchObject({ patientId: other });
    expect((await clinic.gets("study.list", { patientId: patient })).map(({ id }) => id)).toEqual([model]);
    await clinic.gets("study.remove", { id: model });
    expect(await clinic.gets("study.list", { patientId: patient })).toEqual([]);
    expect((await clinic.asks("study.detail", { id: model })).code).toBe(40401);
  });

  it("is nobody else's", async () => {
    const { clinic } = await world();
    const stranger = (await world()).clinic;
    const { patient, ct } = await imaged(clinic);
    const theirs = await newPatient(stranger);
    for (const call of ["study.detail", "study.marks", "study.remove"] as const)
      expect((await stranger.asks(call, { id: ct })).code, call).toBe(40401);
    expect((await stranger.asks("study.list", { patientId: patient })).code).toBe(40401);
    expect((await stranger.asks("study.attach", { id: ct, patientId: theirs })).code).toBe(40401);
    expect((await clinic.asks("study.attach", { id: ct, patientId: theirs })).code).toBe(40401);
    expect((await stranger.asks("study.saveMarks", { id: ct, version: 0, marks: [] })).code).toBe(40401);
  });

  it("keeps measurements, and never loses those of somebody who saved first", async () => {
    const { clinic, dentist } = await world();
    const { ct } = await imaged(clinic);
    const mark = (id: string): Mark => ({
      id,
      tool: "length",
      instanceId: null,
      points: [
        [0, 0, 0],
        [1, 2, 3],
      ],
      plane: "axial",
      text: null,
    });
    expect(await clinic.gets("study.marks", { id: ct })).toEqual({ version: 0, marks: [] });
    expect(await clinic.gets("study.saveMarks", { id: ct, version: 0, marks: [mark("a")] })).toEqual({
      version: 1,
      marks: [mark("a")],
    });
    expect(await dentist.asks("study.saveMarks", { id: ct, version: 0, marks: [mark("b")] })).toMatchObject({
      code: refusals.marksChanged.code,
      data: { version: 1, marks: [mark("a")] },
    });
    expect(await dentist.gets("study.saveMarks", { id: ct, version: 1, marks: [mark("a"), mark("b")] })).toMatchObject({
      version: 2,
    });
    expect((await clinic.gets("study.marks", { id: ct })).marks.map(({ id }) => id)).toEqual(["a", "b"]);
    expect((await clinic.asks("study.saveMarks", { id: ct, version: 7, marks: [] })).code).toBe(
      refusals.marksChanged.code,
    );
    // Another's drawing is kept as it was, also when it is removed at once; one's own only every ten minutes.
    for (const version of [2, 3, 4]) await clinic.gets("study.saveMarks", { id: ct, version, marks: [] });
    const versions = await clinic.gets("study.markVersions", { id: ct });
    expect(versions.map(({ version, count }) => [version, count])).toEqual([
      [3, 0],
      [2, 2],
      [1, 1],
    ]);
    expect((await clinic.gets("study.marks", { id: ct, version: 2 })).marks.map(({ id }) => id)).toEqual(["a", "b"]);
    expect((await clinic.asks("study.marks", { id: ct, version: 9 })).code).toBe(40401);
  });

  it("refuses a mark with too few points for its tool", async () => {
    const { clinic } = await world();
    const { ct } = await imaged(clinic);
    const angle = { id: "a", tool: "angle", instanceId: null, points: [[0, 0]], plane: "axial", text: null } as const;
    const wish = { id: ct, version: 0, marks: [{ ...angle, points: [[0, 0]] }] };
    expect((await clinic.asks("study.saveMarks", wish)).code).toBe(refusals.badInput.code);
    expect(await clinic.gets("study.marks", { id: ct })).toEqual({ version: 0, marks: [] });
  });
});

describe("opening an upload", () => {
  it("takes only one's own, complete uploads, for one's own patient", async () => {
    const { clinic, dentist, server } = await world();
    const stranger = (await world()).clinic;
    const patientId = await newPatient(clinic);
    const upload = await clinic.uploads("a.stl", smallScan());
    expect((await stranger.asks("study.open", { patientId, uploads: [upload] })).code).toBe(40401);
    expect((await stranger.asks("study.open", { patientId: await newPatient(stranger), uploads: [upload] })).code).toBe(
      40403,
    );
    expect((await dentist.asks("study.open", { patientId, uploads: [upload] })).code).toBe(40403);
    const begun = await fetch(`${server.running.address}/uploads`, {
      method: "POST",
      headers: {
        token: clinic.token,
        "tus-resumable": "1.0.0",
        "upload-length": "100",
        "upload-metadata": `filename ${btoa("b.stl")}`,
      },
    });
    const half = begun.headers.get("location")!.split("/").at(-1)!;
    expect((await clinic.asks("study.open", { patientId, uploads: [upload, half] })).code).toBe(42207);
  });

  it("asked twice answers with the one job", async () => {
    const { clinic } = await world();
    const patientId = await newPatient(clinic);
    const uploads = [await clinic.uploads("a.stl", smallScan())];
    const key = { "idempotency-key": "k1" };
    const jobs = await Promise.all([
      clinic.gets("study.open", { patientId, uploads }, key),
      clinic.gets("study.open", { patientId, uploads }, key),
    ]);
    expect(jobs[0].id).toBe(jobs[1].id);
  });

  it("is not seen by other organisations, nor cancelled", async () => {
    const { clinic } = await world();
    const stranger = (await world()).clinic;
    const id = await opened(clinic, await newPatient(clinic), { "a.stl": smallScan() });
    expect((await stranger.asks("study.job", { id })).code).toBe(40401);
    expect((await stranger.asks("study.cancelJob", { id })).code).toBe(40401);
  });
});
