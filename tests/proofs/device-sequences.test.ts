import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { expected, keyAnswers, newDevice } from "../device-model.ts";
import type { Actor, Command, DeviceModel } from "../device-model.ts";
import { world, type Person, type World } from "../world.ts";

const full = process.env.ARCADA_PROOF === "full";
const runs = full ? 1000 : 20;
let here: World;
let people: Record<Actor, Person>;
beforeAll(async () => {
  here = await world();
  const { server } = here;
  people = {
    manager: here.clinic,
    member: here.dentist,
    rival: await server.person("clinicAdmin", await server.institution("clinic")),
    service: await server.person("afterSalesAdmin"),
    serviceman: await server.person("afterSalesMember"),
    operator: await server.person("operator"),
  };
});

const anybody = fc.oneof(
  { weight: 7, arbitrary: fc.constantFrom<Actor>("manager", "service") },
  { weight: 2, arbitrary: fc.constantFrom<Actor>("rival", "member", "serviceman", "operator") },
);
const mostly = fc.constantFrom(true, true, true, false);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("bind" as const), by: anybody, isRight: mostly }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("newCode" as const), by: anybody }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("lock" as const), by: anybody, why: mostly }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("unlock" as const), by: anybody }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("unbind" as const, "forceUnbind" as const),
      by: anybody,
      isTyped: mostly,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom("lock" as const, "unlock" as const),
      by: anybody,
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

interface Told {
  id: string;
  serial: string;
  code: string;
  keys: string[];
}
const system = (query: ReturnType<typeof sql>) => here.server.running.database.asSystem((db) => query.execute(db));

async function told(at: Told, one: Command): Promise<number> {
  if (one.do === "wait") return passes(at.id, one.minutes);
  if (one.do === "move") return moves(at.id, one.isOpen);
  const by = people[one.by];
  if (one.do === "bind") {
    const answer = await by.asks("device.bind", {
      serialNumber: at.serial,
      activationCode: one.isRight ? at.code : "WRNG-WRNG-WRNG-WRNG",
      name: "Room 2",
    });
    if (answer.code === 200) at.keys.push(answer.data.key);
    return answer.code;
  }
  if (one.do === "newCode") {
    const answer = await by.asks("device.newCode", { id: at.id });
    if (answer.code === 200) at.code = answer.data.activationCode;
    return answer.code;
  }
  const { version } = await people.serviceman.gets("device.detail", { id: at.id });
  const answer = await by.asks("device.step", {
    id: at.id,
    action: one.do,
    version: "isStale" in one ? version + 1 : version,
    ...("why" in one && one.why && { reason: "lost", code: "other" }),
    ...("isTyped" in one && { serialNumber: one.isTyped ? at.serial : "another" }),
  });
  return answer.code;
}

/** Moves all times of the device back by so many minutes. */
async function passes(id: string, minutes: number): Promise<number> {
  const back = sql`make_interval(mins => ${minutes}::int)`;
  await system(
    sql`update device set code_expires_at = code_expires_at - ${back}, locked_at = locked_at - ${back} where id = ${id}`,
  );
  await system(sql`update device_try set at = at - ${back}`);
  return 200;
}

async function moves(id: string, isOpen: boolean): Promise<number> {
  await system(sql`delete from work_order where device_id = ${id}`);
  if (isOpen)
    await system(sql`insert into work_order (id, number, type, clinic_id, device_id, product, model, serial_number, description,
        contact, contact_phone, created_by, created_side, haystack, grams)
      select gen_random_uuid(), gen_random_uuid()::text, 'move_machine', c.id, ${id}, 'P', 'M', 'S', 'Moves', 'Ann', '1',
        ${people.service.uid}, 'service', '', '{}' from clinic c where c.institution_id = ${here.clinic.iid}`);
  return 200;
}

it(
  `T-19: a device does what the table says, in ${runs} random sequences of its clinic, another, after-sales and itself`,
  { timeout: 3_600_000 },
  async () => {
    const seen = { commands: 0, refused: 0 };
    const left: { model: DeviceModel; keys: string[] }[] = [];
    let made = 0;
    await fc.assert(
      fc.asyncProperty(sequence, async (commands) => {
        await system(sql`delete from device_try`);
        const serial = `SEQ-${++made}`;
        const { device, activationCode } = await people.operator.gets("device.register", {
          product: "P",
          serialNumber: serial,
          model: "M",
        });
        const model = newDevice();
        const at: Told = { id: device.id, serial, code: activationCode, keys: [] };
        for (const one of commands) {
          const code = expected(model, one);
          expect([one, await told(at, one)]).toEqual([one, code]);
          seen.commands += 1;
          seen.refused += code === 200 ? 0 : 1;
        }
        const shown = await people.service.gets("device.detail", { id: device.id });
        expect(shown).toMatchObject({ state: model.state });
        expect(shown.history.map(({ action }) => action).toReversed()).toEqual(model.history);
        left.push({ model, keys: at.keys });
      }),
      { numRuns: runs, endOnFailure: full },
    );
    // A key is trusted for half a second: all are tried when everything is over.
    await new Promise((resolve) => setTimeout(resolve, 700));
    let keys = 0;
    for (const { model, keys: given } of left)
      for (const [at, key] of given.entries()) {
        const headers = { authorization: `Bearer ${key}` };
        const answers = await Promise.all([
          here.server.ask("device.hello", {}, headers),
          here.server.ask("device.worklist", {}, headers),
        ]);
        expect(answers.map(({ code }) => code)).toEqual(keyAnswers(model, at + 1));
        keys += 1;
      }
    console.info(
      `T-19 device: ${runs} sequences, ${seen.commands} commands, ${seen.refused} refused, ${keys} keys tried`,
    );
  },
);
