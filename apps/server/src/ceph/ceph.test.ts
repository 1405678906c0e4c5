import { expect, it } from "vitest";
import type { CephContent } from "@arcada/contract/ceph/ceph.schema";
import { createCephalogram, getCephLandmarks } from "@arcada/phantom/radiograph/cephalogram";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const head = makeHead("ceph traced");
const bytes = createCephalogram(
  head,
  { name: "WANG^XIAOMING", id: "C1", birthDate: "19900101", sex: "M" },
  { date: "20200601" },
);

async function uploadRadiograph(clinic: TestUser, file = bytes.bytes) {
  const patientId = await createPatient(clinic);
  const job = await uploadStudy(clinic, patientId, { [bytes.name]: file }, { acceptMismatch: true });
  const studyId = job.studies[0];
  const [radiograph] = await clinic.call("ceph.list", { patientId });
  return { patientId, studyId, radiograph: { studyId, instanceId: radiograph.instanceId } };
}

const truth = getCephLandmarks(head);
const content = {
  landmarks: Object.fromEntries(
    ["S", "N", "A", "B", "Pog", "Gn", "Me", "Go", "Po", "Or", "ANS", "PNS", "Ar"].map((id) => [
      id,
      [truth[id].column, truth[id].row],
    ]),
  ) as CephContent["landmarks"],
  aspect: 1,
  calibration: { source: "file", width: 0.125, magnification: 1.1, line: null },
  population: "peking",
  remark: "中立骨面型",
} satisfies CephContent;

it("a tracing is saved against the version that was read, and earlier versions stay readable", async () => {
  const { clinic, dentist } = await setup();
  const { radiograph, patientId } = await uploadRadiograph(clinic);
  await expectRefusedPoints(clinic, radiograph);
  expect(await clinic.call("ceph.open", radiograph)).toMatchObject({
    tracing: null,
    maySave: true,
    // The clinic is in China.
    defaultPopulation: "peking",
    isLossy: false,
    subject: { sex: "male", age: 30.42 },
  });
  const first = await clinic.call("ceph.save", { ...radiograph, version: 0, content });
  expect(first).toMatchObject({ version: 1, content: { population: "peking", landmarks: { S: content.landmarks.S } } });
  const moved = { ...content, landmarks: { ...content.landmarks, A: [1500, 1400] as [number, number] } };
  expect(refusalOf(await dentist.ask("ceph.save", { ...radiograph, version: 0, content: moved }))).toBe(
    "tracingChanged",
  );
  expect((await dentist.call("ceph.open", radiograph)).tracing).toMatchObject({ version: 1, content });
  await dentist.call("ceph.save", { ...radiograph, version: 1, content: moved });
  expect((await clinic.call("ceph.versions", radiograph)).map(({ version, marked }) => [version, marked])).toEqual([
    [2, 13],
    [1, 13],
  ]);
  expect((await clinic.call("ceph.open", { ...radiograph, version: 1 })).tracing?.content).toEqual(content);
  expect(refusalOf(await clinic.ask("ceph.remove", { ...radiograph, version: 1 }))).toBe("tracingChanged");
  await clinic.call("ceph.remove", { ...radiograph, version: 2 });
  expect((await clinic.call("ceph.list", { patientId }))[0]).toMatchObject({ tracing: null });
  expect((await clinic.call("ceph.open", { ...radiograph, version: 2 })).tracing?.content).toEqual(moved);
  expect(await clinic.call("ceph.save", { ...radiograph, version: 0, content })).toMatchObject({ version: 3 });
});

it("a user who may see a radiograph through an order can view its tracing but not change it; other users do not find it", async () => {
  const { clinic, lab, stranger } = await all();
  const { radiograph, patientId } = await uploadRadiograph(clinic);
  await clinic.call("ceph.save", { ...radiograph, version: 0, content });
  expect(refusalOf(await lab.ask("ceph.open", radiograph))).toBe("notFound");
  const input = prescription(patientId, lab.iid);
  await clinic.call("order.save", { ...input, studies: [radiograph.studyId], send: true });
  const seen = await lab.call("ceph.open", radiograph);
  expect(seen).toMatchObject({ maySave: false, subject: { sex: null, age: null }, tracing: { content } });
  expect((await lab.call("ceph.csv", radiograph)).csv).toContain("SNA");
  expect((await lab.call("ceph.csv", radiograph)).csv).not.toMatch(/lossy compression|有损压缩/);
  expect(refusalOf(await lab.ask("ceph.open", { ...radiograph, version: 7 }))).toBe("notFound");
  expect(refusalOf(await lab.ask("ceph.save", { ...radiograph, version: 1, content }))).toBe("notAllowed");
  for (const call of ["ceph.open", "ceph.csv", "ceph.versions"] as const)
    expect(refusalOf(await stranger.ask(call, radiograph))).toBe("notFound");
  expect(refusalOf(await stranger.ask("ceph.save", { ...radiograph, version: 1, content }))).toBe("notFound");
  expect((await clinic.call("ceph.open", radiograph)).tracing).toMatchObject({ version: 1, content });
});

it("measurements of an image that was compressed with loss are marked as such in the viewer and in the table", async () => {
  const { clinic } = await setup();
  const { radiograph } = await uploadRadiograph(clinic, statedLossy());
  expect(await clinic.call("ceph.open", radiograph)).toMatchObject({ isLossy: true });
  await clinic.call("ceph.save", { ...radiograph, version: 0, content });
  expect((await clinic.call("ceph.csv", radiograph)).csv).toMatch(/lossy compression|有损压缩/);
});

/** The file with Lossy Image Compression (0028,2110) 01, as a separate study. */
function statedLossy(): Uint8Array<ArrayBuffer> {
  const head = makeHead("ceph lossy");
  const made = createCephalogram(
    head,
    { name: "LI^NA", id: "C2", birthDate: "19900101", sex: "F" },
    { date: "20200602" },
  );
  const copy = Buffer.from(made.bytes);
  const at = copy.indexOf(Buffer.from([0x28, 0x00, 0x10, 0x21, 0x43, 0x53, 2, 0]));
  copy.write("01", at + 8, "latin1");
  return new Uint8Array(copy);
}

const all = async () => ({ ...(await setup()), stranger: (await setup()).clinic });

/** Expects that a tracing with points outside the radiograph is refused and that nothing is saved. */
async function expectRefusedPoints(
  clinic: TestUser,
  radiograph: { studyId: string; instanceId: string },
): Promise<void> {
  const odd = [
    { ...content, landmarks: { S: [1, 1e9] } },
    { ...content, landmarks: { nowhere: [1, 1] } },
    { ...content, calibration: { ...content.calibration, width: 0 } },
    { ...content, calibration: { ...content.calibration, magnification: 40 } },
  ];
  for (const wrong of odd)
    expect(refusalOf(await clinic.ask("ceph.save", { ...radiograph, version: 0, content: wrong as never }))).toBe(
      "badInput",
    );
  expect((await clinic.call("ceph.open", radiograph)).tracing).toBeNull();
  expect(refusalOf(await clinic.ask("ceph.paper", { ...radiograph, analysis: "steiner" }))).toBe("notFound");
}
