import sharp from "sharp";
import { expect, it } from "vitest";
import { createPatient, waitForIngestJob } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const photograph = (shade: number): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: shade, g: 90, b: 80 } } })
    .jpeg()
    .toBuffer();

async function takeSeries(clinic: TestUser, patientId: string, views: Record<string, number>): Promise<void> {
  const photoViews: Record<string, string> = {};
  for (const [view, shade] of Object.entries(views))
    photoViews[await clinic.upload(`${view}.jpg`, await photograph(shade))] = view;
  const uploads = Object.keys(photoViews);
  const { id } = await clinic.call("study.open", { patientId, kind: "photo", uploads, photoViews } as never);
  expect((await waitForIngestJob(clinic, id)).state).toBe("done");
}

it("gives each photograph of a series its view and its place in the mount", async () => {
  const { clinic } = await setup();
  const patientId = await createPatient(clinic);
  await takeSeries(clinic, patientId, { "face.rest": 10, "mouth.upper": 20 });
  const studies = await clinic.call("study.list", { patientId });
  expect(new Set(studies.map(({ photoView }) => photoView))).toEqual(new Set(["face.rest", "mouth.upper"]));
  const { films, all } = await clinic.call("study.mount", { patientId, kind: "photos" });
  expect(Object.entries(films).map(([place, image]) => [place, all.find(({ id }) => id === image)?.photoView])).toEqual(
    expect.arrayContaining([
      ["face.rest", "face.rest"],
      ["mouth.upper", "mouth.upper"],
    ]),
  );
});

it("leaves a place empty that a person has cleared, until a later series fills it", async () => {
  const { clinic } = await setup();
  const patientId = await createPatient(clinic);
  await takeSeries(clinic, patientId, { "face.rest": 30 });
  await clinic.call("study.saveMount", { patientId, version: 0, layout: "photos8", films: {} });
  expect((await clinic.call("study.mount", { patientId, kind: "photos" })).films).toEqual({});
  await takeSeries(clinic, patientId, { "face.rest": 40 });
  expect(Object.keys((await clinic.call("study.mount", { patientId, kind: "photos" })).films)).toEqual(["face.rest"]);
});

it("refuses a view that no series has", async () => {
  const { clinic } = await setup();
  const patientId = await createPatient(clinic);
  const upload = await clinic.upload("a.jpg", await photograph(50));
  const input = { patientId, uploads: [upload], photoViews: { [upload]: "face.back" } };
  expect(refusalOf(await clinic.ask("study.open", input as never))).toBe("badInput");
});
