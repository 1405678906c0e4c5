import { exportJWK, generateKeyPair } from "jose";
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import { SmartClient } from "@arcada/testing/clients/smart-client";
import { createDocumentedPatient, seedExamination } from "@arcada/testing/fixtures/patient-with-all-records";
import type { DocumentedPatient } from "@arcada/testing/fixtures/patient-with-all-records";
import { present } from "@arcada/testing/require-present";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestSetup } from "@arcada/testing/setup/test-server";

const back = "https://app.example/callback";
const scopes = ["launch/patient", "patient/*.cruds", "user/ImagingStudy.rs"];
let env: TestSetup;
let own: DocumentedPatient;
let other: DocumentedPatient;
let client: SmartClient;
let token: string;
let appId: string;
beforeAll(async () => {
  env = await setup();
  own = await createDocumentedPatient(env);
  const another = { suffix: "Two", birthDate: "1950-01-02", idNumber: "another" };
  other = await createDocumentedPatient(env, another);
  for (const { id } of [own, other]) await seedExamination(env.dentist, id);
  const registration = { name: "Record", kind: "public" as const, redirectUris: [back], launchUrl: "", keys: "" };
  const { app } = await env.clinic.call("smart.register", { ...registration, scopes });
  appId = app.id;
  client = new SmartClient(env.server.address, app.id, back);
  token = (await client.connect(env.dentist, "launch/patient patient/*.cruds", own.id)).access_token;
});

const send = (method: string, path: string, body: object, by = token, headers: Record<string, string> = {}) =>
  fetch(`${env.server.address}/fhir/${path}`, {
    method,
    headers: { authorization: `Bearer ${by}`, "content-type": "application/fhir+json", ...headers },
    body: JSON.stringify(body),
  });
const types = ["ImagingStudy", "Encounter", "DiagnosticReport", "Observation", "Condition", "DocumentReference"];

describe("an app with one patient", () => {
  it.each(types)("finds no %s of another patient, by search or by id", async (type) => {
    const search = async (patient: DocumentedPatient, by: string) =>
      (await client.read(by, `${type}?patient=${patient.id}`)).body.entry ?? [];
    const found = await search(own, token);
    expect(found.length).toBeGreaterThan(0);
    expect(await search(other, token)).toEqual([]);
    const theirs = (await client.connect(env.dentist, "launch/patient patient/*.rs", other.id)).access_token;
    const { id } = present((await search(other, theirs))[0]).resource;
    expect((await client.read(theirs, `${type}/${id}`)).status).toBe(200);
    expect((await client.read(token, `${type}/${id}`)).status).toBe(404);
  });

  it("means this patient where a search names none, and gets no other one", async () => {
    const { body } = await client.read(token, "Patient");
    expect(body.entry?.map(({ resource }) => resource.id)).toEqual([own.id]);
    expect((await client.read(token, `Patient/${other.id}`)).status).toBe(404);
    expect((await client.read(token, "Observation")).body.entry?.length).toBeGreaterThan(0);
  });

  it("changes this patient alone, and creates none", async () => {
    const read = async (id: string, by: string) => (await client.read(by, `Patient/${id}`)).body as object;
    const theirs = (await client.connect(env.dentist, "launch/patient patient/*.rs", other.id)).access_token;
    expect((await send("PUT", `Patient/${other.id}`, await read(other.id, theirs))).status).toBe(404);
    expect((await send("PUT", `Patient/${own.id}`, await read(own.id, token))).status).toBe(200);
    const created = await send("POST", "Patient", {
      resourceType: "Patient",
      name: [{ text: "New" }],
      gender: "other",
    });
    expect(created.status).toBe(404);
  });

  it("creates none by a body that names this patient, and learns of no other by a guess", async () => {
    const someone = { resourceType: "Patient", gender: "female" as const, birthDate: "1990-05-06" };
    const headers = { prefer: "handling=lenient" };
    const named = { ...someone, name: [{ text: "Somebody New" }], subject: { reference: `Patient/${own.id}` } };
    expect((await send("POST", "Patient", named, token, headers)).status).toBe(404);
    expect((await env.clinic.call("patient.list", { search: "Somebody New" })).list).toEqual([]);
    const { body: record } = await client.read(token, `Patient/${own.id}`);
    const { name, birthDate } = await env.clinic.call("patient.detail", { id: other.id });
    const guess = { ...(record as object), name: [{ text: name }], birthDate };
    const answer = await send("PUT", `Patient/${own.id}`, guess);
    expect([answer.status, await answer.text()]).toEqual([409, expect.not.stringContaining(other.id)]);
  });

  it("is named in the audit log with what it changed", async () => {
    const { body } = await client.read(token, `Patient/${own.id}`);
    expect((await send("PUT", `Patient/${own.id}`, body)).status).toBe(200);
    const lines = await env.server.running.database.asSystem((db) =>
      db
        .selectFrom("audit")
        .select(["user_id", "detail"])
        .where("action", "=", "patient.update")
        .where("subject", "=", own.id)
        .execute(),
    );
    expect(lines).toContainEqual({ user_id: env.dentist.uid, detail: expect.objectContaining({ app: appId }) });
  });

  it("guesses nothing of other patients by the images that it may see of all", async () => {
    const wide = await client.connect(env.dentist, "launch/patient user/ImagingStudy.rs patient/Patient.rs", own.id);
    expect((await client.read(wide.access_token, "ImagingStudy")).body.entry?.length).toBeGreaterThan(1);
    const guessed = await client.read(wide.access_token, "ImagingStudy?patient.name=a");
    expect(guessed.status).toBe(403);
    const { body } = await client.read(wide.access_token, "ImagingStudy?_include=ImagingStudy:patient");
    const patients = body.entry?.filter(({ resource }) => "birthDate" in resource || resource.id === other.id) ?? [];
    expect(patients.map(({ resource }) => resource.id)).not.toContain(other.id);
  });

  it("reads a type only by a scope that names it, and writes only by one that allows it", async () => {
    const narrow = (await client.connect(env.dentist, "launch/patient patient/Patient.rs", own.id)).access_token;
    expect((await client.read(narrow, `Observation?patient=${own.id}`)).status).toBe(403);
    const { body } = await client.read(narrow, `Patient/${own.id}`);
    expect((await send("PUT", `Patient/${own.id}`, body, narrow)).status).toBe(403);
  });
});

describe("a backend service", () => {
  it("exports the types of its scopes, and reaches no export of another program", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES384", { extractable: true });
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES384" }] });
    const open = async (name: string, wanted: string) => {
      const registration = { name, kind: "keys" as const, redirectUris: [], launchUrl: "", keys };
      const { app } = await env.clinic.call("smart.register", { ...registration, scopes: [wanted] });
      const proof = oauth.PrivateKeyJwt({ key: privateKey, kid: "one" });
      return (await new SmartClient(env.server.address, app.id, back, proof).asBackend(wanted)).access_token;
    };
    const ask = (by: string, path: string) =>
      fetch(path.startsWith("http") ? path : `${env.server.address}/fhir/${path}`, {
        headers: { authorization: `Bearer ${by}`, prefer: "respond-async" },
      });
    const [all, few] = [await open("All", "system/*.rs"), await open("Few", "system/Patient.rs")];
    expect((await ask(few, "$export?_type=Observation")).status).toBe(400);
    expect((await ask(token, "$export")).status).toBe(403);
    const begun = await ask(all, "$export");
    expect(begun.status).toBe(202);
    const at = present(begun.headers.get("content-location"));
    await expect.poll(async () => (await ask(all, at)).status, { timeout: 20_000 }).toBe(200);
    expect((await ask(few, at)).status).toBe(404);
    // A registration that has lost a type has lost the export with it.
    await env.server.running.database.asSystem((db) =>
      db
        .updateTable("smart_app")
        .set({ scopes: ["system/Organization.rs"] })
        .where("name", "=", "All")
        .execute(),
    );
    expect((await ask(all, at)).status).toBe(404);
  });
});
