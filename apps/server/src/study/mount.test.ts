import sharp from "sharp";
import { expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { newPatient, uploaded } from "../../../../tests/uploads.ts";
import { world, type Person } from "../../../../tests/world.ts";

const film = (shade: number): Promise<Buffer> =>
  sharp({ create: { width: 30, height: 40, channels: 3, background: { r: shade, g: shade, b: shade } } })
    .png()
    .toBuffer();

/** A patient with two films, each a study of its own. */
async function filmed(clinic: Person): Promise<string> {
  const patient = await newPatient(clinic);
  for (const shade of [40, 200]) {
    const [id] = (await uploaded(clinic, patient, { [`film ${shade}.png`]: await film(shade) })).studies;
    await clinic.gets("study.attach", { id: id!, kind: "dentalFilm" });
  }
  return patient;
}

it("a full-mouth mount keeps its films in their places, and never loses what somebody saved first", async () => {
  const { clinic, dentist } = await world();
  const patientId = await filmed(clinic);
  const empty = await clinic.gets("study.mount", { patientId });
  expect(empty).toMatchObject({ version: 0, layout: "full18", films: {} });
  const [one, other] = empty.all;
  expect([one!.name, other!.name]).toEqual(["film 200.png", "film 40.png"]);
  expect(one!.thumbnailUrl).toBeTruthy();

  const films = { "upper.molarR": one!.id, "bite.premolarL": other!.id };
  expect(await clinic.gets("study.saveMount", { patientId, version: 0, layout: "full18", films })).toEqual({
    version: 1,
  });
  const late = await dentist.asks("study.saveMount", { patientId, version: 0, layout: "bite4", films: {} });
  expect(late.code).toBe(refusals.marksChanged.code);
  const odd = { patientId, version: 1, layout: "bite4", films: { "upper.molarR": one!.id } } as const;
  expect((await clinic.asks("study.saveMount", odd)).code).toBe(refusals.badInput.code);
  const foreign = { patientId, version: 1, layout: "full18", films: { "upper.molarR": patientId } } as const;
  expect((await clinic.asks("study.saveMount", foreign)).code).toBe(refusals.notFound.code);
  expect((await (await world()).clinic.asks("study.mount", { patientId })).code).toBe(refusals.notFound.code);

  await clinic.gets("study.remove", { id: one!.studyId });
  expect(await dentist.gets("study.mount", { patientId })).toMatchObject({
    version: 1,
    films: { "bite.premolarL": other!.id },
  });
});

it("photographs have a mount of their own beside the films', and neither takes the other's pictures", async () => {
  const { clinic } = await world();
  const patientId = await filmed(clinic);
  const [photo] = (await uploaded(clinic, patientId, { "smile.png": await film(120) })).studies;
  await clinic.gets("study.attach", { id: photo!, kind: "photo" });
  const empty = await clinic.gets("study.mount", { patientId, kind: "photos" });
  expect(empty).toMatchObject({ version: 0, layout: "photos8", all: [{ studyId: photo }] });
  const smile = { patientId, version: 0, layout: "photos11", films: { "face.smile": empty.all[0]!.id } } as const;
  expect(await clinic.gets("study.saveMount", smile)).toEqual({ version: 1 });
  expect(await clinic.gets("study.mount", { patientId })).toMatchObject({ version: 0, layout: "full18", films: {} });
  const [dental] = (await clinic.gets("study.mount", { patientId })).all;
  const wrong = { ...smile, version: 1, films: { "face.smile": dental!.id } };
  expect((await clinic.asks("study.saveMount", wrong)).code).toBe(refusals.notFound.code);
  expect((await clinic.gets("study.mount", { patientId, kind: "photos" })).films).toEqual(smile.films);
});
