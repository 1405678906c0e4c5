import { sql } from "kysely";
import { expect, it } from "vitest";
import { deleteOldReadings } from "./patient-news.ts";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import { insertStudy, sendOrder, smallScanStl, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";

it("tells a dentist what arrived for a patient since they opened the patient, until they open the patient again", async () => {
  const env = await setup();
  const { clinic, dentist, lab, server } = env;
  const id = await createPatient(clinic, { name: "陈默" });
  const order = await takeStep(lab, await sendOrder(env, { patientId: id }), "accept");
  expect((await dentist.call("patient.news", {})).list).toEqual([]);
  await dentist.call("patient.detail", { id });
  expect((await dentist.call("patient.news", {})).list).toEqual([]);

  await insertStudy(server, clinic, id, "panorama");
  await lab.call("order.message", { id: order.id, text: "Which shade?" });
  const design = { upload: await lab.upload("design.stl", smallScanStl()), role: "design" as const };
  await takeStep(lab, await lab.call("order.detail", { id: order.id }), "submitDesign", { files: [design] });
  expect((await dentist.call("patient.news", {})).list).toMatchObject([
    { id, name: "陈默", images: 1, designs: 1, messages: 1 },
  ]);
  expect((await clinic.call("patient.news", {})).list, "who never opened the patient").toEqual([]);

  await dentist.call("patient.detail", { id });
  expect((await dentist.call("patient.news", {})).list).toEqual([]);
});

it("forgets after 90 days that a person opened a patient", async () => {
  const { clinic, dentist, server } = await setup();
  const [old, recent] = [await createPatient(clinic), await createPatient(clinic)];
  await dentist.call("patient.detail", { id: old });
  const readings = () =>
    server.running.database.asSystem(async (db) =>
      (await db.selectFrom("patient_reading").select("patient_id").where("user_id", "=", dentist.uid).execute()).map(
        (row) => row.patient_id,
      ),
    );
  expect(await readings()).toEqual([old]);
  await server.running.database.asSystem((db) =>
    sql`update patient_reading set at = now() - make_interval(days => ${patientRules.newsDays + 1})`.execute(db),
  );
  await dentist.call("patient.detail", { id: recent });
  await deleteOldReadings(server.running.database);
  expect(await readings()).toEqual([recent]);
});
