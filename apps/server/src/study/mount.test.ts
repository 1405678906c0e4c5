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
