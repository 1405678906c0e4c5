import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { startUpload, sendChunk } from "@arcada/testing/clients/device-uploads";
import { getTestServer, setup, type TestServer, type TestSetup } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let caseEnv: TestSetup;
let service: AnyTestUser;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup();
  service = await env.createUser("afterSalesAdmin");
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** A key is cached for half a second. */
const pauseShortly = () => new Promise((resolve) => setTimeout(resolve, 700));
const step = async (by: AnyTestUser, id: string, action: string, more: object = {}) => {
  const { version } = await service.call("device.detail", { id });
  return by.ask("device.step", { id, action, version, ...more });
};

let registeredCount = 0;
/** A device of this clinic, with its key and the activation code that it was bound with. */
async function bindDevice({ clinic } = caseEnv) {
  const serialNumber = `KEY-${++registeredCount}`;
  const product = { product: "Aurora CBCT", serialNumber, model: "A1" };
  const { activationCode } = await service.call("device.register", product);
  const bound = await clinic.call("device.bind", { serialNumber, activationCode, name: "Room 2" });
  return { ...bound.device, key: bound.key, code: activationCode };
}

const radiograph = createIntraoralRadiograph(makeHead("by a device"), {
  id: "D-1",
  name: "Wang^Xiaoming",
  sex: "M",
  birthDate: "19800412",
}).bytes;
const [firstHalf, secondHalf] = [
  radiograph.subarray(0, radiograph.length >> 1),
  radiograph.subarray(radiograph.length >> 1),
];

/** A device of a clinic of its own that has sent half of an image, and the sending of the other half. */
async function startedUpload() {
  const caseEnv = await setup();
  const device = await bindDevice(caseEnv);
  const url = await startUpload(env, device.key, radiograph.length);
  expect(await sendChunk(device.key, url, 0, firstHalf)).toMatchObject({ status: 204 });
  const sendRest = () => sendChunk(device.key, url, firstHalf.length, secondHalf);
  return { ...caseEnv, device, url, sendRest };
}

describe("a device's key", () => {
  it("signs the device in and stores what it states about itself", async () => {
    const device = await bindDevice();
    const said = { softwareVersion: "2.4.0", firmware: "4.2" };
    expect((await env.ask("device.hello", { ...said, queue: 3 }, bearer(device.key))).data).toMatchObject({
      state: "bound",
      refused: null,
    });
    expect(await service.call("device.detail", { id: device.id })).toMatchObject({
      ...said,
      waiting: 3,
      saidAt: expect.any(String),
    });
  });

  it("opens no call that is not for devices", async () => {
    const { key } = await bindDevice();
    for (const call of ["patient.list", "order.list", "study.list", "device.list", "account.getUserInfo"] as const)
      expect(refusalOf(await env.ask(call, {}, bearer(key))), call).toBe("keyNotHere");
    expect((await fetch(`${env.address}/dicomweb/studies`, { headers: bearer(key) })).status).toBe(403);
  });

  it("is the only kind of session that may act as a device", async () => {
    expect(refusalOf(await caseEnv.clinic.ask("device.hello", {}))).toBe("notAllowed");
  });
});

describe("the worklist of a device", () => {
  const entry = {
    patientName: "Wang^Xiaoming=王^小明",
    patientNumber: "E-77",
    birthDate: "19900102",
    sex: "M",
  };
  let patientId: string;
  let key: string;
  beforeAll(async () => {
    ({ key } = await bindDevice());
    const born = { sex: "male", birthDate: "1990-01-02" } as const;
    ({ id: patientId } = await caseEnv.clinic.call("patient.create", { name: "王小明", entryNumber: "E-77", ...born }));
    await (await setup()).clinic.call("patient.create", { name: "王别家", ...born });
  });
  const ask = (input: object) => env.ask("device.worklist", input, bearer(key));

  it("finds the patients of the device's own clinic by name and number", async () => {
    expect((await ask({ name: "wang*" })).data).toMatchObject({ list: [{ patientId, ...entry }], next: null });
    expect((await ask({ number: "E-77", zone: "Asia/Shanghai" })).data).toMatchObject({
      list: [{ patientId, ...entry }],
    });
  });

  it("lists the patients who were inspected between two days, with the time", async () => {
    const days = { from: "2020-01-01", to: "2020-01-02" };
    expect((await ask(days)).data).toMatchObject({ list: [] });
    await env.running.database.asSystem((db) =>
      sql`update patient set inspected_at = '2020-01-02 09:30' where id = ${patientId}`.execute(db),
    );
    expect((await ask(days)).data).toMatchObject({
      list: [{ patientId, ...entry, scheduledDate: "20200102", scheduledTime: "093000" }],
    });
  });

  it("refuses an unknown time zone", async () => {
    expect(refusalOf(await ask({ zone: "Nowhere/At All" }))).toBe("badInput");
  });
});

describe("a device that its clinic locks or unbinds", () => {
  it("is not unbound while it uploads", async () => {
    const { clinic, device } = await startedUpload();
    expect(refusalOf(await step(clinic, device.id, "unbind", { serialNumber: device.serialNumber }))).toBe(
      "deviceUploading",
    );
  });

  it("is not locked without a reason", async () => {
    const device = await bindDevice();
    expect(refusalOf(await step(caseEnv.clinic, device.id, "lock"))).toBe("deviceReasonMissing");
  });

  it("is refused everywhere with the reason while it is locked", async () => {
    const { clinic, device, sendRest } = await startedUpload();
    expect(refusalOf(await step(clinic, device.id, "lock", { reason: "遗失" }))).toBe("accepted");
    await pauseShortly();
    const locked = refusals.deviceLocked;
    expect(await sendRest()).toMatchObject({
      status: locked.status,
      body: { code: locked.code, data: { reason: "遗失" } },
    });
    const stow = await new DicomwebClient({ server: env, token: device.key }).store([radiograph]);
    expect(stow).toMatchObject({ status: locked.status, answer: { code: locked.code } });
    expect(refusalOf(await env.ask("device.worklist", {}, bearer(device.key)))).toBe("deviceLocked");
    expect((await env.ask("device.hello", {}, bearer(device.key))).data).toMatchObject({
      state: "locked",
      refused: "遗失",
    });
  });

  it(
    "loses nothing that it sends: after the unlock its image arrives, and stays after it is unbound",
    { timeout: 60_000 },
    async () => {
      const { clinic, device, url, sendRest } = await startedUpload();
      await step(clinic, device.id, "lock", { reason: "遗失" });
      await pauseShortly();
      expect((await sendRest()).status).toBe(refusals.deviceLocked.status);
      expect(refusalOf(await step(service, device.id, "unlock"))).toBe("accepted");
      await pauseShortly();
      expect(await sendRest()).toMatchObject({ status: 204 });
      const uploads = [url.split("/").at(-1)];
      expect(refusalOf(await env.ask("study.send", { uploads }, bearer(device.key)))).toBe("accepted");
      await expect.poll(async () => (await clinic.call("study.inbox", {})).total, { timeout: 20_000 }).toBe(1);
      const [arrived] = (await clinic.call("study.inbox", {})).list;
      expect(arrived).toMatchObject({ origin: "device" });
      await step(clinic, device.id, "unbind", { serialNumber: device.serialNumber });
      expect((await clinic.call("study.inbox", {})).list[0]).toMatchObject({ id: arrived.id });
    },
  );

  it("is unbound with its serial number, and its key and activation code are worthless from then on", async () => {
    const { clinic } = caseEnv;
    const device = await bindDevice();
    const { serialNumber } = device;
    expect(refusalOf(await step(clinic, device.id, "unbind", { serialNumber: "another" }))).toBe("deviceSerialDiffers");
    expect(refusalOf(await step(clinic, device.id, "unbind", { serialNumber }))).toBe("accepted");
    await pauseShortly();
    expect(refusalOf(await env.ask("device.hello", {}, bearer(device.key)))).toBe("keyUnknown");
    const again = { serialNumber, activationCode: device.code, name: "Room 2" };
    expect(refusalOf(await clinic.ask("device.bind", again))).toBe("deviceCodeUsed");
  });

  it("lists its steps, the latest first", async () => {
    const device = await bindDevice();
    await step(caseEnv.clinic, device.id, "lock", { reason: "lost" });
    await step(service, device.id, "unlock");
    await step(caseEnv.clinic, device.id, "unbind", { serialNumber: device.serialNumber });
    const seen = await caseEnv.clinic.call("device.detail", { id: device.id });
    expect(seen).toMatchObject({ state: "unbound", actions: [] });
    expect(seen.history.map(({ action }) => action)).toEqual(["unbind", "unlock", "lock", "bind"]);
  });
});
