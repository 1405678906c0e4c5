import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { deviceRules } from "@arcada/contract/device/device.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { uploadConsent } from "@arcada/testing/clients/device-uploads";
import {
  getTestServer,
  setup,
  type TestUser,
  type TestServer,
  type TestSetup,
} from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

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
    expect(rivals.filter((one) => refusalOf(one) === "deviceCodeUsed")).toHaveLength(3);
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
      const said = (name: RefusalName) => answers.filter((answer) => refusalOf(answer) === name).length;
      expect(said("deviceCodeWrong")).toBe(15);
      expect(said("deviceTooManyTries")).toBe(answers.length - 15);
      expect(refusalOf(await bindAs(accounts[0], device.serialNumber, activationCode))).toBe("deviceTooManyTries");
      expect(await bindAs(caseEnv.clinic, device.serialNumber, activationCode)).toMatchObject({ code: 200 });
      // An unknown serial number is answered, and counted, like a wrong code.
      const one = await stranger();
      const [{ minutes, maxAttempts: tries }, day] = deviceRules.tryWindows;
      for (let at = 0; at < tries; at++)
        expect(refusalOf(await bindAs(one, "no such device", "x"))).toBe("deviceCodeWrong");
      const fresh = await registered();
      const binds = () => bindAs(one, fresh.device.serialNumber, fresh.activationCode);
      const passed = (wait: number, seconds: number) =>
        system(sql`update device_try set at = now() - make_interval(mins => ${wait}::int)
          + make_interval(secs => ${seconds}) where user_id = ${one.uid}`);
      expect(refusalOf(await binds())).toBe("deviceTooManyTries");
      await system(
        sql`insert into device_try (user_id) select ${one.uid} from generate_series(1, ${day.maxAttempts - tries}::int)`,
      );
      await passed(minutes, -1);
      expect(await binds()).toMatchObject({
        code: refusals.deviceTooManyTries.code,
        data: { minutes: String(day.minutes) },
      });
      for (const [seconds, outcome] of [
        [1, "deviceTooManyTries"],
        [-1, "accepted"],
      ] as const) {
        await passed(day.minutes, seconds);
        expect(refusalOf(await binds())).toBe(outcome);
      }
    },
  );

  it("T-08: is valid until its last second and not a second longer", async () => {
    for (const [seconds, outcome] of [
      [1, "accepted"],
      [-1, "deviceCodeExpired"],
    ] as const) {
      const { device, activationCode } = await registered();
      expect(Date.parse(present(device.codeExpiresAt, "codeExpiresAt"))).toBeCloseTo(
        Date.now() + deviceRules.codeDays * 86_400_000,
        -5,
      );
      await system(
        sql`update device set code_expires_at = now() + make_interval(secs => ${seconds}) where id = ${device.id}`,
      );
      expect(refusalOf(await bindAs(caseEnv.clinic, device.serialNumber, activationCode))).toBe(outcome);
    }
  });
});

describe("after-sales staff", () => {
  it("unbind no device without an open move order", async () => {
    const device = await boundDevice();
    const typed = { serialNumber: device.serialNumber };
    expect(refusalOf(await step(service, device.id, "unbind", typed))).toBe("deviceNeedsOrder");
  });

  it("lock a device with a coded reason, which notifies its clinic and which the clinic cannot undo", async () => {
    const device = await boundDevice();
    expect(refusalOf(await step(service, device.id, "lock", { reason: "recall" }))).toBe("deviceReasonMissing");
    expect(await step(service, device.id, "lock", { reason: "recall", code: "safety" })).toMatchObject({ code: 200 });
    expect(refusalOf(await step(caseEnv.clinic, device.id, "unlock"))).toBe("deviceActionNotAllowed");
    const notices = await caseEnv.clinic.call("notice.list", { categoryID: 0 });
    expect(notices.list.map(({ kind }) => kind)).toContain("deviceLocked");
  });

  it("unbind a device by force thirty days after it was locked, and not a second earlier", async () => {
    const device = await boundDevice();
    const typed = { serialNumber: device.serialNumber };
    await step(caseEnv.clinic, device.id, "lock", { reason: "lost" });
    for (const [seconds, outcome] of [
      [1, "deviceNeedsConsent"],
      [-1, "accepted"],
    ] as const) {
      await system(
        sql`update device set locked_at = now() - make_interval(days => 30) + make_interval(secs => ${seconds}) where id = ${device.id}`,
      );
      expect(refusalOf(await step(service, device.id, "forceUnbind", typed))).toBe(outcome);
    }
  });

  it("unbind a device by force with a written consent, which is kept", async () => {
    const device = await boundDevice();
    await step(caseEnv.clinic, device.id, "lock", { reason: "lost" });
    const paper = Buffer.from("%PDF-1.7 a clinic agrees");
    const consent = await service.call("device.consent", { id: device.id, name: "consent.pdf", bytes: paper.length });
    const force = () =>
      step(service, device.id, "forceUnbind", { serialNumber: device.serialNumber, consent: consent.id });
    expect(refusalOf(await force())).toBe("notFound");
    expect((await uploadConsent(service, consent.id, Buffer.alloc(paper.length))).status).toBe(422);
    expect((await uploadConsent(caseEnv.clinic, consent.id, paper)).status).toBe(403);
    expect((await uploadConsent(service, consent.id, paper)).status).toBe(200);
    expect(await force()).toMatchObject({ code: 200 });
    const [last] = (await service.call("device.detail", { id: device.id })).history;
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
      refusalOf(await service.ask("device.register", { product: "Aurora CBCT", serialNumber: "l-1", model: "A1" })),
    ).toBe("deviceKnown");
  });
});

const stranger = async () => env.createUser("clinicAdmin", await env.createInstitution("clinic"));
