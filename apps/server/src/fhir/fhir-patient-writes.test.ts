import type { OperationOutcome, Patient } from "@medplum/fhirtypes";
import { beforeAll, describe, expect, it } from "vitest";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { askFhir, makeFhirKey } from "@arcada/testing/tools/fhir-requests";
import type { FhirRequestOptions } from "@arcada/testing/tools/fhir-requests";

let mine: TestSetup;
let key: string;
beforeAll(async () => {
  mine = await setup();
  key = await makeFhirKey(mine.clinic, ["patients.read", "patients.write"]);
});

const send = <T>(path: string, options: FhirRequestOptions, who = key) => askFhir<T>(mine.server, who, path, options);
const post = <T>(path: string, body: object, headers: Record<string, string> = {}) =>
  send<T>(path, { method: "POST", body, headers });
const put = <T>(path: string, body: object, headers: Record<string, string> = {}) =>
  send<T>(path, { method: "PUT", body, headers });
const why = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as OperationOutcome).issue[0]?.diagnostics,
];

const ada = {
  resourceType: "Patient",
  active: true,
  identifier: [{ system: "urn:arcada:entry-number", value: "EHR-1" }],
  name: [{ use: "official", family: "Lovelace", given: ["Ada", "King"] }],
  gender: "female",
  birthDate: "1985-12-10",
  telecom: [
    { system: "phone", value: "+44 20 7946 0001", use: "mobile" },
    { system: "phone", value: "+44 20 7946 0002", use: "home" },
    { system: "email", value: "ada@example.test" },
  ],
  address: [{ line: ["12 St James's Square"], city: "London", country: "GB" }],
};

describe("a patient that is written", () => {
  it("is created and read back the same, with a place and a version", async () => {
    const { status, location, etag, body } = await post<Patient>("Patient", ada);
    expect([status, etag]).toEqual([201, 'W/"0"']);
    expect(location).toBe(`${mine.server.address}/fhir/Patient/${body.id}/_history/0`);
    expect(body).toMatchObject({
      name: [{ text: "Ada King Lovelace" }],
      telecom: ada.telecom,
      address: [{ text: "12 St James's Square, London, GB" }],
      identifier: [{ system: "urn:arcada:patient-number" }, { system: "urn:arcada:entry-number", value: "EHR-1" }],
    });
    expect(await mine.clinic.call("patient.detail", { id: present(body.id) })).toMatchObject({
      name: "Ada King Lovelace",
      phone: "+44 20 7946 0001",
      fixedLine: "+44 20 7946 0002",
      entryNumber: "EHR-1",
    });
    const trail = await mine.clinic.call("trail.list", {});
    expect(trail.list.map(({ action, subject }) => [action, subject])).toContainEqual(["patient.create", body.id]);
  });

  it("is created once for its identifier, by however many requests", async () => {
    const condition = { "if-none-exist": "identifier=urn:arcada:entry-number|EHR-2" };
    const one = {
      ...ada,
      identifier: [{ system: "urn:arcada:entry-number", value: "EHR-2" }],
      birthDate: "1990-01-01",
    };
    const all = await Promise.all([1, 2, 3, 4].map(() => post<Patient>("Patient", one, condition)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1);
    expect(why(await post("Patient", one, { "if-none-exist": "gender=female" }))[0]).toBe(400);
  });

  it("is created once for a repeated idempotency key", async () => {
    const headers = { "idempotency-key": "fhir-1" };
    const body = { ...ada, identifier: [], birthDate: "1991-01-01" };
    const ids = [await post<Patient>("Patient", body, headers), await post<Patient>("Patient", body, headers)];
    expect(ids[0]?.body.id).toBe(ids[1]?.body.id);
  });

  it("is refused as the same person unless the sender wants one more", async () => {
    const body = { ...ada, identifier: [], birthDate: "1992-01-01" };
    const first = await post<Patient>("Patient", body);
    const second = await post<OperationOutcome>("Patient", body);
    expect([second.status, second.body.issue[0]?.details?.coding?.[0]?.code]).toEqual([409, "patientDuplicate"]);
    expect(second.body.issue[0]?.diagnostics).toContain(`Patient/${first.body.id}`);
    expect((await post("Patient?_evenIfDuplicate=true", body)).status).toBe(201);
  });

  it("is changed from the version that was read, and from no older one", async () => {
    const { body } = await post<Patient>("Patient", { ...ada, identifier: [], birthDate: "1993-01-01" });
    const path = `Patient/${body.id}`;
    const changed = await put<Patient>(path, { ...body, telecom: [] }, { "if-match": 'W/"0"' });
    expect([changed.status, changed.etag, changed.body.telecom]).toEqual([200, 'W/"1"', undefined]);
    expect((await put(path, body, { "if-match": 'W/"0"' })).status).toBe(412);
    expect((await put(path, body)).status).toBe(409);
    const { meta: _, ...withoutVersion } = body;
    expect(why(await put(path, withoutVersion))).toEqual([400, expect.stringContaining("If-Match: required")]);
    expect((await put(path, { ...changed.body, id: "other" })).status).toBe(400);
    expect((await put(`Patient/${mine.clinic.iid}`, { ...body, id: mine.clinic.iid })).status).toBe(404);
  });

  it("keeps what FHIR has no element for: an age and the history", async () => {
    const { id, version } = await mine.clinic.call("patient.create", {
      name: "Old Age",
      sex: "other",
      age: 40,
      allergies: "latex",
    });
    const { body } = await send<Patient>(`Patient/${id}`, {});
    expect(body.birthDate).toBeUndefined();
    expect((await put(`Patient/${id}`, { ...body, name: [{ text: "New Age" }] })).status).toBe(200);
    expect(await mine.clinic.call("patient.detail", { id })).toMatchObject({
      name: "New Age",
      age: 40,
      allergies: "latex",
      version: version + 1,
    });
  });

  it("names what it does not store, and leaves it out only for a lenient sender", async () => {
    const body = {
      ...ada,
      identifier: [{ system: "urn:oid:1.2.3", value: "7" }],
      birthDate: "1994-01-01",
      maritalStatus: { text: "married" },
      communication: [{ language: { text: "English" } }],
    };
    const [status, diagnostics] = why(await post("Patient", body));
    expect(status).toBe(400);
    for (const place of ["Patient.maritalStatus", "Patient.communication", "Patient.identifier[0]"])
      expect(diagnostics).toContain(place);
    const lenient = await post<OperationOutcome>("Patient", body, { prefer: "handling=lenient" });
    expect(lenient.status).toBe(201);
    expect(lenient.body.issue.map(({ severity, expression }) => `${severity} ${expression?.[0]}`).toSorted()).toEqual([
      "warning Patient.communication",
      "warning Patient.identifier[0]",
      "warning Patient.maritalStatus",
    ]);
    const modified = { ...body, modifierExtension: [{ url: "urn:x", valueBoolean: true }] };
    expect((await post("Patient", modified, { prefer: "handling=lenient" })).status).toBe(400);
  });

  it("counts once against the limit of its key", async () => {
    const { key: made, secret } = await mine.clinic.call("interface.makeKey", {
      name: "Counted",
      scopes: ["patients.read", "patients.write"],
      days: 30,
    });
    const body = { ...ada, identifier: [], birthDate: "1996-01-01" };
    const headers = { "if-none-exist": "birthdate=1996-01-01" };
    expect((await send("Patient", { method: "POST", body, headers }, secret)).status).toBe(201);
    // The limit is 600 requests a minute; what is counted is written with the next query of the key.
    await new Promise((resolve) => setTimeout(resolve, 600));
    await send("Patient?_count=1", {}, secret);
    const counted = await mine.server.running.database.asSystem((db) =>
      db.selectFrom("api_key").select("calls").where("id", "=", made.id).executeTakeFirstOrThrow(),
    );
    expect(counted.calls).toBeLessThanOrEqual(3);
  });

  it("needs the scope for writing, and answers with as much as was preferred", async () => {
    const readOnly = await makeFhirKey(mine.clinic, ["patients.read"]);
    expect((await send("Patient", { method: "POST", body: ada }, readOnly)).status).toBe(403);
    const body = { ...ada, identifier: [], birthDate: "1995-01-01" };
    const minimal = await post("Patient", body, { prefer: "return=minimal" });
    expect([minimal.status, minimal.body]).toEqual([201, undefined]);
  });
});
