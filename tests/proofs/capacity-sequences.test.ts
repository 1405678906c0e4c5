import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import type { IssuedCard, Period } from "@arcada/contract/capacity/capacity.calls";
import { successCode } from "@arcada/contract/kernel/refusals";
import { advanceCapacity } from "../../apps/server/src/capacity/start-and-expire-periods.ts";
import {
  cardDays,
  expectedCode,
  newCapacityModel,
  type CapacityModel,
  type Command,
} from "@arcada/testing/models/capacity-model";
import { issueCards, passTime, readAllowance, activateCard } from "@arcada/testing/fixtures/capacity";
import { getTestServer, type TestUser, type TestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const isFull = process.env.ARCADA_PROOF === "full";
const runs = isFull ? 1000 : 8;
const cardsPerClinic = 3;
let testServer: TestServer;
let operator: AnyTestUser;
/** Cards are issued many at once, because each issue creates a document. */
const issuedCards: IssuedCard[] = [];
beforeAll(async () => {
  testServer = await getTestServer();
  operator = await testServer.createUser("operator");
});

const clinic = fc.nat(1);
const at = fc.nat(cardsPerClinic - 1);
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

interface Setup {
  /** The admins of the two clinics, four each. */
  admins: TestUser[][];
  cards: IssuedCard[];
  periods: string[];
}
async function createSetup(): Promise<Setup> {
  if (issuedCards.length < cardsPerClinic)
    issuedCards.push(...(await issueCards(operator, cardsPerClinic * Math.min(runs, 100), { days: cardDays })));
  const institutions = [await testServer.createInstitution("clinic"), await testServer.createInstitution("clinic")];
  const admins = await Promise.all(
    institutions.map((institution) =>
      Promise.all(Array.from({ length: 4 }, () => testServer.createUser("clinicAdmin", institution))),
    ),
  );
  return { admins, cards: issuedCards.splice(0, cardsPerClinic), periods: [] };
}

/** Returns the codes of all callers. */
async function runCommand({ admins, cards, periods }: Setup, model: CapacityModel, asked: Command, callers: number) {
  const all = (ask: (hand: number) => Promise<{ code: number }>) =>
    Promise.all(Array.from({ length: callers }, async (_, hand) => (await ask(hand)).code));
  if (asked.do === "wait") {
    for (const [owner] of admins) await passTime(testServer, owner.iid, asked.days * 86_400);
    return [successCode];
  }
  if (asked.do === "activate" || asked.do === "void") {
    if (asked.do === "activate") return all((hand) => activateCard(admins[asked.clinic][hand], cards[asked.at]));
    const { id } = (await operator.call("capacity.cards", { search: cards[asked.at].number })).list[0];
    return all(() => operator.ask("capacity.voidCard", { id, reason: "sequence" }));
  }
  if (asked.do === "subscribe")
    return all((hand) => admins[asked.clinic][hand].ask("capacity.subscribe", { plan: "middle-month" }));
  const payment = async (institution: TestUser, period: string | null) =>
    (await findPendingPayment(institution, period)) ?? unknown;
  if (asked.do === "decide") {
    const id = await payment(admins[asked.clinic][0], null);
    return all(() => operator.ask("capacity.confirmPayment", { id, paid: asked.paid }));
  }
  const institution = admins[model.subscriptions[asked.at].owner];
  const id = periods[asked.at];
  if (asked.do === "pay") {
    const due = await payment(institution[0], id);
    return all(() => operator.ask("capacity.confirmPayment", { id: due, paid: asked.paid }));
  }
  const { version } = present((await listPeriods(institution[0])).find((one) => one.id === id));
  const { do: step } = asked as { do: "unsubscribe" | "resubscribe" | "renewLate" };
  return all((hand) => institution[hand].ask(`capacity.${step}`, { id, version }));
}
const unknown = "00000000-0000-7000-8000-000000000000";
const listPeriods = async (who: TestUser): Promise<Period[]> => (await who.call("capacity.subscriptions", {})).periods;
const findPendingPayment = async (who: TestUser, period: string | null): Promise<string | undefined> =>
  (
    await testServer.running.database.asSystem((db) =>
      sql<{ id: string }>`select id from capacity_payment where institution_id = ${who.iid} and state = 'waiting'
        and period_id is not distinct from ${period}`.execute(db),
    )
  ).rows[0]?.id;

/** Compares the data that both clinics see with the model. */
async function compareWithModel({ admins, cards, periods }: Setup, model: CapacityModel): Promise<void> {
  for (const [owner, [who]] of admins.entries()) {
    const seen = await listPeriods(who);
    const own = model.subscriptions.flatMap((one, index) =>
      one.owner === owner ? [{ ...one, id: periods[index] }] : [],
    );
    expect(new Map(seen.map(({ id, state, paymentWaits }) => [id, [state, paymentWaits]]))).toEqual(
      new Map(own.map(({ id, state, isPaymentPending: waits }) => [id, [state, waits]])),
    );
    const activated = await who.call("capacity.activations", {});
    const ownCards = model.cards.flatMap((one, index) =>
      one.owner === owner ? [[cards[index].number, one.state]] : [],
    );
    expect(new Map(activated.map(({ cardNumber, state }) => [cardNumber, state]))).toEqual(
      new Map(ownCards as [string, string][]),
    );
    const cardsIn = ownCards.filter(([, state]) => state === "in_effect").length;
    const plansIn = own.filter(({ state }) => state !== "expired").length;
    expect(await readAllowance(who)).toEqual([5 + 50 * cardsIn + 200 * plansIn, 20 + 100 * cardsIn + 500 * plansIn]);
  }
}

it(
  `T-19: capacity follows its state table in ${runs} sequences with concurrent callers, and its sums match what is in effect`,
  { timeout: isFull ? 7_200_000 : 120_000 },
  async () => {
    let commands = 0;
    let wins = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 5, maxLength: 14 }), async (rounds) => {
        const set = await createSetup();
        const model = newCapacityModel(cardsPerClinic);
        for (const { command: asked, hands: callers } of rounds) {
          if ("at" in asked && !("clinic" in asked) && !model.subscriptions[asked.at]) continue;
          // Two are enough.
          if (asked.do === "subscribe" && model.subscriptions.length > 1) continue;
          const codes = await runCommand(set, model, asked, callers);
          await advanceCapacity(testServer.running.database);
          commands += codes.length;
          const should = expectedCode(model, asked);
          const won = codes.filter((code) => code === successCode).length;
          wins += won;
          if (should === successCode) expect(won, JSON.stringify({ asked, codes })).toBe(1);
          else if (asked.do === "decide" || asked.do === "pay") expect(won).toBe(0);
          else expect(codes, JSON.stringify(asked)).toEqual(codes.map(() => should));
          for (const [who] of set.admins)
            for (const { id } of (await listPeriods(who)).toReversed())
              if (!set.periods.includes(id)) set.periods.push(id);
          await compareWithModel(set, model);
        }
      }),
      { numRuns: runs },
    );
    console.info(
      `T-19 capacity: ${runs} sequences, ${commands} commands of which ${wins} moved something; 0 divergences`,
    );
  },
);
