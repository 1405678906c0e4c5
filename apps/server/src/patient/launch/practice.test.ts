import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestSetup, TestUser } from "@arcada/testing/setup/test-server";
import { newId, newSecret, secretHash } from "../../platform/runtime/ids-and-secrets.ts";

const anna = { name: "Anna Müller", sex: "female", birthDate: "1985-09-08" } as const;
const asked = { number: "4711", name: "Müller^Anna", birthDate: "1985-09-08", sex: "female" } as const;
const create = (clinic: TestUser, more: Record<string, unknown> = {}) =>
  clinic.call("patient.create", { ...anna, evenIfDuplicate: true, ...more });
const open = (who: TestUser, person: Record<string, unknown>, more = {}) =>
  who.call("practice.open", { request: { person, ...more } });

/** Makes an API key of the clinic, as its manager would. */
async function keyOf({ server, clinic }: TestSetup, scopes = ["patients.launch"]): Promise<string> {
  const [id, secret] = [newId(), `arcada_${newSecret()}`];
  await server.running.database.asSystem(async (db) => {
    await db.insertInto("users").values({ id, nick_name: "Practice software" }).execute();
    await sql`insert into api_key (institution_id, id, name, begins, token_hash, scopes, created_by)
      values (${clinic.iid}, ${id}, 'Practice software', ${secret.slice(0, 12)}, ${secretHash(secret)}, ${scopes}, ${clinic.uid})`.execute(
      db,
    );
  });
  return secret;
}
const askCode = ({ server }: TestSetup, secret: string, user?: string) =>
  server.ask("practice.issueCode", { request: { person: asked }, user }, { authorization: `Bearer ${secret}` });

describe("a practice program opens a patient", () => {
  it("by the practice's number or by Arcada's, and the access log names it", async () => {
    const { clinic, dentist } = await setup();
    const { id, number } = await create(clinic, { entryNumber: "4711" });
    for (const named of ["4711", number])
      expect(await open(dentist, { number: named })).toMatchObject({ patientId: id });
    const { list } = await clinic.call("trail.list", { action: "patient.launch" } as never);
    expect(list.filter(({ action }) => action === "patient.launch").map(({ subject }) => subject)).toEqual([id, id]);
  });

  it("by name and birth date if the record has no number of the practice, and asks if it has another", async () => {
    const { clinic } = await setup();
    const { id } = await create(clinic);
    expect(await open(clinic, asked)).toMatchObject({ patientId: id, candidates: [] });
    const other = await setup();
    const known = await create(other.clinic, { entryNumber: "9" });
    expect(await open(other.clinic, asked)).toMatchObject({ patientId: null, candidates: [{ id: known.id }] });
  });

  it("by the number with the family name alone, but not with that of somebody else", async () => {
    const { clinic } = await setup();
    const { id } = await create(clinic, { entryNumber: "4711" });
    expect(await open(clinic, { number: "4711", name: "müller" })).toMatchObject({ patientId: id });
    expect(await open(clinic, { number: "4711", name: "Maier" })).toMatchObject({ patientId: null });
  });

  it("only after a choice if a number is of somebody else or of two people", async () => {
    const { clinic } = await setup();
    const first = await create(clinic, { entryNumber: "4711", birthDate: "1990-01-01" });
    const found = await open(clinic, asked);
    expect(found).toMatchObject({ patientId: null, candidates: [{ id: first.id, agrees: ["number", "name"] }] });
    await create(clinic, { name: "Bernd Maier", entryNumber: "4711" });
    expect((await open(clinic, { number: "4711" })).candidates).toHaveLength(2);
    // The name and birth date of a record without a number do not outweigh the number of another.
    const named = await create(clinic, { name: "Ida Kern", birthDate: "1971-05-06" });
    const person = { name: "Ida Kern", birthDate: "1971-05-06" };
    expect(await open(clinic, person)).toMatchObject({ patientId: named.id });
    expect(await open(clinic, { ...person, number: "4711" })).toMatchObject({ patientId: null });
  });

  it("never one of another clinic, and tells nothing about them", async () => {
    const [here, there] = [await setup(), await setup()];
    await create(there.clinic, { entryNumber: "4711" });
    const nobody = await open(here.clinic, { ...asked, number: "0815" });
    expect({ ...(await open(here.clinic, asked)), person: null }).toEqual({ ...nobody, person: null });
    expect(refusalOf(await here.lab.ask("practice.open", { request: { person: asked } }))).toBe("notAllowed");
  });

  it("shows a study of the clinic alone, by UID or accession number", async () => {
    const [{ clinic, server }, there] = [await setup(), await setup()];
    const { id } = await create(clinic);
    const study = newId();
    await server.running.database.asSystem(async (db) => {
      await sql`insert into study (institution_id, id, patient_id, kind, kind_certain, state, uid, count, bytes, created_by, taken_at)
        values (${clinic.iid}, ${study}, ${id}, 'panorama', true, 'ready', '1.2.77', 1, 1, ${clinic.uid}, '2024-05-06 10:00')`.execute(
        db,
      );
      await sql`insert into dicom_study (institution_id, study_id, uid, names, haystack, referring, patient_number, sex, study_time, accession, study_number, description, modalities, attributes)
        values (${clinic.iid}, ${study}, '1.2.77', '', '', '', '', '', '', 'A-1', '', '', '{}', '')`.execute(db);
    });
    const shown = { patientId: id, study: { id: study, kind: "panorama" } };
    for (const request of [{ studies: ["1.2.77"] }, { accession: "A-1" }]) {
      expect(await clinic.call("practice.open", { request })).toMatchObject(shown);
      expect(await there.clinic.call("practice.open", { request })).toMatchObject({ patientId: null, study: null });
    }
    for (const request of [
      { studies: [], accession: "A-1" },
      { studyIds: [], accession: "A-1" },
    ])
      expect(refusalOf(await clinic.ask("practice.open", { request }))).toBe("badInput");
    const named = { number: "", name: "Müller^Anna", birthDate: anna.birthDate };
    expect(await open(clinic, named, { newest: 1 })).toMatchObject(shown);
    expect(await open(clinic, named, { from: "2024-05-06T10:00:00" })).toMatchObject(shown);
    expect(await open(clinic, named, { from: "2024-05-06T10:00:01" })).toMatchObject({ patientId: id, study: null });
  });
});

describe("an absent patient", () => {
  it("with the number of somebody else is never opened as that person", async () => {
    const { clinic } = await setup();
    await clinic.call("institution.update", { launchCreatesPatients: true });
    const holder = await create(clinic, { name: "Ida Kern", birthDate: "1971-05-06", entryNumber: "4711" });
    const refused = await clinic.ask("practice.create", { ...anna, number: "4711" });
    expect(refusalOf(refused)).toBe("patientDuplicate");
    expect(refused.data).toMatchObject({ candidates: [{ id: holder.id }] });
    const made = await clinic.call("practice.create", { ...anna, number: "4711", evenIfDuplicate: true });
    expect(made).toMatchObject({ name: anna.name, birthDate: anna.birthDate });
    expect(await open(clinic, asked)).toMatchObject({ patientId: made.id });
  });

  it("is created once, after the clinic has allowed it", async () => {
    const { clinic, dentist } = await setup();
    const input = { ...anna, number: "4711" };
    expect(await open(dentist, asked)).toMatchObject({ patientId: null, mayCreate: false });
    expect(refusalOf(await dentist.ask("practice.create", input))).toBe("launchCreateOff");
    await clinic.call("institution.update", { launchCreatesPatients: true });
    expect(await open(dentist, asked)).toMatchObject({ patientId: null, mayCreate: true });
    const [one, other] = await Promise.all([
      dentist.call("practice.create", input),
      clinic.call("practice.create", input),
    ]);
    expect(one).toMatchObject({ name: "Anna Müller", entryNumber: "4711" });
    expect(other.id).toBe(one.id);
    expect(await open(clinic, asked)).toMatchObject({ patientId: one.id });
  });

  it("is not created beside a namesake of the same day without a second confirmation", async () => {
    const { clinic } = await setup();
    await clinic.call("institution.update", { launchCreatesPatients: true });
    await create(clinic, { entryNumber: "1" });
    const input = { ...anna, number: "2" };
    expect(refusalOf(await clinic.ask("practice.create", input))).toBe("patientDuplicate");
    expect(await clinic.call("practice.create", { ...input, evenIfDuplicate: true })).toMatchObject({
      entryNumber: "2",
    });
  });
});

describe("a code for a patient", () => {
  it("opens the patient once, for a member of the clinic who is signed in, and signs nobody in", async () => {
    const env = await setup();
    const { id } = await create(env.clinic, { entryNumber: "4711" });
    const { data } = await askCode(env, await keyOf(env));
    expect(data).toMatchObject({ expiresIn: 60, path: `/launch?code=${data.code}` });
    expect(refusalOf(await env.server.ask("account.exchange", { code: data.code }))).toBe("exchangeSpent");
    expect(await env.dentist.call("practice.open", { code: data.code })).toMatchObject({
      patientId: id,
      sender: "Practice software",
    });
    expect(refusalOf(await env.dentist.ask("practice.open", { code: data.code }))).toBe("launchSpent");
    // The name of the patient is gone together with the use of the code.
    const left = await env.server.running.database.asSystem((db) =>
      db.selectFrom("ticket").select("data").where("hash", "=", secretHash(data.code)).execute(),
    );
    expect(left).toEqual([{ data: {} }]);
  });

  it("is stored as a hash alone and expires after a minute", async () => {
    const env = await setup();
    const { code } = (await askCode(env, await keyOf(env))).data;
    const rows = await env.server.running.database.asSystem(async (db) => {
      await sql`update ticket set expires_at = now() where hash = ${secretHash(code)}`.execute(db);
      return db.selectFrom("ticket").selectAll().where("hash", "=", secretHash(code)).execute();
    });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(refusalOf(await env.clinic.ask("practice.open", { code }))).toBe("launchSpent");
  });

  it("works for the named member alone, and a stranger does not spend it", async () => {
    const [env, there] = [await setup(), await setup()];
    const secret = await keyOf(env);
    const { code } = (await askCode(env, secret, `${env.dentist.uid}@example.test`)).data;
    expect(refusalOf(await env.clinic.ask("practice.open", { code }))).toBe("launchForOther");
    expect(refusalOf(await there.clinic.ask("practice.open", { code }))).toBe("launchSpent");
    expect((await env.dentist.ask("practice.open", { code })).code).toBe(200);
    expect(refusalOf(await askCode(env, secret, there.dentist.uid))).toBe("launchNotAllowed");
  });

  it("can be kept during a sign-in, once", async () => {
    const env = await setup();
    const { code } = (await askCode(env, await keyOf(env))).data;
    const claim = (await env.server.ask("practice.claim", { code })).data;
    expect(claim.expiresIn).toBe(900);
    expect(refusalOf(await env.server.ask("practice.claim", { code: claim.code }))).toBe("launchSpent");
    expect((await env.dentist.ask("practice.open", { code: claim.code })).code).toBe(200);
    expect(refusalOf(await env.dentist.ask("practice.open", { code: claim.code }))).toBe("launchSpent");
  });

  it("is refused to a person, and to a key without the scope", async () => {
    const env = await setup();
    expect(refusalOf(await env.clinic.ask("practice.issueCode", { request: { person: asked } }))).toBe(
      "launchNotAllowed",
    );
    expect(refusalOf(await askCode(env, await keyOf(env, ["launch"])))).toBe("keyScopeMissing");
  });
});
