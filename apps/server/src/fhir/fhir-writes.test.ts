import type { Bundle, CapabilityStatement, OperationOutcome, Patient, ServiceRequest, Task } from "@medplum/fhirtypes";
import { beforeAll, describe, expect, it } from "vitest";
import { fhirResources } from "@arcada/contract/http-api/fhir-endpoints";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { askFhir, makeFhirKey } from "@arcada/testing/tools/fhir-requests";
import type { FhirRequestOptions } from "@arcada/testing/tools/fhir-requests";
import { resourceDefinitions } from "./resources/resource-definitions.ts";

let mine: TestSetup;
let key: string;
let labKey: string;
beforeAll(async () => {
  mine = await setup();
  key = await makeFhirKey(mine.clinic, ["patients.read", "patients.write", "orders.read", "orders.write"]);
  labKey = await makeFhirKey(mine.lab, ["orders.read", "orders.write"]);
});

const send = <T>(path: string, options: FhirRequestOptions, who = key) => askFhir<T>(mine.server, who, path, options);
const post = <T>(path: string, body: object, headers: Record<string, string> = {}) =>
  send<T>(path, { method: "POST", body, headers });
const put = <T>(path: string, body: object, headers: Record<string, string> = {}, who = key) =>
  send<T>(path, { method: "PUT", body, headers }, who);
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
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
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
    expect(lenient.body.issue.map(({ severity, expression }) => [severity, expression?.[0]]).toSorted()).toEqual([
      ["warning", "Patient.communication"],
      ["warning", "Patient.identifier[0]"],
      ["warning", "Patient.maritalStatus"],
    ]);
    const modified = { ...body, modifierExtension: [{ url: "urn:x", valueBoolean: true }] };
    expect((await post("Patient", modified, { prefer: "handling=lenient" })).status).toBe(400);
  });

  it("needs the scope for writing, and answers with as much as was preferred", async () => {
    const readOnly = await makeFhirKey(mine.clinic, ["patients.read"]);
    expect((await send("Patient", { method: "POST", body: ada }, readOnly)).status).toBe(403);
    const body = { ...ada, identifier: [], birthDate: "1995-01-01" };
    const minimal = await post("Patient", body, { prefer: "return=minimal" });
    expect([minimal.status, minimal.body]).toEqual([201, undefined]);
  });
});

const crown = (patientId: string, status: "draft" | "active"): ServiceRequest => ({
  resourceType: "ServiceRequest",
  status,
  intent: "order",
  subject: { reference: `Patient/${patientId}` },
  code: { coding: [{ system: "urn:arcada:case-type", code: "restoration" }] },
  performer: [{ reference: `Organization/${mine.lab.iid}` }],
  occurrenceDateTime: "2030-01-01",
  orderDetail: [
    { coding: [{ system: "urn:arcada:work-kind", code: "design" }] },
    { coding: [{ system: "urn:arcada:work-kind", code: "machining" }] },
    {
      coding: [{ system: "urn:arcada:item-kind", code: "bridge" }],
      extension: [
        {
          url: "urn:arcada:order-item",
          extension: [
            { url: "tooth", valueCode: "11" },
            { url: "tooth", valueCode: "12" },
            { url: "tooth", valueCode: "13" },
            { url: "pontic", valueCode: "12" },
            { url: "material", valueCode: "zirconia" },
            { url: "shade", valueCode: "A2" },
          ],
        },
      ],
    },
  ],
  extension: [{ url: "urn:arcada:prescription", extension: [{ url: "noDigitalFiles", valueBoolean: true }] }],
  identifier: [{ system: "urn:arcada:source-order-number", value: "PMS-77" }],
  note: [{ text: "Tight contacts" }],
});

describe("a prescription that is written", () => {
  it("becomes a draft, which is changed and sent by its status", async () => {
    const patientId = await createPatient(mine.clinic);
    const { status, body } = await post<ServiceRequest>("ServiceRequest", crown(patientId, "draft"));
    expect([status, body.status]).toEqual([201, "draft"]);
    expect(body).toMatchObject({ subject: { reference: `Patient/${patientId}` }, note: [{ text: "Tight contacts" }] });
    expect(body.bodySite?.map(({ coding }) => coding?.[0]?.code)).toEqual(["11", "12", "13"]);
    const id = present(body.id);
    const { prescription } = await mine.clinic.call("order.detail", { id });
    expect(prescription).toMatchObject({
      items: [{ kind: "bridge", teeth: [11, 12, 13], pontics: [12], material: "zirconia", shade: "A2" }],
      workKinds: ["design", "machining"],
      sourceOrder: "PMS-77",
      noDigitalFiles: true,
    });
    const sent = await put<ServiceRequest>(`ServiceRequest/${id}`, { ...body, status: "active" });
    expect([sent.status, sent.body.status]).toEqual([200, "active"]);
    expect((await mine.clinic.call("order.detail", { id })).state).toBe("pending");
    const received = await send<Bundle<Task>>("Task?status=requested&_count=100", {}, labKey);
    expect(received.body.entry?.map(({ resource }) => resource?.id)).toContain(id);
    expect((await put(`ServiceRequest/${id}`, sent.body)).status).toBe(409);
  });

  it("gives the teeth of bodySite to a single item, and refuses teeth without work and unknown ones", async () => {
    const patientId = await createPatient(mine.clinic);
    const plain = {
      ...crown(patientId, "draft"),
      orderDetail: [{ coding: [{ system: "urn:arcada:item-kind", code: "crown" }] }],
      bodySite: [{ coding: [{ system: "urn:iso:std:iso:3950", code: "21" }] }],
    };
    const { body } = await post<ServiceRequest>("ServiceRequest", plain);
    const { prescription } = await mine.clinic.call("order.detail", { id: present(body.id) });
    expect(prescription.items).toMatchObject([{ kind: "crown", teeth: [21] }]);
    expect(why(await post("ServiceRequest", { ...plain, orderDetail: [] }))).toEqual([
      400,
      expect.stringContaining("ServiceRequest.bodySite"),
    ]);
    const unknown = { ...plain, bodySite: [{ coding: [{ system: "urn:iso:std:iso:3950", code: "99" }] }] };
    expect(why(await post("ServiceRequest", unknown))).toEqual([400, expect.stringContaining("toothUnknown")]);
  });

  it("is refused for another clinic's patient, without a lab's right and where it is not complete", async () => {
    const stranger = await createPatient((await setup()).clinic);
    expect((await post("ServiceRequest", crown(stranger, "draft"))).status).toBe(404);
    const patientId = await createPatient(mine.clinic);
    const { extension: _, ...withoutFiles } = crown(patientId, "active");
    const refused = await post<OperationOutcome>("ServiceRequest", withoutFiles);
    expect([refused.status, refused.body.issue[0]?.details?.coding?.[0]?.code]).toEqual([422, "orderIncomplete"]);
    expect((await send("ServiceRequest", { method: "POST", body: withoutFiles }, labKey)).status).toBe(403);
  });
});

describe("a Task that is written", () => {
  const read = async (id: string, who: string) => (await send<Task>(`Task/${id}`, {}, who)).body;

  it("moves an order from acceptance to receipt by its status", async () => {
    const order = await sendOrder(mine, { workKinds: ["machining"] });
    const requested = await read(order.id, labKey);
    const accepted = await put<Task>(
      `Task/${order.id}`,
      { ...requested, status: "accepted", extension: [{ url: "urn:arcada:promised-date", valueDate: "2029-12-24" }] },
      { "if-match": `W/"${order.version}"` },
      labKey,
    );
    expect([accepted.status, accepted.body.status]).toEqual([200, "in-progress"]);
    expect(accepted.body.extension).toEqual([{ url: "urn:arcada:promised-date", valueDate: "2029-12-24" }]);
    const dispatched = await put<Task>(`Task/${order.id}`, { ...accepted.body, status: "completed" }, {}, labKey);
    expect(dispatched.body.businessStatus?.coding?.[0]?.code).toBe("awaiting_receipt");
    const atClinic = await read(order.id, key);
    const completed = await put<Task>(`Task/${order.id}`, { ...atClinic, status: "completed" });
    expect([completed.status, completed.body.status]).toEqual([200, "completed"]);
  });

  it("asks and refuses with the reason, and names other actions by their codes", async () => {
    const order = await sendOrder(mine);
    const requested = await read(order.id, labKey);
    expect(why(await put(`Task/${order.id}`, { ...requested, status: "rejected" }, {}, labKey))[0]).toBe(422);
    const asked = await put<Task>(
      `Task/${order.id}`,
      { ...requested, status: "received", statusReason: { text: "Which shade?" } },
      {},
      labKey,
    );
    expect([asked.body.status, asked.body.statusReason?.text]).toEqual(["received", "Which shade?"]);
    const refused = await put<Task>(
      `Task/${order.id}`,
      {
        ...asked.body,
        statusReason: { text: "Too busy" },
        businessStatus: { coding: [{ system: "urn:arcada:order-action", code: "refuse" }] },
      },
      {},
      labKey,
    );
    expect([refused.status, refused.body.status]).toEqual([200, "rejected"]);
  });

  it("is refused for an action of the other side, a stale version, and any other change", async () => {
    const order = await sendOrder(mine);
    const requested = await read(order.id, key);
    const wrong = await put<OperationOutcome>(`Task/${order.id}`, { ...requested, status: "accepted" });
    expect([wrong.status, wrong.body.issue[0]?.details?.coding?.[0]?.code]).toEqual([409, "orderActionNotAllowed"]);
    const atLab = await read(order.id, labKey);
    await takeStep(mine.lab, order, "accept", { promisedDate: "2030-01-01" });
    const stale = { ...atLab, status: "rejected", statusReason: { text: "late" } };
    expect((await put(`Task/${order.id}`, stale, { "if-match": atLab.meta?.versionId ?? "" }, labKey)).status).toBe(
      412,
    );
    const current = await read(order.id, labKey);
    expect(why(await put(`Task/${order.id}`, { ...current, priority: "stat" }, {}, labKey))).toEqual([
      400,
      expect.stringContaining("Task.priority"),
    ]);
    expect((await put<Task>(`Task/${order.id}`, current, {}, labKey)).body.meta?.versionId).toBe(
      current.meta?.versionId,
    );
    const stranger = await makeFhirKey((await setup()).lab, ["orders.read", "orders.write"]);
    expect((await put(`Task/${order.id}`, current, {}, stranger)).status).toBe(404);
  });
});

describe("the capability statement", () => {
  it("has the resources, interactions and scopes of the OpenAPI document", () => {
    const told = resourceDefinitions.map(({ type, access, write }) => ({
      type,
      reads: access.scopes,
      ...(write && { writes: { scope: write.access.scopes[0], interactions: write.interactions } }),
    }));
    expect(told).toEqual(fhirResources.map(({ says: _, ...resource }) => resource));
  });

  it("names each interaction and parameter, and the scopes", async () => {
    const { body } = await send<CapabilityStatement>("metadata", {});
    const resources = body.rest?.[0]?.resource ?? [];
    const patient = present(resources.find(({ type }) => type === "Patient"));
    expect(patient.interaction?.map(({ code }) => code)).toEqual(["read", "search-type", "create", "update"]);
    expect([patient.conditionalCreate, patient.versioning]).toEqual([true, "versioned-update"]);
    expect(patient.documentation).toContain("patients.write");
    expect(patient.searchParam?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["_id", "identifier", "name", "birthdate", "gender", "_lastUpdated"]),
    );
    for (const { type, searchParam } of resources)
      for (const { name } of searchParam ?? []) {
        const named = name === "patient" || name === "subject" ? "" : `&patient=${mine.clinic.iid}`;
        const value = ["date", "_lastUpdated"].some((one) => name?.includes(one)) ? "2026" : mine.clinic.iid;
        const all = await makeAllKey();
        const { status } = await send(`${type}?${name}=${value}${named}`, {}, all);
        const isDate = searchParam?.find((one) => one.name === name)?.type === "date";
        expect([type, name, status]).toEqual([type, name, isDate && value !== "2026" ? 400 : 200]);
      }
  });
});

let allKey: string | undefined;
const makeAllKey = async () =>
  (allKey ??= await makeFhirKey(mine.clinic, [
    "patients.read",
    "records.read",
    "studies.read",
    "orders.read",
    "organisation.read",
  ]));
