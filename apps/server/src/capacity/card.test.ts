import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { issueCards, readAllowance, activateCard, cardValue } from "@arcada/testing/fixtures/capacity";
import { getTestServer, setup, type TestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let operator: AnyTestUser;
beforeAll(async () => {
  env = await getTestServer();
  operator = await env.createUser("operator");
});

describe("a card (C1, C2, C10)", () => {
  // The first PDF also reads the font.
  it(
    "is printed with a secret that is not stored, and adds its value to the clinic that activates it",
    { timeout: 90_000 },
    async () => {
      const { clinic, dentist } = await setup();
      const made = await operator.call("capacity.issue", { count: 2, ...cardValue });
      const { paper } = await operator.call("capacity.print", made);
      expect(Buffer.from(paper, "base64").subarray(0, 5).toString()).toBe("%PDF-");
      const [card] = made.cards;
      const guessed = { batch: made.batch, cards: [{ number: card.number, secret: "GUESSED" }] };
      expect(refusalOf(await operator.ask("capacity.print", guessed))).toBe("notFound");
      const kept = await env.running.database.asSystem((db) =>
        sql<{
          row: string;
        }>`select to_jsonb(c)::text as row from capacity_card c where number = ${card.number}`.execute(db),
      );
      expect(kept.rows[0].row).not.toContain(card.secret);
      expect(refusalOf(await dentist.ask("capacity.activate", { cardNumber: card.number, secret: card.secret }))).toBe(
        "notAllowed",
      );
      expect(await readAllowance(clinic)).toEqual([5, 20]);
      // The card as a person types it from paper.
      const typed = { number: card.number.replaceAll(/(.{4})/g, "$1 "), secret: card.secret.toLowerCase() };
      expect((await activateCard(clinic, typed)).data).toMatchObject({
        state: "in_effect",
        cardNumber: card.number,
        counts: true,
        actions: [],
      });
      expect(await readAllowance(clinic)).toEqual([55, 120]);
      expect(await clinic.call("capacity.activations", {})).toHaveLength(1);
      const [shown] = (await operator.call("capacity.cards", { search: card.number })).list;
      expect(shown).toMatchObject({ state: "in_effect", institution: { id: clinic.iid }, actions: [] });
    },
  );

  it("counts once however many clinics activate it at the same time", async () => {
    const [one, two] = [await setup(), await setup()];
    const deputy = await env.createUser("clinicAdmin", { id: one.clinic.iid });
    const [card] = await issueCards(operator, 1);
    const people = [one.clinic, two.clinic, deputy];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => activateCard(people[at % 3], card)));
    const outcomes = answers.map(refusalOf);
    expect(outcomes.filter((outcome) => outcome === "accepted")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "capacityCardUsed")).toHaveLength(19);
    const sums = [await readAllowance(one.clinic), await readAllowance(two.clinic)].map(([gigabytes]) => gigabytes);
    expect(sums.toSorted((a, b) => a - b)).toEqual([5, 55]);
  });

  it("is listed by number and page with a total, and filtered by state and by institution", async () => {
    const { clinic } = await setup();
    const { batch, cards } = await operator.call("capacity.issue", { count: 5, ...cardValue });
    const numbers = cards.map(({ number }) => number).toSorted();
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => operator.call("capacity.cards", { batch, page, pageSize: 2 })),
    );
    expect(pages.map(({ list }) => list.length)).toEqual([2, 2, 1, 0]);
    expect(pages.flatMap(({ list }) => list.map(({ number }) => number))).toEqual(numbers);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
    await activateCard(clinic, cards[0]);
    const inEffect = await operator.call("capacity.cards", { batch, state: "in_effect" });
    expect([inEffect.total, inEffect.list.map(({ number }) => number)]).toEqual([1, [cards[0].number]]);
    const { name } = present(inEffect.list[0].institution, "institution");
    const theirs = await operator.call("capacity.cards", { batch, search: name });
    expect([theirs.total, theirs.list[0].expiresAt]).toEqual([1, inEffect.list[0].expiresAt]);
  });

  it("adds nothing if it is void, past its sell-by date or unknown", async () => {
    const { clinic } = await setup();
    const [lost, late] = await issueCards(operator, 2);
    const find = async (number: string) => (await operator.call("capacity.cards", { search: number })).list[0];
    const { id } = await find(lost.number);
    await operator.call("capacity.voidCard", { id, reason: "lost in the post" });
    expect(refusalOf(await operator.ask("capacity.voidCard", { id, reason: "again" }))).toBe(
      "capacityActionNotAllowed",
    );
    const sellBy = (seconds: number) =>
      env.running.database.asSystem((db) =>
        sql`update capacity_card set sell_by = now() + make_interval(secs => ${seconds}) where number = ${late.number}`.execute(
          db,
        ),
      );
    await sellBy(-1);
    expect(refusalOf(await activateCard(clinic, lost))).toBe("capacityCardVoid");
    expect(refusalOf(await activateCard(clinic, late))).toBe("capacityCardLate");
    expect(await find(late.number)).toMatchObject({ state: "issued", dead: true });
    expect(refusalOf(await activateCard(clinic, { number: "000000000000", secret: late.secret }))).toBe(
      "capacityCardWrong",
    );
    expect(await readAllowance(clinic)).toEqual([5, 20]);
    await sellBy(1);
    expect((await activateCard(clinic, late)).code).toBe(200);
  });

  it("is issued only with a value and a sell-by date in the future", async () => {
    const asks = (more: object) => operator.ask("capacity.issue", { count: 1, ...cardValue, ...more });
    expect(refusalOf(await asks({ gigabytes: 0, analyses: 0 }))).toBe("capacityEmpty");
    expect(refusalOf(await asks({ sellBy: "2020-01-01" }))).toBe("capacitySellBy");
    expect(refusalOf(await asks({ count: 501 }))).toBe("badInput");
  });
});

const raceRounds = process.env.ARCADA_PROOF === "full" ? 20 : 4;
it(
  "wrong card codes lock an account after five attempts, and lock the card for nobody else",
  { timeout: 300_000 },
  async () => {
    const { clinic } = await setup();
    const [card, other] = await issueCards(operator, 2);
    const wrong = (at: number) => ({ number: card.number, secret: `WRONG${at}` });
    const outcomes: string[] = [];
    for (let round = 0; round < raceRounds; round++)
      outcomes.push(
        ...(await Promise.all(Array.from({ length: 50 }, (_, at) => activateCard(clinic, wrong(round * 50 + at))))).map(
          refusalOf,
        ),
      );
    expect(outcomes.filter((outcome) => outcome === "capacityCardWrong")).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === "capacityTooManyTries")).toHaveLength(raceRounds * 50 - 5);
    // The right one does not pass either, for a quarter of an hour.
    expect(refusalOf(await activateCard(clinic, other))).toBe("capacityTooManyTries");
    const deputy = await env.createUser("clinicAdmin", { id: clinic.iid });
    for (let at = 0; at < 5; at++) expect(refusalOf(await activateCard(deputy, wrong(at)))).toBe("capacityCardWrong");
    const third = await env.createUser("clinicAdmin", { id: clinic.iid });
    expect((await activateCard(third, card)).code).toBe(200);
    expect((await activateCard(third, other)).code).toBe(200);
    expect(await readAllowance(clinic)).toEqual([105, 220]);
    const passed = (minutes: number) =>
      env.running.database.asSystem((db) =>
        sql`update capacity_try set at = now() - make_interval(mins => 15) + make_interval(secs => ${minutes})
        where user_id = ${clinic.uid}`.execute(db),
      );
    const [next] = await issueCards(operator, 1);
    await passed(1);
    expect(refusalOf(await activateCard(clinic, next))).toBe("capacityTooManyTries");
    await passed(-1);
    expect((await activateCard(clinic, next)).code).toBe(200);
  },
);
