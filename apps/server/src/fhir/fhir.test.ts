import { localDayIn, zoneOfCountry } from "@arcada/contract/kernel/time-zone";
import type { Bundle, CapabilityStatement, OperationOutcome, ServiceRequest, Task } from "@medplum/fhirtypes";
import { beforeAll, describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import {
  getTestServer,
  setup,
  type TestUser,
  type TestServer,
  type TestSetup,
} from "@arcada/testing/setup/test-server";
import { askFhir } from "@arcada/testing/tools/fhir-requests";
import { present } from "@arcada/testing/require-present";

let env: TestServer;
let caseEnv: TestSetup;
let order: Order;
let patientId: string;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup({ clinic: { hidePatientNames: true } });
  patientId = await createPatient(caseEnv.clinic, { name: "John Smith" });
  order = await sendOrder(caseEnv, { patientId, instructions: "Tight contacts" });
});

const get = <T>(who: TestUser | string, path: string, headers: Record<string, string> = {}) =>
  askFhir<T>(env, who, path, { headers });
const search = (who: TestUser, query: string) => get<Bundle<Task>>(who, `Task?${query}`);
const ids = ({ body }: { body: Bundle<Task> }) => (body.entry ?? []).map(({ resource }) => resource?.id);

describe("an order in FHIR", () => {
  it("is a Task with our state, its number, both organisations and the patient's name as the reader may see it", async () => {
    const [sent, received] = [
      await get<Task>(caseEnv.clinic, `Task/${order.id}`),
      await get<Task>(caseEnv.lab, `Task/${order.id}`),
    ];
    expect(received).toMatchObject({
      status: 200,
      type: "application/fhir+json; charset=utf-8",
      etag: `W/"${order.version}"`,
    });
    expect(received.body).toMatchObject({
      resourceType: "Task",
      id: order.id,
      status: "requested",
      businessStatus: {
        coding: [{ system: "urn:arcada:order-state", code: "pending", display: "awaiting acceptance" }],
      },
      identifier: [{ system: "urn:arcada:order-number", value: order.number }],
      intent: "order",
      focus: { reference: `ServiceRequest/${order.id}` },
      for: { reference: "#patient" },
      requester: { reference: `Organization/${caseEnv.clinic.iid}` },
      owner: { reference: `Organization/${caseEnv.lab.iid}` },
      restriction: { period: { end: "2030-01-01" } },
    });
    expect(received.body.contained).toEqual([expect.objectContaining({ name: [{ text: "J*** S****" }] })]);
    expect(sent.body.contained).toBeUndefined();
    expect(sent.body.for).toMatchObject({ reference: `Patient/${patientId}`, display: "John Smith" });
    expect(JSON.stringify(received.body)).not.toContain("Smith");
    const owner = await get<{ name: string }>(caseEnv.clinic, present(received.body.owner?.reference, "reference"));
    expect(owner).toMatchObject({
      status: 200,
      body: { resourceType: "Organization", name: expect.stringMatching(/^Lab/) },
    });
  });

  it("is a ServiceRequest with its teeth by ISO 3950 and the work on them", async () => {
    const { body } = await get<ServiceRequest>(caseEnv.lab, `ServiceRequest/${order.id}`);
    expect(body).toMatchObject({
      resourceType: "ServiceRequest",
      status: "active",
      code: { coding: [{ system: "urn:arcada:case-type", code: "restoration" }] },
      bodySite: [
        {
          coding: [
            { system: "urn:iso:std:iso:3950", code: "11" },
            { system: "http://terminology.hl7.org/CodeSystem/ex-tooth", code: "11" },
          ],
        },
      ],
      note: [{ text: "Tight contacts" }],
      subject: { reference: "#patient" },
    });
    expect(body.orderDetail?.at(-1)).toMatchObject({
      coding: [{ system: "urn:arcada:item-kind", code: "crown" }],
      text: "crown; 11; zirconia; A2",
    });
  });

  it("maps an open question to received, work to in-progress, and hides the content of a refused order", async () => {
    let moving = await sendOrder(caseEnv);
    const told = async () => {
      const { body } = await get<Task>(caseEnv.lab, `Task/${moving.id}`);
      return [body.businessStatus?.coding?.[0]?.code, body.status];
    };
    const lab = async (...step: [Parameters<typeof takeStep>[2], object?]) =>
      void (moving = await takeStep(caseEnv.lab, moving, ...step));
    await lab("requestInfo", { text: "Which shade?" });
    expect(await told()).toEqual(["pending", "received"]);
    moving = await takeStep(caseEnv.dentist, moving, "supplyInfo", { text: "A2" });
    await lab("accept", { promisedDate: "2030-01-01" });
    expect(await told()).toEqual(["awaiting_design", "in-progress"]);
    const refused = await sendOrder(caseEnv, { instructions: "Secret words" });
    moving = await takeStep(caseEnv.lab, refused, "refuse", { reason: "Too busy" });
    expect(await told()).toEqual(["refused", "rejected"]);
    const { body } = await get<ServiceRequest>(caseEnv.lab, `ServiceRequest/${refused.id}`);
    expect(body).toMatchObject({ status: "revoked" });
    expect(JSON.stringify(body)).not.toMatch(/Secret words|bodySite/);
  });

  it("is searched by state, time, number and organisation, page after page", async () => {
    const fresh = await setup();
    const orders: Order[] = [];
    for (let nth = 0; nth < 5; nth++) orders.push(await sendOrder(fresh));
    await takeStep(fresh.lab, orders[0], "accept", { promisedDate: "2030-01-01" });
    expect(ids(await search(fresh.lab, "status=in-progress"))).toEqual([orders[0].id]);
    expect((await search(fresh.lab, "status=requested,in-progress")).body.total).toBe(5);
    expect(ids(await search(fresh.lab, `identifier=urn:arcada:order-number%7C${orders[3].number}`))).toEqual([
      orders[3].id,
    ]);
    expect(ids(await search(fresh.lab, `identifier=urn:other%7C${orders[3].number}`))).toEqual([]);
    expect((await search(fresh.clinic, `owner=Organization/${fresh.lab.iid}&business-status=pending`)).body.total).toBe(
      4,
    );
    expect((await search(fresh.lab, `owner=${fresh.clinic.iid}`)).body.total).toBe(0);
    const now = new Date().toISOString();
    // A day is the laboratory's own.
    const today = localDayIn(zoneOfCountry("CN"), now);
    expect((await search(fresh.lab, `_lastUpdated=ge${today}`)).body.total).toBe(5);
    expect((await search(fresh.lab, `_lastUpdated=gt${today}`)).body.total).toBe(0);
    expect((await search(fresh.lab, `_lastUpdated=le${encodeURIComponent(now)}&_lastUpdated=ge2020`)).body.total).toBe(
      5,
    );
    const seen: (string | undefined)[] = [];
    let page = await search(fresh.lab, "_count=2&_sort=_lastUpdated&status=requested,in-progress");
    for (;;) {
      seen.push(...ids(page));
      const next = page.body.link?.find(({ relation }) => relation === "next");
      if (!next) break;
      page = await get<Bundle<Task>>(fresh.lab, next.url);
    }
    expect(seen).toEqual([...orders.slice(1), orders[0]].map(({ id }) => id));
    expect((await search((await setup()).lab, "")).body).toMatchObject({ total: 0 });
  });

  it("answers errors with an OperationOutcome: no key, another's order, an unknown parameter, XML", async () => {
    const wrong = async (who: TestUser | string, path: string, headers?: Record<string, string>) => {
      const { status, body, type } = await get<OperationOutcome>(who, path, headers);
      expect(type).toBe("application/fhir+json; charset=utf-8");
      expect(body.resourceType).toBe("OperationOutcome");
      return [status, body.issue[0]?.code];
    };
    const { secret } = await caseEnv.clinic.call("interface.makeKey", {
      name: "FHIR",
      scopes: ["patients.read"],
      days: 30,
    });
    expect(await wrong("nobody", `Task/${order.id}`)).toEqual([401, "login"]);
    expect(await wrong(secret, `Task/${order.id}`)).toEqual([403, "forbidden"]);
    const other = await setup();
    for (const path of [
      `Task/${order.id}`,
      `ServiceRequest/${order.id}`,
      `Organization/${caseEnv.lab.iid}`,
      "Task/1",
      "Patient/1",
    ])
      expect(await wrong(other.clinic, path)).toEqual([404, "not-found"]);
    expect(await wrong(caseEnv.lab, "Task?_lastUpdated=yesterday")).toEqual([400, "invalid"]);
    expect(await wrong(caseEnv.lab, "Task?colour=red", { prefer: "handling=strict" })).toEqual([400, "invalid"]);
    expect(await wrong(caseEnv.lab, "Task?_format=xml")).toEqual([406, "not-supported"]);
    expect((await search(caseEnv.lab, "colour=red")).body.link?.[0]?.url).not.toContain("colour");
  });

  it("serves its metadata without a key, and the rest to a key with the scope", async () => {
    const { body } = await get<CapabilityStatement>("", "metadata");
    expect(body).toMatchObject({ resourceType: "CapabilityStatement", fhirVersion: "4.0.1" });
    expect(body.rest?.[0]?.resource?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["Task", "ServiceRequest", "Organization"]),
    );
    const { key, secret } = await caseEnv.lab.call("interface.makeKey", {
      name: "MES",
      scopes: ["orders.read"],
      days: 30,
    });
    expect((await get<Task>(secret, `Task/${order.id}`)).status).toBe(200);
    const trail = await caseEnv.lab.call("trail.list", { user: key.id });
    expect(trail.list[0]).toMatchObject({ action: "order.read", subject: order.id, userName: "MES" });
  });
});
