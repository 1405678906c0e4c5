import sharp from "sharp";
import { expect, it } from "vitest";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const uploadRadiograph = (shade: number): Promise<Buffer> =>
  sharp({ create: { width: 30, height: 40, channels: 3, background: { r: shade, g: shade, b: shade } } })
    .png()
    .toBuffer();

/** A patient with two radiographs, each in a separate study. */
async function uploadRadiographs(clinic: TestUser): Promise<string> {
  const patient = await createPatient(clinic);
  for (const shade of [40, 200]) {
    const [id] = (await uploadStudy(clinic, patient, { [`film ${shade}.png`]: await uploadRadiograph(shade) })).studies;
    await clinic.call("study.attach", { id: id, kind: "dentalFilm" });
  }
  return patient;
}

it("a full-mouth mount keeps its radiographs in their positions, and a later save never overwrites an earlier one", async () => {
  const { clinic, dentist } = await setup();
  const patientId = await uploadRadiographs(clinic);
  const empty = await clinic.call("study.mount", { patientId });
  expect(empty).toMatchObject({ version: 0, layout: "full18", films: {} });
  const [one, other] = empty.all;
  expect([one.name, other.name]).toEqual(["film 200.png", "film 40.png"]);
  expect(one.thumbnailUrl).toBeTruthy();

  const films = { "upper.molarR": one.id, "bite.premolarL": other.id };
  expect(await clinic.call("study.saveMount", { patientId, version: 0, layout: "full18", films })).toEqual({
    version: 1,
  });
  const late = await dentist.ask("study.saveMount", { patientId, version: 0, layout: "bite4", films: {} });
  expect(refusalOf(late)).toBe("marksChanged");
  const odd = { patientId, version: 1, layout: "bite4", films: { "upper.molarR": one.id } } as const;
  expect(refusalOf(await clinic.ask("study.saveMount", odd))).toBe("badInput");
  const foreign = { patientId, version: 1, layout: "full18", films: { "upper.molarR": patientId } } as const;
  expect(refusalOf(await clinic.ask("study.saveMount", foreign))).toBe("notFound");
  expect(refusalOf(await (await setup()).clinic.ask("study.mount", { patientId }))).toBe("notFound");

  await clinic.call("study.remove", { id: one.studyId });
  expect(await dentist.call("study.mount", { patientId })).toMatchObject({
    version: 1,
    films: { "bite.premolarL": other.id },
  });
});

it("a mount keeps the turns of its radiographs until they are saved anew, and takes none of a foreign image", async () => {
  const { clinic } = await setup();
  const patientId = await uploadRadiographs(clinic);
  const [one] = (await clinic.call("study.mount", { patientId })).all;
  const mount = { patientId, layout: "full18", films: {} } as const;
  await clinic.call("study.saveMount", { ...mount, version: 0, turns: { [one.id]: 3 } });
  await clinic.call("study.saveMount", { ...mount, version: 1, films: { "upper.molarR": one.id } });
  expect(await clinic.call("study.mount", { patientId })).toMatchObject({ version: 2, turns: { [one.id]: 3 } });
  await clinic.call("study.saveMount", { ...mount, version: 2, turns: {} });
  expect((await clinic.call("study.mount", { patientId })).turns).toEqual({});
  const foreign = { ...mount, version: 3, turns: { [patientId]: 1 } };
  expect(refusalOf(await clinic.ask("study.saveMount", foreign))).toBe("notFound");
  const full = { ...mount, version: 3, turns: { [one.id]: 4 } };
  expect(refusalOf(await clinic.ask("study.saveMount", full))).toBe("badInput");
});

it("every image of a mount may be turned at once, and no more images than a mount can have", async () => {
  const { clinic } = await setup();
  const patientId = await createPatient(clinic);
  const saveTurns = async (count: number) => {
    const turns = Object.fromEntries(Array.from({ length: count }, () => [crypto.randomUUID(), 1]));
    return refusalOf(
      await clinic.ask("study.saveMount", { patientId, version: 0, layout: "full18", films: {}, turns }),
    );
  };
  // The number is allowed, but nobody has uploaded these images.
  expect(await saveTurns(500)).toBe("notFound");
  expect(await saveTurns(501)).toBe("badInput");
});

it("photographs have a mount of their own beside the radiographs', and neither accepts the other's images", async () => {
  const { clinic } = await setup();
  const patientId = await uploadRadiographs(clinic);
  const [photo] = (await uploadStudy(clinic, patientId, { "smile.png": await uploadRadiograph(120) })).studies;
  await clinic.call("study.attach", { id: photo, kind: "photo" });
  const empty = await clinic.call("study.mount", { patientId, kind: "photos" });
  expect(empty).toMatchObject({ version: 0, layout: "photos8", all: [{ studyId: photo }] });
  const smile = { patientId, version: 0, layout: "photos11", films: { "face.smile": empty.all[0].id } } as const;
  expect(await clinic.call("study.saveMount", smile)).toEqual({ version: 1 });
  expect(await clinic.call("study.mount", { patientId })).toMatchObject({ version: 0, layout: "full18", films: {} });
  const [dental] = (await clinic.call("study.mount", { patientId })).all;
  const wrong = { ...smile, version: 1, films: { "face.smile": dental.id } };
  expect(refusalOf(await clinic.ask("study.saveMount", wrong))).toBe("notFound");
  expect((await clinic.call("study.mount", { patientId, kind: "photos" })).films).toEqual(smile.films);
});
