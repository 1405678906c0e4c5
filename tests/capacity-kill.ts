import path from "node:path";
import pg from "pg";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { IssuedCard } from "@arcada/contract/capacity/capacity.calls";
import { roles } from "@arcada/contract/kernel/roles";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import type { Product } from "./product.ts";

const cardValue = { gigabytes: 1, analyses: 1, days: 30 } as const;

/**
 * Makes cards that are activated while the power fails, issued by an operator created for it. The product runs before
 * and afterwards.
 */
export async function issueCardsAsOperator(product: Product, count: number): Promise<IssuedCard[]> {
  const first = await product.register("operator@kill.test", "clinicManager");
  const { uuid } = await product.call(accountCalls.getUserInfo, {}, { token: first });
  await product.stop();
  const database = await startPostgres({ folder: path.join(product.folder, "postgres") });
  const client = new pg.Client(database.connection);
  await client.connect();
  const { authorityId } = roles.operator;
  await client.query("insert into membership (id, user_id, authority_id, state) values ($1, $2, $3, 'normal')", [
    newId(),
    uuid,
    authorityId,
  ]);
  await client.end();
  await database.stop();
  await product.start();
  const { token } = await product.call(accountCalls.changeRole, { authorityId, uuid }, { token: first });
  return (await product.call(capacityCalls.issue, { count, ...cardValue, sellBy: "2099-01-01" }, { token })).cards;
}

/** Activates one card after the other until the work is over. Returns the numbers of those that were acknowledged. */
export async function activateCards(
  product: Product,
  token: string,
  cards: readonly IssuedCard[],
  work: { over: boolean },
): Promise<string[]> {
  const done: string[] = [];
  for (const { number: cardNumber, secret } of cards) {
    // While the server is down, the same card is tried again under the same key: the cards must last until the end.
    for (let answer = null; !work.over && answer === null; await pause(30)) {
      answer = await product
        .ask(capacityCalls.activate, { cardNumber, secret }, { token, "idempotency-key": `card-${cardNumber}` })
        .catch(() => null);
      if (answer?.code === 200) done.push(cardNumber);
    }
    if (work.over) break;
  }
  return done;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Returns the acknowledged cards that are missing, and the gigabytes of the total beyond those of the existing cards.
 */
export async function compareCapacity(product: Product, token: string, done: readonly string[]) {
  const activations = await product.call(capacityCalls.activations, {}, { token });
  const { maxSize } = await product.call(capacityCalls.storage, {}, { token });
  const numbers = activations.map(({ cardNumber }) => cardNumber);
  return {
    lostCards: done.filter((number) => !numbers.includes(number)).length,
    odd: maxSize - 5 - new Set(numbers).size * cardValue.gigabytes,
  };
}
