import { utimes } from "node:fs/promises";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { deviceRules } from "@arcada/contract/device/device.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { turnCapacity } from "../../apps/server/src/capacity/capacity.clock.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids.ts";
import { parts } from "../../apps/server/src/platform/runtime/services.ts";
import { endsIn, subscribed } from "../capacity.ts";
import { asksForUpload, beginsUpload, sendsBytes } from "../device-bytes.ts";
import { server, type Person, type TestServer } from "../world.ts";

const rounds = process.env.ARCADA_PROOF === "full" ? 100 : 4;
const code = (name: RefusalName) => refusals[name].code;

let here: TestServer;
let operator: Person;
let service: Person;
beforeAll(async () => {
  here = await server();
  [operator, service] = [await here.person("operator"), await here.person("afterSalesAdmin")];
});
const system = (query: ReturnType<typeof sql>) => here.running.database.asSystem((db) => query.execute(db));
const manager = async () => here.person("clinicAdmin", await here.institution("clinic"));
/** Begin at one moment, one of them a little later each time. */
const together = <T extends unknown[]>(round: number, ...asks: { [K in keyof T]: () => Promise<T[K]> }): Promise<T> =>
  Promise.all(
    asks.map(async (ask, place) => {
      await new Promise((resolve) => setTimeout(resolve, place === round % 2 ? round % 7 : 0));
      return ask();
    }),
  ) as Promise<T>;

describe("at one moment", () => {
  it(`a device is unbound or its upload begins, never both; ${rounds} times`, { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const clinic = await manager();
      const serialNumber = `RACE-${round}`;
      const registered = await service.gets("device.register", { product: "Aurora", serialNumber, model: "A1" });
      const { activationCode } = registered;
      const { device, key } = await clinic.gets("device.bind", { serialNumber, activationCode, name: "Room 2" });
      const { id, version } = device;
      // Its key was just used: it is trusted for half a second.
      await here.ask("device.hello", {}, { authorization: `Bearer ${key}` });
      const [begun, unbound] = await together<[Response, { code: number }]>(
        round,
        () => asksForUpload(here, key, 5000),
        () => clinic.asks("device.step", { id, action: "unbind", version, serialNumber }),
      );
      const uploads = await system(sql`select id from upload where institution_id = ${clinic.iid}`);
      if (begun.status === 201) expect([unbound.code, uploads.rows.length]).toEqual([code("deviceUploading"), 1]);
      else expect([begun.status, unbound.code, uploads.rows.length]).toEqual([refusals.keyUnknown.status, 200, 0]);
    }
  });

  it(
    `a subscription is renewed or given up, and its payment with it; ${rounds} times`,
    { timeout: 600_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const clinic = await manager();
        const { id } = await subscribed(clinic, operator);
        await endsIn(here, { id }, 86_400);
        await turnCapacity(here.running.database);
        const before = await clinic.gets("capacity.subscriptions", {});
        const [period] = before.periods;
        const due = before.payments.find(({ state }) => state === "waiting")!;
        const [left, paid] = await together<{ code: number }[]>(
          round,
          () => clinic.asks("capacity.unsubscribe", { id, version: period!.version }),
          () => operator.asks("capacity.confirmPayment", { id: due.id, paid: true }),
        );
        const after = await clinic.gets("capacity.subscriptions", {});
        const [now] = after.periods;
        const days = (Date.parse(now!.expiresAt) - Date.parse(period!.expiresAt)) / 86_400_000;
        const { state } = after.payments.find((one) => one.id === due.id)!;
        const isRenewed = paid!.code === 200;
        expect([left!.code, now!.state, days, state]).toEqual(
          isRenewed ? [code("capacityChanged"), "in_effect", 30, "confirmed"] : [200, "unsubscribed", 0, "withdrawn"],
        );
        if (!isRenewed) expect(paid!.code).toBe(code("capacityActionNotAllowed"));
      }
    },
  );

  it(
    `of two managers one subscribes, and what they ask for is taken back once; ${rounds} times`,
    { timeout: 600_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const house = await here.institution("clinic");
        const [one, other] = [await here.person("clinicAdmin", house), await here.person("clinicAdmin", house)];
        const asked = await together<{ code: number }[]>(
          round,
          ...[one, other].map((who) => () => who.asks("capacity.subscribe", { plan: "small-month" })),
        );
        expect(asked.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([200, code("capacityAsked")]);
        const [payment] = (await one.gets("capacity.subscriptions", {})).payments;
        const ended = await together<{ code: number }[]>(
          round,
          () => other.asks("capacity.withdraw", { id: payment!.id }),
          () => operator.asks("capacity.confirmPayment", { id: payment!.id, paid: true }),
        );
        const won = ended.findIndex((answer) => answer.code === 200);
        expect(ended[1 - won]!.code).toBe(code("capacityActionNotAllowed"));
        expect((await one.gets("capacity.subscriptions", {})).periods).toHaveLength(won);
      }
    },
  );

  it(
    `whoever got a package hears that it is withdrawn, or does not get it; ${rounds} times`,
    { timeout: 600_000 },
    async () => {
      for (let round = 0; round < rounds; round++) {
        const id = newId();
        await system(sql`insert into upgrade_package (id, name, product, version, version_key, description, file_name, sha256, bytes, signature, signed_by, published_by)
        values (${id}, 'Release', ${id}, '1.0', '1', 'x', 'x.bin', repeat('0', 64), 10, 'x', 'x', ${operator.uid})`);
        const people = await Promise.all([1, 2, 3].map(() => here.person("afterSalesMember")));
        const fetching = people.map((who) => () => who.asks("upgrade.download", { id }));
        const [withdrawn, ...got] = await together<{ code: number }[]>(
          round,
          () => operator.asks("upgrade.withdraw", { id, reason: "It stops the tube" }),
          ...fetching,
        );
        expect(withdrawn!.code).toBe(200);
        for (const [at, who] of people.entries()) {
          const heard = (await who.gets("notice.query", {})).info["0"].list.some(
            ({ kind }) => kind === "packageWithdrawn",
          );
          expect([got[at]!.code, heard]).toEqual(heard ? [200, true] : [code("packageWithdrawn"), false]);
        }
      }
    },
  );
});

it("T-08: an upload of a device holds its unbinding back for thirty minutes after its last byte, and not for ever", async () => {
  const clinic = await manager();
  const registered = await service.gets("device.register", { product: "Aurora", serialNumber: "WINDOW", model: "A1" });
  const { activationCode } = registered;
  const bound = await clinic.gets("device.bind", { serialNumber: "WINDOW", activationCode, name: "Room 2" });
  const url = await beginsUpload(here, bound.key, 5000);
  await sendsBytes(bound.key, url, 0, Buffer.alloc(1000));
  const id = url.split("/").at(-1)!;
  const unbinds = async () => {
    const { version } = await clinic.gets("device.detail", { id: bound.device.id });
    const wish = { id: bound.device.id, action: "unbind" as const, version, serialNumber: "WINDOW" };
    return (await clinic.asks("device.step", wish)).code;
  };
  await system(sql`update upload set created_at = now() - interval '1 hour' where id = ${id}`);
  const touched = async (seconds: number) => {
    const at = new Date(Date.now() - deviceRules.uploadMinutes * 60_000 + seconds * 1000);
    await utimes(parts().pathOf(id), at, at);
  };
  // Some seconds may pass until the answer.
  await touched(10);
  expect(await unbinds()).toBe(code("deviceUploading"));
  await touched(-1);
  expect(await unbinds()).toBe(200);
});
