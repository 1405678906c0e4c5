import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import {
  expectedCode,
  expectedKeyCodes,
  newDeviceModel,
  type Actor,
  type Command,
  type DeviceModel,
} from "@arcada/testing/models/device-model";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";

const isFull = process.env.ARCADA_PROOF === "full";
const runs = isFull ? 1000 : 20;
let clinicAndLab: TestSetup;
let users: Record<Actor, AnyTestUser>;
beforeAll(async () => {
  clinicAndLab = await setup();
  const { server } = clinicAndLab;
  users = {
    manager: clinicAndLab.clinic,
    member: clinicAndLab.dentist,
    rival: await server.createUser("clinicAdmin", await server.createInstitution("clinic")),
    service: await server.createUser("afterSalesAdmin"),
    serviceman: await server.createUser("afterSalesMember"),
    operator: await server.createUser("operator"),
  };
});

const anyActor = fc.oneof(
  { weight: 7, arbitrary: fc.constantFrom<Actor>("manager", "service") },
  { weight: 2, arbitrary: fc.constantFrom<Actor>("rival", "member", "serviceman", "operator") },
);
const mostlyTrue = fc.constantFrom(true, true, true, false);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("bind" as const), by: anyActor, isRight: mostlyTrue }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("newCode" as const), by: anyActor }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("lock" as const), by: anyActor, why: mostlyTrue }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("unlock" as const), by: anyActor }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("unbind" as const, "forceUnbind" as const),
      by: anyActor,
      isTyped: mostlyTrue,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom("lock" as const, "unlock" as const),
      by: anyActor,
      why: fc.constant(true),
      isStale: fc.constant(true as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(4, 16, 20_000, 44_000, 90_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("move" as const), isOpen: fc.boolean() }) },
);
/** Guesses one behind the other: single ones would seldom make a code worthless. */
const guesses = fc
  .constantFrom<Actor>("manager", "rival")
  .chain((by) => fc.array(fc.constant<Command>({ do: "bind", by, isRight: false }), { minLength: 5, maxLength: 6 }));
const sequence = fc
  .array(fc.oneof({ weight: 9, arbitrary: command.map((one) => [one]) }, { weight: 1, arbitrary: guesses }), {
    minLength: 4,
    maxLength: 14,
  })
  .map((parts) => parts.flat());

interface DeviceState {
  id: string;
  serial: string;
  code: string;
  keys: string[];
}
const system = (query: ReturnType<typeof sql>) =>
  clinicAndLab.server.running.database.asSystem((db) => query.execute(db));

async function runCommand(at: DeviceState, one: Command): Promise<number> {
  if (one.do === "wait") return passTime(at.id, one.minutes);
  if (one.do === "move") return setMove(at.id, one.isOpen);
  const by = users[one.by];
  if (one.do === "bind") {
    const answer = await by.ask("device.bind", {
      serialNumber: at.serial,
      activationCode: one.isRight ? at.code : "WRNG-WRNG-WRNG-WRNG",
      name: "Room 2",
    });
    if (answer.code === 200) at.keys.push(answer.data.key);
    return answer.code;
  }
  if (one.do === "newCode") {
    const answer = await by.ask("device.newCode", { id: at.id });
    if (answer.code === 200) at.code = answer.data.activationCode;
    return answer.code;
  }
  const { version } = await users.serviceman.call("device.detail", { id: at.id });
  const answer = await by.ask("device.step", {
    id: at.id,
    action: one.do,
    version: "isStale" in one ? version + 1 : version,
    ...("why" in one && one.why && { reason: "lost", code: "other" }),
    ...("isTyped" in one && { serialNumber: one.isTyped ? at.serial : "another" }),
  });
  return answer.code;
}

/** Moves all times of the device back by so many minutes. */
async function passTime(id: string, minutes: number): Promise<number> {
  const back = sql`make_interval(mins => ${minutes}::int)`;
  await system(
    sql`update device set code_expires_at = code_expires_at - ${back}, locked_at = locked_at - ${back} where id = ${id}`,
  );
  await system(sql`update device_try set at = at - ${back}`);
  return 200;
}

async function setMove(id: string, isOpen: boolean): Promise<number> {
  await system(sql`delete from work_order where device_id = ${id}`);
  if (isOpen)
    await system(sql`insert into work_order (id, number, type, clinic_id, device_id, product, model, serial_number, description,
        contact, contact_phone, created_by, created_side, haystack, grams)
      select gen_random_uuid(), gen_random_uuid()::text, 'move_machine', c.id, ${id}, 'P', 'M', 'S', 'Moves', 'Ann', '1',
        ${users.service.uid}, 'service', '', '{}' from clinic c where c.institution_id = ${clinicAndLab.clinic.iid}`);
  return 200;
}

it(
  `T-19: a device follows its state table in ${runs} random sequences of its clinic, another clinic, after-sales and itself`,
  { timeout: 3_600_000 },
  async () => {
    const seen = { commands: 0, refused: 0 };
    const left: { model: DeviceModel; keys: string[] }[] = [];
    let made = 0;
    await fc.assert(
      fc.asyncProperty(sequence, async (commands) => {
        await system(sql`delete from device_try`);
        const serial = `SEQ-${++made}`;
        const { device, activationCode } = await users.operator.call("device.register", {
          product: "P",
          serialNumber: serial,
          model: "M",
        });
        const model = newDeviceModel();
        const at: DeviceState = { id: device.id, serial, code: activationCode, keys: [] };
        for (const one of commands) {
          const code = expectedCode(model, one);
          expect([one, await runCommand(at, one)]).toEqual([one, code]);
          seen.commands += 1;
          seen.refused += code === 200 ? 0 : 1;
        }
        const shown = await users.service.call("device.detail", { id: device.id });
        expect(shown).toMatchObject({ state: model.state });
        expect(shown.history.map(({ action }) => action).toReversed()).toEqual(model.history);
        left.push({ model, keys: at.keys });
      }),
      { numRuns: runs, endOnFailure: isFull },
    );
    // A key is trusted for half a second: all are tried when everything is over.
    await new Promise((resolve) => setTimeout(resolve, 700));
    let keys = 0;
    for (const { model, keys: given } of left)
      for (const [at, key] of given.entries()) {
        const headers = { authorization: `Bearer ${key}` };
        const answers = await Promise.all([
          clinicAndLab.server.ask("device.hello", {}, headers),
          clinicAndLab.server.ask("device.worklist", {}, headers),
        ]);
        expect(answers.map(({ code }) => code)).toEqual(expectedKeyCodes(model, at + 1));
        keys += 1;
      }
    console.info(
      `T-19 device: ${runs} sequences, ${seen.commands} commands, ${seen.refused} refused, ${keys} keys tried`,
    );
  },
);
