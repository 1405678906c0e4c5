import { sql } from "kysely";
import { crownStl } from "@arcada/testing/fixtures/patient-with-orders";
import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { uploadStudy } from "@arcada/testing/fixtures/uploads";
import type { TestSetup } from "@arcada/testing/setup/test-server";
import { createPng } from "./archive-forgery.ts";
import { present } from "@arcada/testing/require-present";

/** The e-mail address of the clinic's dentist and the phone number of its manager. */
export const [dentistEmail, managerPhone] = ["tess.d+ss@dentists.test", "+8613900001111"];

/** Adds images, annotations, messages, a revision and logos, as a clinic has them after some weeks. */
export async function addClinicHistory(clinicAndLab: TestSetup, fixtures: Fixtures): Promise<void> {
  const { clinic, dentist, lab, designer } = clinicAndLab;
  await clinicAndLab.server.running.database.asSystem(async (db) => {
    await sql`update contact set value = ${dentistEmail} where user_id = ${dentist.uid}`.execute(db);
    await sql`update contact set kind = 'phone', value = ${managerPhone}, country_code = '86' where user_id = ${clinic.uid}`.execute(
      db,
    );
  });
  await uploadStudy(clinic, fixtures.patient.id, { "smile.png": await createPng() });
  for (let place = 0; place < 20; place++)
    await dentist.call("patient.create", {
      name: `Patient ${place}`,
      sex: "other",
      birthDate: `1980-01-${10 + place}`,
    });
  await dentist.call("study.saveMarks", { id: fixtures.studyId, version: 0, marks: [] });
  await dentist.call("order.message", { id: fixtures.order.id, text: "Bitte A2" });
  const accepted = present(
    await lab.call("order.step", {
      id: fixtures.order.id,
      action: "accept",
      version: (await lab.call("order.detail", { id: fixtures.order.id })).version,
    }),
  );
  const scheme = await designer.upload("scheme.stl", crownStl());
  await designer.ask("order.step", {
    id: fixtures.order.id,
    action: "submitScheme",
    version: accepted.version,
    text: "v1",
    files: [{ upload: scheme, role: "scheme" }],
  });
  await clinic.call("institution.setLogo", {
    place: "inside",
    image: Buffer.from(await createPng()).toString("base64"),
  });
}
