import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { crownStl, createFixtures } from "@arcada/testing/fixtures/patient-with-orders";
import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { uploadStudy } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { CallName, TestUser, TestSetup } from "@arcada/testing/setup/test-server";
import { callSamples } from "./support/call-samples.ts";
import { removeIds } from "./support/foreign-ids.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

let clinicAndLab: TestSetup;
let stranger: TestUser;
/** A patient who was erased and one who was merged into another, each with the records known before. */
let erased: Fixtures;
let merged: Fixtures;
const words = { erased: "erased-canary", merged: "merged-canary" };
beforeAll(async () => {
  clinicAndLab = await setup();
  stranger = (await setup()).clinic;
  const { clinic } = clinicAndLab;
  erased = await createFixturesNamed(words.erased);
  await cancelOrders(erased);
  const { id, number } = await clinic.call("patient.detail", { id: erased.patient.id });
  await clinic.call("patient.erase", { id, number, reason: "asked for it" });
  merged = await createFixturesNamed(words.merged);
  const keep = await clinic.call("patient.create", { name: "Kept", sex: "male", birthDate: "1988-04-12" });
  const pair = { keepId: keep.id, otherId: merged.patient.id };
  const beside = await clinic.call("patient.beside", pair);
  await clinic.call("patient.merge", {
    ...pair,
    keepVersion: beside.kept.version,
    otherVersion: beside.other.version,
    choices: { name: "kept" } as never,
  });
}, 120_000);

/** Every word of the patient's is the canary, and every part of a record is there. */
async function createFixturesNamed(word: string): Promise<Fixtures> {
  const { clinic } = clinicAndLab;
  const fixtures = await createFixtures(clinicAndLab);
  await uploadStudy(clinic, fixtures.patient.id, {
    [`${word}.stl`]: crownStl().map((byte, at) => (at > 0 && at < 60 ? word.length : byte)),
  });
  const patientId = fixtures.patient.id;
  await clinic.call("chart.save", {
    patientId,
    version: 0,
    teeth: [{ fdi: 36, presence: "present", crown: 0 }],
  } as never);
  await clinic.call("order.message", { id: fixtures.order.id, text: word });
  await clinicAndLab.server.running.database.asSystem(async (db) => {
    await sql`update patient set name = ${word}, remark = ${word}, allergies = ${word} where id = ${patientId}`.execute(
      db,
    );
    await sql`update orders set patient_name = ${word} where patient_id = ${patientId}`.execute(db);
    await sql`update study set description = ${word} where patient_id = ${patientId}`.execute(db);
  });
  return fixtures;
}
async function cancelOrders({ order, draft }: Fixtures): Promise<void> {
  const { clinic } = clinicAndLab;
  for (const { id } of [order, draft]) {
    const now = await clinic.call("order.detail", { id });
    const action = now.state === "draft" ? "delete" : "cancel";
    await clinic.ask("order.step", { id, version: now.version, action, reason: "x" });
  }
}

const unknownFixtures = (): Fixtures => {
  const id = () => crypto.randomUUID();
  return {
    patient: { ...erased.patient, id: id() },
    studyId: id(),
    order: { ...erased.order, id: id() },
    pin: id(),
    pacs: id(),
    draft: { ...erased.draft, id: id() },
    analysis: id(),
    observation: id(),
  };
};
// Only these calls refer to a patient, a study or an order of the fixtures. Their answer to an unknown id is the
// reference.
const callsAboutRecords = (Object.entries(callSamples) as [CallName, (typeof callSamples)[CallName]][]).filter(
  ([, { object }]) => object !== "none",
);
const readResponse = async (who: TestUser, name: CallName, fixtures: Fixtures) => {
  const input = callSamples[name].input(fixtures, clinicAndLab);
  const answer = await who.ask(name, input);
  return { code: answer.code, text: removeIds([answer.msg, answer.data], input) };
};

/** Returns the calls whose answer to this id differs from that to an unknown id, with their answers. */
async function findDifferingCalls(who: TestUser, fixtures: Fixtures, only: readonly string[]): Promise<string[]> {
  const apart: string[] = [];
  for (const [name, { object }] of callsAboutRecords) {
    if (!only.includes(object)) continue;
    const [one, other] = [await readResponse(who, name, fixtures), await readResponse(who, name, unknownFixtures())];
    if (one.code !== other.code || one.text !== other.text)
      apart.push(`${name}: ${one.code} ${one.text.slice(0, 160)}`);
  }
  return apart;
}

describe("ids of erased and merged patients", () => {
  it("of an erased patient are like unknown ids to the patient's own organisation", async () => {
    expect(await findDifferingCalls(clinicAndLab.clinic, erased, ["patient", "study", "sharedStudy"])).toEqual([]);
    expect(await findDifferingCalls(clinicAndLab.dentist, erased, ["patient", "study", "sharedStudy"])).toEqual([]);
  }, 120_000);

  it("of an erased patient and of the patient's orders and studies reveal nothing of the patient to anyone", async () => {
    for (const who of [clinicAndLab.clinic, clinicAndLab.dentist, clinicAndLab.lab, stranger])
      for (const [name] of callsAboutRecords) {
        const answer = await readResponse(who, name, erased);
        expect(answer.text, `${name} as ${who.role}`).not.toContain(words.erased);
      }
  }, 120_000);

  it("of a merged patient are not found, and the patient's studies belong to the one that was kept", async () => {
    expect(await findDifferingCalls(clinicAndLab.clinic, merged, ["patient"])).toEqual([]);
    expect((await clinicAndLab.clinic.ask("study.detail", { id: merged.studyId })).code).toBe(200);
    expect(refusalOf(await clinicAndLab.clinic.ask("patient.detail", { id: merged.patient.id }))).toBe("notFound");
  }, 120_000);

  it("are like unknown ids to another organisation, whatever they name", async () => {
    for (const fixtures of [erased, merged])
      expect(
        await findDifferingCalls(stranger, fixtures, ["patient", "study", "sharedStudy", "order", "draft"]),
      ).toEqual([]);
  }, 120_000);
});
