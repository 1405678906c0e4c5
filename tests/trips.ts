import pg from "pg";
import { vi } from "vitest";

interface Transaction {
  statements: string[];
  /** The number of times that an answer was awaited before the next statement was sent. */
  trips: number;
}

/**
 * Returns the statements that each transaction sends to the database during the work, and its number of round trips.
 */
export async function transactionsOf(work: () => Promise<unknown>): Promise<Transaction[]> {
  const heard: Transaction[] = [];
  const lines = new Map<pg.Client, Transaction & { open: number }>();
  const send = Reflect.get(pg.Client.prototype, "query") as (this: pg.Client, ...given: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [asked] = given as [string | pg.QueryConfig];
    const text = typeof asked === "string" ? asked : asked.text;
    const known = text.startsWith("begin") ? undefined : lines.get(this);
    const line = known ?? { statements: [], trips: 0, open: 0 };
    if (!known) heard.push(line);
    lines.set(this, line);
    line.statements.push(text);
    if (line.open++ === 0) line.trips += 1;
    const sent = send.apply(this, given);
    const ends = () => void (line.open -= 1);
    if (sent instanceof Promise) sent.then(ends, ends);
    return sent as never;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return heard;
}
