import { beforeAll, describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { sendOrder, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const size = { columns: 32, rows: 32, slices: 8, voxel: 4 };
const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const slices = Object.fromEntries(
  [...createCbctFiles(makeHead("study"), wang, { size })].map(({ name, bytes }) => [`王小明 ${name}`, bytes]),
);

/** A patient with a volume and a scan. */
async function uploadVolume(clinic: TestUser): Promise<{ patient: string; ct: string; model: string }> {
  const patient = await createPatient(clinic);
  const [ct] = (await uploadStudy(clinic, patient, slices)).studies;
  const [model] = (await uploadStudy(clinic, patient, { "王小明_upper.stl": smallScanStl() })).studies;
  return { patient, ct: ct, model: model };
}

describe("a study in an order", () => {
  let env: TestSetup;
  let found: Awaited<ReturnType<typeof uploadVolume>>;
  beforeAll(async () => {
    env = await setup({ clinic: { hidePatientNames: true } });
    found = await uploadVolume(env.clinic);
  });

  it("is closed to the lab before the hand-over", async () => {
    expect(refusalOf(await env.lab.ask("study.detail", { id: found.ct }))).toBe("notFound");
  });

  describe("that was handed over", () => {
    let order: Order;
    beforeAll(async () => {
      order = await sendOrder(env, { patientId: found.patient, studies: [found.ct, found.model] });
    });

    it("is open to the lab with its volume, without original files", async () => {
      const volume = await env.designer.call("study.detail", { id: found.ct });
      expect(volume).toMatchObject({ patientName: "王**", state: "ready", series: [{ kind: "volume", count: 8 }] });
      expect(volume.series[0].volume?.groups).toHaveLength(1);
      expect(volume.series[0].instances.map(({ originalUrl }) => originalUrl)).toEqual(
        Array.from({ length: 8 }, () => null),
      );
    });

    it("is shown to a viewer with only the first file of a volume, and everything else as usual", async () => {
      const [series] = (await env.designer.call("study.detail", { id: found.ct })).series;
      const shown = await env.designer.call("study.detail", { id: found.ct, brief: "true" });
      expect(shown.series).toMatchObject([{ count: 8, instances: [{ id: series.instances[0].id }] }]);
      expect(shown.series[0].instances).toHaveLength(1);
      expect(shown.series[0].volume).toEqual(series.volume);
      const scan = await env.lab.call("study.detail", { id: found.model });
      expect((await env.lab.call("study.detail", { id: found.model, brief: "true" })).series).toEqual(scan.series);
    });

    it("names its patient nowhere to the lab, and in full to the clinic", async () => {
      const volume = await env.designer.call("study.detail", { id: found.ct });
      const scan = await env.lab.call("study.detail", { id: found.model });
      expect(scan.series[0].instances[0]).toMatchObject({ name: "1.stl", model: { jaw: "upper" } });
      expect(decodeURIComponent(JSON.stringify([volume, scan]))).not.toMatch(/小明|Xiaoming/i);
      expect([volume.patientId, scan.patientId, volume.description]).toEqual([null, null, null]);
      expect(JSON.stringify([volume, scan])).not.toContain(found.patient);
      expect(await env.clinic.call("study.detail", { id: found.ct })).toMatchObject({
        patientName: "王小明",
        patientId: found.patient,
      });
    });

    it("is closed again when the lab refuses the order", async () => {
      await takeStep(env.lab, order, "refuse", { reason: "no capacity" });
      expect(refusalOf(await env.lab.ask("study.detail", { id: found.ct }))).toBe("notFound");
      expect(refusalOf(await env.lab.ask("study.marks", { id: found.ct }))).toBe("notFound");
    });
  });

  it("cannot be moved or removed while the order is open", async () => {
    const { clinic } = env;
    const { patient, ct } = found;
    const other = await createPatient(clinic);
    await sendOrder(env, { patientId: patient, studies: [ct] });
    expect(refusalOf(await clinic.ask("study.remove", { id: ct }))).toBe("studyBusy");
    const move = { id: ct, from: patient, patientId: other, reason: "wrong person" };
    expect(refusalOf(await clinic.ask("study.move", move))).toBe("studyBusy");
    expect(await clinic.call("study.detail", { id: ct })).toMatchObject({ patientId: patient });
  });
});

describe("a clinic's study", () => {
  it("can be given another kind and another patient, and be removed", async () => {
    const { clinic, dentist } = await setup();
    const { patient, ct, model } = await uploadVolume(clinic);
    expect(await dentist.call("study.attach", { id: ct, kind: "xRay" })).toMatchObject({
      kind: "xRay",
      kindCertain: true,
    });
    const other = await createPatient(clinic, { name: "李四" });
    const move = { id: ct, from: patient, patientId: other, reason: "wrong person" };
    expect(refusalOf(await dentist.ask("study.move", move))).toBe("patientMismatch");
    expect(await dentist.call("study.move", { ...move, acceptMismatch: true })).toMatchObject({ patientId: other });
    expect((await clinic.call("study.list", { patientId: patient })).map(({ id }) => id)).toEqual([model]);
    await clinic.call("study.remove", { id: model });
    expect(await clinic.call("study.list", { patientId: patient })).toEqual([]);
    expect(refusalOf(await clinic.ask("study.detail", { id: model }))).toBe("notFound");
  });

  it("keeps its guessed kind if that has changed since the user saw it, while the others are confirmed", async () => {
    const { clinic } = await setup();
    const { patient, ct, model } = await uploadVolume(clinic);
    await clinic.server.running.database.asSystem((db) =>
      db.updateTable("study").set({ kind_certain: false }).where("patient_id", "=", patient).execute(),
    );
    const seen = [
      { id: ct, kind: "xRay" as const },
      { id: model, kind: "model" as const },
    ];
    expect(await clinic.call("study.confirmKinds", { patientId: patient, studies: seen })).toEqual({ confirmed: 1 });
    const kinds = await clinic.call("study.list", { patientId: patient });
    expect(Object.fromEntries(kinds.map(({ id, kind, kindCertain }) => [id, [kind, kindCertain]]))).toEqual({
      [ct]: ["ct", false],
      [model]: ["model", true],
    });
    const other = await createPatient(clinic, { name: "李四" });
    const foreign = { patientId: other, studies: [{ id: ct, kind: "ct" as const }] };
    expect(refusalOf(await clinic.ask("study.confirmKinds", foreign))).toBe("notFound");
  });

  it("is not visible to other organisations", async () => {
    const { clinic } = await setup();
    const stranger = (await setup()).clinic;
    const { patient, ct } = await uploadVolume(clinic);
    const theirs = await createPatient(stranger);
    for (const call of ["study.detail", "study.marks", "study.remove"] as const)
      expect(refusalOf(await stranger.ask(call, { id: ct })), call).toBe("notFound");
    expect(refusalOf(await stranger.ask("study.list", { patientId: patient }))).toBe("notFound");
    expect(refusalOf(await stranger.ask("study.attach", { id: ct, patientId: theirs }))).toBe("notFound");
    expect(refusalOf(await clinic.ask("study.attach", { id: ct, patientId: theirs }))).toBe("notFound");
    expect(refusalOf(await stranger.ask("study.saveMarks", { id: ct, version: 0, marks: [] }))).toBe("notFound");
  });
});
