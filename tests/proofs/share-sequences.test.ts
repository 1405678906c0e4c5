import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { sendOrder, takeStep } from "@arcada/testing/fixtures/orders";
import {
  expectedCode,
  newShareModel,
  displayedState,
  type Command,
  type Member,
  type ShareModel,
} from "@arcada/testing/models/share-model";
import { createShare, newGuest, type Guest } from "@arcada/testing/clients/guest";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const isFull = process.env.ARCADA_PROOF === "full";
/** In CI some 430 commands; the whole proof has over 10,000. */
const runs = isFull ? 800 : 30;
let clinicAndLab: TestSetup;
let members: Record<Member, TestUser>;
beforeAll(async () => {
  clinicAndLab = await setup();
  const colleague = await clinicAndLab.server.createUser("clinicMember", { id: clinicAndLab.clinic.iid });
  members = { creator: clinicAndLab.dentist, manager: clinicAndLab.clinic, colleague };
});

const member = fc.constantFrom<Member>("creator", "manager", "creator", "manager", "colleague");
const guest = fc.integer({ min: 0, max: 4 });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("unlock" as const, "renew" as const), by: member }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), by: member }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("extend" as const),
      by: member,
      days: fc.constantFrom(1 as const, 3 as const, 7 as const),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant("open" as const),
      guest,
      isRight: fc.constantFrom(true, true, false),
      isOld: fc.constantFrom(false, false, false, false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom("look" as const, "look" as const, "leave" as const), guest }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait" as const), minutes: fc.constantFrom(5, 16, 16, 31, 3000, 9000) }),
  },
  { weight: 1, arbitrary: fc.constant<Command>({ do: "endOrder" }) },
);
/** Consecutive guesses, as an attacker makes them: single ones would seldom lock a link. */
const guesses = fc.array(fc.constant<Command>({ do: "open", guest: 0, isRight: false, isOld: false }), {
  minLength: 5,
  maxLength: 6,
});
const sequence = fc
  .array(fc.oneof({ weight: 9, arbitrary: command.map((one) => [one]) }, { weight: 2, arbitrary: guesses }), {
    minLength: 4,
    maxLength: 12,
  })
  .map((parts) => parts.flat());

interface ShareState {
  id: string;
  order: Order;
  secrets: string[];
  guests: Map<number, Guest>;
}
let order: Order | null = null;
let used = 0;

async function runCommand({ id, order: shared, secrets, guests }: ShareState, one: Command): Promise<number> {
  const who = "guest" in one ? (guests.get(one.guest) ?? newGuest(clinicAndLab.server)) : null;
  if ("guest" in one && who) guests.set(one.guest, who);
  if (one.do === "wait") return passTime(id, one.minutes);
  if (one.do === "endOrder") {
    order = null;
    await takeStep(clinicAndLab.dentist, shared, "cancel", { reason: "no need" });
    return 200;
  }
  if (one.do === "open")
    return (await who!.open(present(one.isOld ? secrets[0] : secrets.at(-1)), one.isRight ? "blue heron" : "red heron"))
      .code;
  if (one.do === "look") return (await who!.ask("share.order", { id: shared.id })).code;
  if (one.do === "leave") return (await who!.ask("share.leave", {})).code;
  if (!("by" in one)) throw new Error(one.do);
  if (one.do !== "renew") {
    const more = one.do === "extend" ? { days: one.days } : {};
    return (await members[one.by].ask("share.step", { id, action: one.do, ...more })).code;
  }
  const answer = await members[one.by].ask("share.renew", { id });
  if (answer.code === 200) secrets.push(answer.data.secret);
  return answer.code;
}

/** Moves all times of the link back by so many minutes. */
const passTime = (id: string, minutes: number): Promise<number> =>
  clinicAndLab.server.running.database.asSystem(async (db) => {
    const back = sql`make_interval(mins => ${minutes})`;
    await sql`update share set created_at = created_at - ${back}, expires_at = expires_at - ${back},
      failed_at = array(select at - ${back} from unnest(failed_at) at) where id = ${id}`.execute(db);
    await sql`update share_visit set expires_at = expires_at - ${back} where share_id = ${id}`.execute(db);
    return 200;
  });

it(
  `T-19: a link follows its state table in ${runs} random sequences of members and guests`,
  { timeout: 900_000 },
  async () => {
    const seen = { commands: 0, refused: 0, locked: 0 };
    await fc.assert(
      fc.asyncProperty(sequence, async (commands) => {
        if (used++ % 15 === 0) order = null;
        order ??= await sendOrder(clinicAndLab);
        const factor = { kind: "phrase", phrase: "blue heron" };
        const { secret, share } = await createShare(clinicAndLab.dentist, order.id, { kind: "order", factor });
        const model: ShareModel = newShareModel();
        const at: ShareState = { id: share.id, order, secrets: [secret], guests: new Map() };
        for (const one of commands) {
          // The order has ended already, and its link with it.
          if (model.orderEnded && one.do === "endOrder") continue;
          const code = expectedCode(model, one);
          expect([one, await runCommand(at, one)]).toEqual([one, code]);
          seen.commands += 1;
          seen.refused += code === 200 ? 0 : 1;
          seen.locked += model.state === "locked" ? 1 : 0;
        }
        const lists = [
          await clinicAndLab.clinic.call("share.list", { thingId: at.order.id }),
          await clinicAndLab.clinic.call("share.list", { thingId: at.order.id, part: "ended" }),
        ];
        const row = lists.flatMap(({ list }) => list).find(({ id }) => id === share.id);
        expect(row).toMatchObject({
          state: displayedState(model),
          opens: model.log.filter((what) => what === "open").length,
        });
        const log = (await clinicAndLab.clinic.call("share.log", { id: share.id }))
          .map(({ what }) => what)
          .filter((what) => what !== "look");
        expect(log.toReversed()).toEqual(model.log);
      }),
      { numRuns: runs, endOnFailure: true },
    );
    console.info(
      `T-19: ${runs} sequences of a link, ${seen.commands} commands, ${seen.refused} refused, ${seen.locked} on a locked one`,
    );
    // Ten failures in a row are rare among a few sequences.
    if (isFull) expect(seen.locked).toBeGreaterThan(0);
  },
);
