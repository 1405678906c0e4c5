import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { deviceRules } from "@arcada/contract/device/device.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { createIntraoralRadiograph } from "@arcada/phantom/radiograph/intraoral-radiograph";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { startUpload, uploadConsent, sendChunk } from "@arcada/testing/clients/device-uploads";
import { getTestServer, setup, type TestUser, type TestServer, type TestSetup } from "@arcada/testing/setup/setup";
import type { AnyTestUser } from "@arcada/testing/setup/setup";
import { present } from "@arcada/testing/present";

let env: TestServer;
let caseEnv: TestSetup;
let service: AnyTestUser;
beforeAll(async () => {
  env = await getTestServer();
  caseEnv = await setup();
  service = await env.createUser("afterSalesAdmin");
});

const isFull = process.env.ARCADA_PROOF === "full";
const system = (query: ReturnType<typeof sql>) => env.running.database.asSystem((db) => query.execute(db));
const code = (name: RefusalName) => ({ code: refusals[name].code, status: refusals[name].status });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** A key is cached for half a second. */
const pauseShortly = () => new Promise((resolve) => setTimeout(resolve, 700));
const now = async (id: string) => (await service.call("device.detail", { id })).version;
const step = async (by: AnyTestUser, id: string, action: string, more: object = {}) =>
  by.ask("device.step", { id, action, version: await now(id), ...more });

let registerOne = 0;
const registered = () =>
  service.call("device.register", { product: "Aurora CBCT", serialNumber: `AU-${++registerOne}`, model: "A1" });
const bindAs = (by: TestUser, serialNumber: string, activationCode: string) =>
  by.ask("device.bind", { serialNumber, activationCode, name: "Room 2" });
async function boundDevice(by = caseEnv.clinic) {
  const { device, activationCode } = await registered();
  const { data } = await bindAs(by, device.serialNumber, activationCode);
  return { ...data.device, key: data.key, code: activationCode };
}

describe("a device's activation code", () => {
  it("is accepted as printed and binds the device once; of two concurrent clinics one succeeds", async () => {
    const { device, activationCode } = await registered();
    const rivals = await Promise.all(
      [caseEnv.clinic, ...(await Promise.all([1, 2, 3].map(() => stranger())))].map((one) =>
        bindAs(one, ` ${device.serialNumber.toLowerCase()}`, activationCode.toLowerCase().replaceAll("-", " ")),
      ),
    );
    expect(rivals.filter((one) => one.code === 200)).toHaveLength(1);
    expect(rivals.filter((one) => one.code === refusals.deviceCodeUsed.code)).toHaveLength(3);
    const [row] = (await service.call("device.list", { search: device.serialNumber })).list;
    expect(row).toMatchObject({ state: "bound", codeState: "used" });
    const stored = await system(sql`select to_jsonb(d)::text as text from device d where id = ${device.id}`);
    expect(JSON.stringify(stored.rows)).not.toContain(activationCode.replaceAll("-", ""));
  });

  it(
    `is evaluated five times for each account of ${isFull ? 1000 : 60} wrong ones, and still works for its clinic`,
    { timeout: 300_000 },
    async () => {
      const { device, activationCode } = await registered();
      const accounts = await Promise.all(Array.from({ length: 3 }, () => stranger()));
      const guesses = Array.from({ length: isFull ? 1000 : 60 }, (_, at) => at);
      const answers: { code: number }[] = [];
      while (guesses.length > 0)
        answers.push(
          ...(await Promise.all(
            guesses.splice(0, 20).map((at) => bindAs(accounts[at % 3], device.serialNumber, `WRNG-${at}-WRNG-WRNG`)),
          )),
        );
      const said = (name: RefusalName) => answers.filter((answer) => answer.code === refusals[name].code).length;
      expect(said("deviceCodeWrong")).toBe(15);
      expect(said("deviceTooManyTries")).toBe(answers.length - 15);
      expect(await bindAs(accounts[0], device.serialNumber, activationCode)).toMatchObject(code("deviceTooManyTries"));
      expect(await bindAs(caseEnv.clinic, device.serialNumber, activationCode)).toMatchObject({ code: 200 });
      // An unknown serial number is answered, and counted, like a wrong code.
      const one = await stranger();
      const [{ minutes, maxAttempts: tries }, day] = deviceRules.tryWindows;
      for (let at = 0; at < tries; at++)
        expect(await bindAs(one, "no such device", "x")).toMatchObject(code("deviceCodeWrong"));
      const fresh = await registered();
      const binds = () => bindAs(one, fresh.device.serialNumber, fresh.activationCode);
      const passed = (wait: number, seconds: number) =>
        system(sql`update device_try set at = now() - make_interval(mins => ${wait}::int)
          + make_interval(secs => ${seconds}) where user_id = ${one.uid}`);
      expect(await binds()).toMatchObject(code("deviceTooManyTries"));
      await system(
        sql`insert into device_try (user_id) select ${one.uid} from generate_series(1, ${day.maxAttempts - tries}::int)`,
      );
      await passed(minutes, -1);
      expect(await binds()).toMatchObject({ ...code("deviceTooManyTries"), data: { minutes: String(day.minutes) } });
      for (const [seconds, answer] of [
        [1, code("deviceTooManyTries")],
        [-1, { code: 200 }],
      ] as const) {
        await passed(day.minutes, seconds);
        expect(await binds()).toMatchObject(answer);
      }
    },
  );

  it("T-08: is valid until its last second and not a second longer", async () => {
    for (const [seconds, answer] of [
      [1, { code: 200 }],
      [-1, code("deviceCodeExpired")],
    ] as const) {
      const { device, activationCode } = await registered();
      expect(Date.parse(present(device.codeExpiresAt, "codeExpiresAt"))).toBeCloseTo(
        Date.now() + deviceRules.codeDays * 86_400_000,
        -5,
      );
      await system(
        sql`update device set code_expires_at = now() + make_interval(secs => ${seconds}) where id = ${device.id}`,
      );
      expect(await bindAs(caseEnv.clinic, device.serialNumber, activationCode)).toMatchObject(answer);
    }
  });
});

describe("a device's key", () => {
  it("signs in, reads its own clinic's worklist and opens nothing else", async () => {
    const device = await boundDevice();
    const asks = (call: Parameters<TestServer["ask"]>[0], input: object = {}) =>
      env.ask(call, input, bearer(device.key));
    expect((await asks("device.hello", { softwareVersion: "2.4.0", firmware: "4.2", queue: 3 })).data).toMatchObject({
      state: "bound",
      refused: null,
    });
    const patient = await caseEnv.clinic.call("patient.create", {
      name: "王小明",
      sex: "male",
      birthDate: "1990-01-02",
      entryNumber: "E-77",
    });
    await (await stranger()).call("patient.create", { name: "王别家", sex: "male", birthDate: "1990-01-02" });
    const entry = {
      patientId: patient.id,
      patientName: "Wang^Xiaoming=王^小明",
      patientNumber: "E-77",
      birthDate: "19900102",
      sex: "M",
    };
    expect((await asks("device.worklist", { name: "wang*" })).data).toMatchObject({ list: [entry], next: null });
    expect((await asks("device.worklist", { number: "E-77", zone: "Asia/Shanghai" })).data).toMatchObject({
      list: [entry],
    });
    expect((await asks("device.worklist", { from: "2020-01-01", to: "2020-01-02" })).data).toMatchObject({ list: [] });
    await system(sql`update patient set inspected_at = '2020-01-02 09:30' where id = ${patient.id}`);
    expect((await asks("device.worklist", { from: "2020-01-01", to: "2020-01-02" })).data).toMatchObject({
      list: [{ ...entry, scheduledDate: "20200102", scheduledTime: "093000" }],
    });
    expect(await asks("device.worklist", { zone: "Nowhere/At All" })).toMatchObject(code("badInput"));
    for (const call of ["patient.list", "order.list", "study.list", "device.list", "account.getUserInfo"] as const)
      expect(await asks(call), call).toMatchObject(code("keyNotHere"));
    expect((await fetch(`${env.address}/dicomweb/studies`, { headers: bearer(device.key) })).status).toBe(403);
    // No other kind of session may act as a device.
    expect(await caseEnv.clinic.ask("device.hello", {})).toMatchObject(code("notAllowed"));
    expect(await service.call("device.detail", { id: device.id })).toMatchObject({
      softwareVersion: "2.4.0",
      firmware: "4.2",
      waiting: 3,
      saidAt: expect.any(String),
    });
  });

  it(
    "is refused with the reason while the device is locked, and none of the data that it sends is lost",
    { timeout: 120_000 },
    async () => {
      const device = await boundDevice();
      const bytes = createIntraoralRadiograph(makeHead("by a device"), {
        id: "D-1",
        name: "Wang^Xiaoming",
        sex: "M",
        birthDate: "19800412",
      }).bytes;
      const half = bytes.length >> 1;
      const url = await startUpload(env, device.key, bytes.length);
      expect(await sendChunk(device.key, url, 0, bytes.subarray(0, half))).toMatchObject({ status: 204 });
      expect(await step(caseEnv.clinic, device.id, "unbind", { serialNumber: device.serialNumber })).toMatchObject(
        code("deviceUploading"),
      );
      expect(await step(caseEnv.clinic, device.id, "lock")).toMatchObject(code("deviceReasonMissing"));
      expect(await step(caseEnv.clinic, device.id, "lock", { reason: "遗失" })).toMatchObject({ code: 200 });
      await pauseShortly();

      const refused = await sendChunk(device.key, url, half, bytes.subarray(half));
      expect(refused).toMatchObject({
        status: 403,
        body: { code: refusals.deviceLocked.code, data: { reason: "遗失" } },
      });
      const stow = await new DicomwebClient({ server: env, token: device.key }).store([bytes]);
      expect(stow).toMatchObject({ status: 403, answer: { code: refusals.deviceLocked.code } });
      expect(await env.ask("device.worklist", {}, bearer(device.key))).toMatchObject(code("deviceLocked"));
      expect((await env.ask("device.hello", {}, bearer(device.key))).data).toMatchObject({
        state: "locked",
        refused: "遗失",
      });

      expect(await step(service, device.id, "unlock")).toMatchObject({ code: 200 });
      await pauseShortly();
      expect(await sendChunk(device.key, url, half, bytes.subarray(half))).toMatchObject({ status: 204 });
      const upload = url.split("/").at(-1);
      expect(await env.ask("study.send", { uploads: [upload] }, bearer(device.key))).toMatchObject({ code: 200 });
      await expect.poll(async () => (await caseEnv.clinic.call("study.inbox", {})).total, { timeout: 20_000 }).toBe(1);
      const [arrived] = (await caseEnv.clinic.call("study.inbox", {})).list;
      expect(arrived).toMatchObject({ origin: "device" });

      expect(await step(caseEnv.clinic, device.id, "unbind", { serialNumber: "another" })).toMatchObject(
        code("deviceSerialDiffers"),
      );
      expect(await step(caseEnv.clinic, device.id, "unbind", { serialNumber: device.serialNumber })).toMatchObject({
        code: 200,
      });
      await pauseShortly();
      expect(await env.ask("device.hello", {}, bearer(device.key))).toMatchObject(code("keyUnknown"));
      expect((await caseEnv.clinic.call("study.inbox", {})).list[0]).toMatchObject({ id: arrived.id });
      expect(await bindAs(caseEnv.clinic, device.serialNumber, device.code)).toMatchObject(code("deviceCodeUsed"));
      const seen = await caseEnv.clinic.call("device.detail", { id: device.id });
      expect(seen).toMatchObject({ state: "unbound", actions: [] });
      expect(seen.history.map(({ action }) => action)).toEqual(["unbind", "unlock", "lock", "bind"]);
    },
  );
});

describe("after-sales staff", () => {
  it("unbind a device only with an open move order, or by force after thirty days or with a written consent", async () => {
    const device = await boundDevice();
    const typed = { serialNumber: device.serialNumber };
    expect(await step(service, device.id, "unbind", typed)).toMatchObject(code("deviceNeedsOrder"));
    expect(await step(service, device.id, "lock", { reason: "recall" })).toMatchObject(code("deviceReasonMissing"));
    expect(await step(service, device.id, "lock", { reason: "recall", code: "safety" })).toMatchObject({ code: 200 });
    expect(await step(caseEnv.clinic, device.id, "unlock")).toMatchObject(code("deviceActionNotAllowed"));
    const notices = await caseEnv.clinic.call("notice.list", { categoryID: 0 });
    expect(notices.list.map(({ kind }) => kind)).toContain("deviceLocked");

    for (const [seconds, answer] of [
      [1, code("deviceNeedsConsent")],
      [-1, { code: 200 }],
    ] as const) {
      await system(
        sql`update device set locked_at = now() - make_interval(days => 30) + make_interval(secs => ${seconds}) where id = ${device.id}`,
      );
      expect(await step(service, device.id, "forceUnbind", typed)).toMatchObject(answer);
    }

    const other = await boundDevice();
    await step(caseEnv.clinic, other.id, "lock", { reason: "lost" });
    const paper = Buffer.from("%PDF-1.7 a clinic agrees");
    const consent = await service.call("device.consent", { id: other.id, name: "consent.pdf", bytes: paper.length });
    const force = () =>
      step(service, other.id, "forceUnbind", { serialNumber: other.serialNumber, consent: consent.id });
    expect(await force()).toMatchObject(code("notFound"));
    expect((await uploadConsent(service, consent.id, Buffer.alloc(paper.length))).status).toBe(422);
    expect((await uploadConsent(caseEnv.clinic, consent.id, paper)).status).toBe(403);
    expect((await uploadConsent(service, consent.id, paper)).status).toBe(200);
    expect(await force()).toMatchObject({ code: 200 });
    const [last] = (await service.call("device.detail", { id: other.id })).history;
    expect(last).toMatchObject({ action: "forceUnbind", consent: { name: "consent.pdf" } });
    const kept = await fetch(`${env.address}${present(last.consent, "consent").url}`);
    expect(Buffer.from(await kept.arrayBuffer())).toEqual(paper);
  });

  it("register a list of devices completely or not at all, and see the errors of each line", async () => {
    const before = (await service.call("device.list", {})).total;
    const list = [
      "Serial number,product,model",
      "L-1,Aurora CBCT,A1,4.2",
      '"L-2";"Pano ""Two""";LP',
      "l-1,Aurora CBCT,A1",
      "L-3,,A1",
      "L-4",
      "AU-1,Aurora CBCT,A1",
    ];
    const refused = await service.call("device.registerList", { text: list.join("\r\n") });
    expect(refused).toEqual({
      made: [],
      problems: [
        { line: 4, problem: "twice", value: "l-1" },
        { line: 5, problem: "product", value: "" },
        { line: 6, problem: "columns", value: "1" },
        { line: 7, problem: "known", value: "AU-1" },
      ],
    });
    expect((await service.call("device.list", {})).total).toBe(before);
    const done = await service.call("device.registerList", { text: list.slice(0, 3).join("\n") });
    expect(done.made).toMatchObject([
      { serialNumber: "L-1", firmware: "4.2" },
      { product: 'Pano "Two"', model: "LP" },
    ]);
    const shown = (await service.call("device.list", { pageSize: 2 })).list;
    expect(shown.map(({ serialNumber }) => serialNumber)).toEqual(["L-1", "L-2"]);
    const [first] = done.made;
    expect(await bindAs(caseEnv.clinic, "L-1", first.activationCode)).toMatchObject({ code: 200 });
    expect(
      await service.ask("device.register", { product: "Aurora CBCT", serialNumber: "l-1", model: "A1" }),
    ).toMatchObject(code("deviceKnown"));
  });
});

const stranger = async () => env.createUser("clinicAdmin", await env.createInstitution("clinic"));
