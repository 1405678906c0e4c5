import type { Bundle, CapabilityStatement, OperationOutcome, ServiceRequest, Task } from "@medplum/fhirtypes";
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
const post = <T>(path: string, body: object) => send<T>(path, { method: "POST", body });
const put = <T>(path: string, body: object, headers: Record<string, string> = {}, who = key) =>
  send<T>(path, { method: "PUT", body, headers }, who);
const why = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as OperationOutcome).issue[0]?.diagnostics,
];

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
    const finished = { ...accepted.body, status: "completed" };
    expect((await put(`Task/${order.id}`, finished, {}, labKey)).status).toBe(422);
    const shipment = {
      url: "urn:arcada:shipment",
      extension: [
        { url: "carrier", valueString: "DHL" },
        { url: "trackingNumber", valueString: "JD014" },
      ],
    };
    const extension = [...(accepted.body.extension ?? []), shipment];
    const dispatched = await put<Task>(`Task/${order.id}`, { ...finished, extension }, {}, labKey);
    expect(dispatched.body.extension).toEqual(extension);
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
