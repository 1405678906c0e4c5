import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import type { IssuedCard, Period } from "@arcada/contract/capacity/capacity.calls";
import { successCode } from "@arcada/contract/kernel/refusals";
import { turnCapacity } from "../../apps/server/src/capacity/capacity.clock.ts";
import { cardDays, expected, newCapacity } from "../capacity-model.ts";
import type { CapacityModel, Command } from "../capacity-model.ts";
import { issued, later, quota, tries } from "../capacity.ts";
import { server, type Person, type TestServer } from "../world.ts";

const full = process.env.ARCADA_PROOF === "full";
const runs = full ? 1000 : 8;
const cardsEach = 3;
let here: TestServer;
let operator: Person;
/** Issued many at once: a paper is set with each issue. */
const stock: IssuedCard[] = [];
beforeAll(async () => {
  here = await server();
  operator = await here.person("operator");
});

const clinic = fc.nat(1);
const at = fc.nat(cardsEach - 1);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("activate" as const), at, clinic }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("void" as const), at, clinic }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("subscribe" as const), clinic }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("decide" as const),
      clinic,
      paid: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("unsubscribe" as const, "resubscribe" as const, "renewLate" as const),
      at: fc.nat(1),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("pay" as const), at: fc.nat(1), paid: fc.constantFrom(true, true, false) }),
  },
  // No sums of these end with a term.
  { weight: 5, arbitrary: fc.record({ do: fc.constant("wait" as const), days: fc.constantFrom(3.31, 9.73, 16.17) }) },
);
/** So many do the same at the same moment. */
const round = fc.record({ command, hands: fc.constantFrom(1, 1, 2, 4) });

interface Stage {
  /** The admins of the two clinics, four each. */
  admins: Person[][];
  cards: IssuedCard[];
  periods: string[];
}
async function stage(): Promise<Stage> {
  if (stock.length < cardsEach)
    stock.push(...(await issued(operator, cardsEach * Math.min(runs, 100), { days: cardDays })));
  const houses = [await here.institution("clinic"), await here.institution("clinic")];
  const admins = await Promise.all(
    houses.map((house) => Promise.all(Array.from({ length: 4 }, () => here.person("clinicAdmin", house)))),
  );
  return { admins, cards: stock.splice(0, cardsEach), periods: [] };
}

/** Answers the codes of all hands. */
async function act({ admins, cards, periods }: Stage, model: CapacityModel, asked: Command, hands: number) {
  const all = (ask: (hand: number) => Promise<{ code: number }>) =>
    Promise.all(Array.from({ length: hands }, async (_, hand) => (await ask(hand)).code));
  if (asked.do === "wait") {
    for (const [owner] of admins) await later(here, owner!.iid!, asked.days * 86_400);
    return [successCode];
  }
  if (asked.do === "activate" || asked.do === "void") {
    if (asked.do === "activate") return all((hand) => tries(admins[asked.clinic]![hand]!, cards[asked.at]!));
    const { id } = (await operator.gets("capacity.cards", { search: cards[asked.at]!.number })).list[0]!;
    return all(() => operator.asks("capacity.voidCard", { id, reason: "sequence" }));
  }
  if (asked.do === "subscribe")
    return all((hand) => admins[asked.clinic]![hand]!.asks("capacity.subscribe", { plan: "middle-month" }));
  const payment = async (house: Person, period: string | null) => (await waiting(house, period)) ?? unknown;
  if (asked.do === "decide") {
    const id = await payment(admins[asked.clinic]![0]!, null);
    return all(() => operator.asks("capacity.confirmPayment", { id, paid: asked.paid }));
  }
  const house = admins[model.subscriptions[asked.at]!.owner]!;
  const id = periods[asked.at]!;
  if (asked.do === "pay") {
    const due = await payment(house[0]!, id);
    return all(() => operator.asks("capacity.confirmPayment", { id: due, paid: asked.paid }));
  }
  const { version } = (await periodsOf(house[0]!)).find((one) => one.id === id)!;
  const { do: step } = asked as { do: "unsubscribe" | "resubscribe" | "renewLate" };
  return all((hand) => house[hand]!.asks(`capacity.${step}`, { id, version }));
}
const unknown = "00000000-0000-7000-8000-000000000000";
const periodsOf = async (who: Person): Promise<Period[]> => (await who.gets("capacity.subscriptions", {})).periods;
const waiting = async (who: Person, period: string | null): Promise<string | undefined> =>
  (
    await here.running.database.asSystem((db) =>
      sql<{ id: string }>`select id from capacity_payment where institution_id = ${who.iid} and state = 'waiting'
        and period_id is not distinct from ${period}`.execute(db),
    )
  ).rows[0]?.id;

/** Compares the data that both clinics see with the model. */
async function compare({ admins, cards, periods }: Stage, model: CapacityModel): Promise<void> {
  for (const [owner, [who]] of admins.entries()) {
    const seen = await periodsOf(who!);
    const own = model.subscriptions.flatMap((one, index) =>
      one.owner === owner ? [{ ...one, id: periods[index] }] : [],
    );
    expect(new Map(seen.map(({ id, state, paymentWaits }) => [id, [state, paymentWaits]]))).toEqual(
      new Map(own.map(({ id, state, waits }) => [id, [state, waits]])),
    );
    const activated = await who!.gets("capacity.activations", {});
    const ownCards = model.cards.flatMap((one, index) =>
      one.owner === owner ? [[cards[index]!.number, one.state]] : [],
    );
    expect(new Map(activated.map(({ cardNumber, state }) => [cardNumber, state]))).toEqual(
      new Map(ownCards as [string, string][]),
    );
    const cardsIn = ownCards.filter(([, state]) => state === "in_effect").length;
    const plansIn = own.filter(({ state }) => state !== "expired").length;
    expect(await quota(who!)).toEqual([5 + 50 * cardsIn + 200 * plansIn, 20 + 100 * cardsIn + 500 * plansIn]);
  }
}

it(
  `T-19: capacity follows its table in ${runs} sequences with several hands, and its sums are what is in effect`,
  { timeout: full ? 7_200_000 : 120_000 },
  async () => {
    let commands = 0;
    let wins = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 5, maxLength: 14 }), async (rounds) => {
        const set = await stage();
        const model = newCapacity(cardsEach);
        for (const { command: asked, hands } of rounds) {
          if ("at" in asked && !("clinic" in asked) && !model.subscriptions[asked.at]) continue;
          // Two are enough.
          if (asked.do === "subscribe" && model.subscriptions.length > 1) continue;
          const codes = await act(set, model, asked, hands);
          await turnCapacity(here.running.database);
          commands += codes.length;
          const should = expected(model, asked);
          const won = codes.filter((code) => code === successCode).length;
          wins += won;
          if (should === successCode) expect(won, JSON.stringify({ asked, codes })).toBe(1);
          else if (asked.do === "decide" || asked.do === "pay") expect(won).toBe(0);
          else expect(codes, JSON.stringify(asked)).toEqual(codes.map(() => should));
          for (const [who] of set.admins)
            for (const { id } of (await periodsOf(who!)).toReversed())
              if (!set.periods.includes(id)) set.periods.push(id);
          await compare(set, model);
        }
      }),
      { numRuns: runs },
    );
    console.info(
      `T-19 capacity: ${runs} sequences, ${commands} commands of which ${wins} moved something; 0 divergences`,
    );
  },
);
