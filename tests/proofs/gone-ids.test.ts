import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { refusals } from "@arcada/contract/kernel/refusals";
import { crown, planted } from "../planted.ts";
import type { Planted } from "../planted.ts";
import { uploaded } from "../uploads.ts";
import { world } from "../world.ts";
import type { CallName, Person, World } from "../world.ts";
import { samples } from "./samples.ts";
import { scrub } from "./two-ids.ts";

let home: World;
let stranger: Person;
/** A patient who was erased, and one who was merged into another: what was known of each before. */
let erased: Planted;
let merged: Planted;
const words = { erased: "erased-canary", merged: "merged-canary" };
beforeAll(async () => {
  home = await world();
  stranger = (await world()).clinic;
  const { clinic } = home;
  erased = await plantedWith(words.erased);
  await cancelled(erased);
  const { id, number } = await clinic.gets("patient.detail", { id: erased.patient.id });
  await clinic.gets("patient.erase", { id, number, reason: "asked for it" });
  merged = await plantedWith(words.merged);
  const keep = await clinic.gets("patient.create", { name: "Kept", sex: "male", birthDate: "1988-04-12" });
  const pair = { keepId: keep.id, otherId: merged.patient.id };
  const beside = await clinic.gets("patient.beside", pair);
  await clinic.gets("patient.merge", {
    ...pair,
    keepVersion: beside.kept.version,
    otherVersion: beside.other.version,
    choices: { name: "kept" } as never,
  });
}, 120_000);

/** Every word of the patient's is the canary, and every part of a record is there. */
async function plantedWith(word: string): Promise<Planted> {
  const { clinic } = home;
  const things = await planted(home);
  await uploaded(clinic, things.patient.id, {
    [`${word}.stl`]: crown().map((byte, at) => (at > 0 && at < 60 ? word.length : byte)),
  });
  const patientId = things.patient.id;
  await clinic.gets("chart.save", {
    patientId,
    version: 0,
    teeth: [{ fdi: 36, presence: "present", crown: 0 }],
  } as never);
  await clinic.gets("order.message", { id: things.order.id, text: word });
  await home.server.running.database.asSystem(async (db) => {
    await sql`update patient set name = ${word}, remark = ${word}, allergies = ${word} where id = ${patientId}`.execute(
      db,
    );
    await sql`update orders set patient_name = ${word} where patient_id = ${patientId}`.execute(db);
    await sql`update study set description = ${word} where patient_id = ${patientId}`.execute(db);
  });
  return things;
}
async function cancelled({ order, draft }: Planted): Promise<void> {
  const { clinic } = home;
  for (const { id } of [order, draft]) {
    const now = await clinic.gets("order.detail", { id });
    const action = now.state === "draft" ? "delete" : "cancel";
    await clinic.asks("order.step", { id, version: now.version, action, reason: "x" });
  }
}

const unknown = (): Planted => {
  const id = () => crypto.randomUUID();
  return {
    patient: { ...erased.patient, id: id() },
    studyId: id(),
    order: { ...erased.order, id: id() },
    pin: id(),
    draft: { ...erased.draft, id: id() },
    analysis: id(),
    observation: id(),
  };
};
// Only these calls refer to a patient, a study or an order of the fixtures. Their answer to an unknown id is the
// reference.
const about = (Object.entries(samples) as [CallName, (typeof samples)[CallName]][]).filter(
  ([, { object }]) => object !== "none",
);
const told = async (who: Person, name: CallName, things: Planted) => {
  const input = samples[name].input(things, home);
  const answer = await who.asks(name, input);
  return { code: answer.code, text: scrub([answer.msg, answer.data], input) };
};

/** Returns the calls whose answer to this id differs from that to an unknown id, with their answers. */
async function tellsApart(who: Person, things: Planted, only: readonly string[]): Promise<string[]> {
  const apart: string[] = [];
  for (const [name, { object }] of about) {
    if (!only.includes(object)) continue;
    const [one, other] = [await told(who, name, things), await told(who, name, unknown())];
    if (one.code !== other.code || one.text !== other.text)
      apart.push(`${name}: ${one.code} ${one.text.slice(0, 160)}`);
  }
  return apart;
}

describe("ids of patients who are gone", () => {
  it("of an erased one are to its own organisation like ids of nobody", async () => {
    expect(await tellsApart(home.clinic, erased, ["patient", "study", "sharedStudy"])).toEqual([]);
    expect(await tellsApart(home.dentist, erased, ["patient", "study", "sharedStudy"])).toEqual([]);
  }, 120_000);

  it("of an erased one bring no word of it to anybody, its orders and studies neither", async () => {
    for (const who of [home.clinic, home.dentist, home.lab, stranger])
      for (const [name] of about) {
        const answer = await told(who, name, erased);
        expect(answer.text, `${name} as ${who.role}`).not.toContain(words.erased);
      }
  }, 120_000);

  it("of a merged one lead to nothing under the old id, and its studies belong to the one that was kept", async () => {
    expect(await tellsApart(home.clinic, merged, ["patient"])).toEqual([]);
    expect((await home.clinic.asks("study.detail", { id: merged.studyId })).code).toBe(200);
    expect((await home.clinic.asks("patient.detail", { id: merged.patient.id })).code).toBe(refusals.notFound.code);
  }, 120_000);

  it("are to another organisation like ids of nobody, whatever they name", async () => {
    for (const things of [erased, merged])
      expect(await tellsApart(stranger, things, ["patient", "study", "sharedStudy", "order", "draft"])).toEqual([]);
  }, 120_000);
});
