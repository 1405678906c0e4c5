import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
import { compactTally } from "../../platform/database/compact-tally.ts";
import type { Database } from "../../platform/database/database.ts";

interface Counts {
  all: number;
  myTurn: number;
  states: Partial<Record<OrderState, number>>;
}

interface CounterRow {
  state: OrderState;
  n: number;
  mine: number;
}

/**
 * Returns the number of orders in each state, and how many of them wait for this institution: summed from recorded
 * moves, not counted.
 */
export const countersQuery = (iid: string): RawBuilder<CounterRow>[] => [
  sql<CounterRow>`
    select state, sum(n)::int as n, coalesce(sum(n) filter (where mine), 0)::int as mine
    from order_tally where institution_id = ${iid} group by state having sum(n) <> 0`,
];
export const sumCounters = (rows: CounterRow[]): Counts => ({
  all: rows.reduce((sum, { n }) => sum + n, 0),
  myTurn: rows.reduce((sum, { mine }) => sum + mine, 0),
  states: Object.fromEntries(rows.map(({ state, n }) => [state, n])),
});

/** Eleven states, each once with the turn and once without it, leave 22 rows. */
export const compactCounters = (database: Database): Promise<number> =>
  compactTally(database, { table: "order_tally", keys: ["state", "mine"], sums: ["n"], above: 64 });
