import { utimes } from "node:fs/promises";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { deviceRules } from "@arcada/contract/device/device.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import { advanceCapacity } from "../../apps/server/src/capacity/start-and-expire-periods.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { setPeriodEnd, subscribe } from "@arcada/testing/fixtures/capacity";
import { requestUpload, startUpload, sendChunk } from "@arcada/testing/clients/device-uploads";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";
import { unfinishedUploadPath } from "@arcada/testing/setup/upload-folder";

const rounds = process.env.ARCADA_PROOF === "full" ? 100 : 4;

let testServer: TestServer;
let operator: AnyTestUser;
let service: AnyTestUser;
beforeAll(async () => {
  testServer = await getTestServer();
  [operator, service] = [await testServer.createUser("operator"), await testServer.createUser("afterSalesAdmin")];
});
const system = (query: ReturnType<typeof sql>) => testServer.running.database.asSystem((db) => query.execute(db));
const createManager = async () => testServer.createUser("clinicAdmin", await testServer.createInstitution("clinic"));
/** Begin at one moment, one of them a little later each time. */
const runStaggered = <T extends unknown[]>(
  round: number,
  ...asks: { [K in keyof T]: () => Promise<T[K]> }
): Promise<T> =>
  Promise.all(
    asks.map(async (ask, place) => {
      await new Promise((resolve) => setTimeout(resolve, place === round % 2 ? round % 7 : 0));
      return ask();
    }),
  ) as Promise<T>;

describe("at the same moment", () => {
  it(`a device is unbound or its upload begins, never both; ${rounds} times`, { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const clinic = await createManager();
      const serialNumber = `RACE-${round}`;
      const registered = await service.call("device.register", { product: "Aurora", serialNumber, model: "A1" });
      const { activationCode } = registered;
      const { device, key } = await clinic.call("device.bind", { serialNumber, activationCode, name: "Room 2" });
      const { id, version } = device;
      // Its key was just used: it is trusted for half a second.
      await testServer.ask("device.hello", {}, { authorization: `Bearer ${key}` });
      const [begun, unbound] = await runStaggered<[Response, { code: number }]>(
        round,
        () => requestUpload(testServer, key, 5000),
        () => clinic.ask("device.step", { id, action: "unbind", version, serialNumber }),
      );
      const uploads = await system(sql`select id from upload where institution_id = ${clinic.iid}`);
      if (begun.status === 201) expect([refusalOf(unbound), uploads.rows.length]).toEqual(["deviceUploading", 1]);
      else
        expect([begun.status, refusalOf(unbound), uploads.rows.length]).toEqual([
          refusals.keyUnknown.status,
          "accepted",
          0,
        ]);
    }
  });

  it(
    `a subscription is renewed or given up, and its payment with it; ${rounds} times`,
    { timeout: 600_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const clinic = await createManager();
        const { id } = await subscribe(clinic, operator);
        await setPeriodEnd(testServer, { id }, 86_400);
        await advanceCapacity(testServer.running.database);
        const before = await clinic.call("capacity.subscriptions", {});
        const [period] = before.periods;
        const due = present(before.payments.find(({ state }) => state === "waiting"));
        const [left, paid] = await runStaggered<{ code: number }[]>(
          round,
          () => clinic.ask("capacity.unsubscribe", { id, version: period.version }),
          () => operator.ask("capacity.confirmPayment", { id: due.id, paid: true }),
        );
        const after = await clinic.call("capacity.subscriptions", {});
        const [now] = after.periods;
        const days = (Date.parse(now.expiresAt) - Date.parse(period.expiresAt)) / 86_400_000;
        const { state } = present(after.payments.find((one) => one.id === due.id));
        const isRenewed = paid.code === 200;
        expect([refusalOf(left), now.state, days, state]).toEqual(
          isRenewed ? ["capacityChanged", "in_effect", 30, "confirmed"] : ["accepted", "unsubscribed", 0, "withdrawn"],
        );
        if (!isRenewed) expect(refusalOf(paid)).toBe("capacityActionNotAllowed");
      }
    },
  );

  it(
    `of two managers one subscribes, and what they ask for is taken back once; ${rounds} times`,
    { timeout: 600_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const institution = await testServer.createInstitution("clinic");
        const [one, other] = [
          await testServer.createUser("clinicAdmin", institution),
          await testServer.createUser("clinicAdmin", institution),
        ];
        const asked = await runStaggered<{ code: number }[]>(
          round,
          ...[one, other].map((who) => () => who.ask("capacity.subscribe", { plan: "small-month" })),
        );
        expect(asked.map(refusalOf).toSorted()).toEqual(["accepted", "capacityAsked"]);
        const [payment] = (await one.call("capacity.subscriptions", {})).payments;
        const ended = await runStaggered<{ code: number }[]>(
          round,
          () => other.ask("capacity.withdraw", { id: payment.id }),
          () => operator.ask("capacity.confirmPayment", { id: payment.id, paid: true }),
        );
        const won = ended.findIndex((answer) => answer.code === 200);
        expect(refusalOf(ended[1 - won])).toBe("capacityActionNotAllowed");
        expect((await one.call("capacity.subscriptions", {})).periods).toHaveLength(won);
      }
    },
  );

  it(
    `a user who downloads a package is notified that it is withdrawn, or the download is refused; ${rounds} times`,
    { timeout: 600_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const id = newId();
        await system(sql`insert into upgrade_package (id, name, product, version, version_key, description, file_name, sha256, bytes, signature, signed_by, published_by)
        values (${id}, 'Release', ${id}, '1.0', '1', 'x', 'x.bin', repeat('0', 64), 10, 'x', 'x', ${operator.uid})`);
        const people = await Promise.all([1, 2, 3].map(() => testServer.createUser("afterSalesMember")));
        const fetching = people.map((who) => () => who.ask("upgrade.download", { id }));
        const [withdrawn, ...got] = await runStaggered<{ code: number }[]>(
          round,
          () => operator.ask("upgrade.withdraw", { id, reason: "It stops the tube" }),
          ...fetching,
        );
        expect(withdrawn.code).toBe(200);
        for (const [at, who] of people.entries()) {
          const heard = (await who.call("notice.query", {})).info["0"].list.some(
            ({ kind }) => kind === "packageWithdrawn",
          );
          expect([refusalOf(got[at]), heard]).toEqual(heard ? ["accepted", true] : ["packageWithdrawn", false]);
        }
      }
    },
  );
});

it("T-08: an upload of a device holds its unbinding back for thirty minutes after its last byte, and not for ever", async () => {
  const clinic = await createManager();
  const registered = await service.call("device.register", { product: "Aurora", serialNumber: "WINDOW", model: "A1" });
  const { activationCode } = registered;
  const bound = await clinic.call("device.bind", { serialNumber: "WINDOW", activationCode, name: "Room 2" });
  const url = await startUpload(testServer, bound.key, 5000);
  await sendChunk(bound.key, url, 0, Buffer.alloc(1000));
  const id = present(url.split("/").at(-1));
  const unbinds = async () => {
    const { version } = await clinic.call("device.detail", { id: bound.device.id });
    const input = { id: bound.device.id, action: "unbind" as const, version, serialNumber: "WINDOW" };
    return refusalOf(await clinic.ask("device.step", input));
  };
  await system(sql`update upload set created_at = now() - interval '1 hour' where id = ${id}`);
  const touched = async (seconds: number) => {
    const at = new Date(Date.now() - deviceRules.uploadMinutes * 60_000 + seconds * 1000);
    await utimes(unfinishedUploadPath(id), at, at);
  };
  // Some seconds may pass until the answer.
  await touched(10);
  expect(await unbinds()).toBe("deviceUploading");
  await touched(-1);
  expect(await unbinds()).toBe("accepted");
});
