import pg from "pg";
import { vi } from "vitest";

interface Transaction {
  statements: string[];
  /** The number of times that an answer was awaited before the next statement was sent. */
  roundTrips: number;
}

/**
 * Returns the statements that each transaction sends to the database during the work, and its number of round trips.
 */
export async function recordTransactions(work: () => Promise<unknown>): Promise<Transaction[]> {
  const transactions: Transaction[] = [];
  const openTransactions = new Map<pg.Client, Transaction & { open: number }>();
  const send = Reflect.get(pg.Client.prototype, "query") as (this: pg.Client, ...given: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [statement] = given as [string | pg.QueryConfig];
    const text = typeof statement === "string" ? statement : statement.text;
    const known = text.startsWith("begin") ? undefined : openTransactions.get(this);
    const transaction = known ?? { statements: [], roundTrips: 0, open: 0 };
    if (!known) transactions.push(transaction);
    openTransactions.set(this, transaction);
    transaction.statements.push(text);
    if (transaction.open++ === 0) transaction.roundTrips += 1;
    const sent = send.apply(this, given);
    const settle = () => void (transaction.open -= 1);
    if (sent instanceof Promise) sent.then(settle, settle);
    return sent as never;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return transactions;
}
