import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { OrderState } from "@arcada/contract/order/order.lifecycle";
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
const compactAbove = 64;

/**
 * Sums up the collected counter rows; returns the number of removed rows. Readers see either the old rows or the new
 * ones, never both.
 */
export const compactCounters = (database: Database): Promise<number> =>
  database.asSystem(async (db) => {
    const { rows } = await sql<{ gone: number }>`
      with gone as (
        delete from order_tally where pg_try_advisory_xact_lock(hashtext('order tally')) and institution_id in (
          select institution_id from order_tally group by institution_id having count(*) > ${compactAbove})
        returning *
      ), kept as (
        insert into order_tally select institution_id, state, mine, sum(n) from gone group by 1, 2, 3 having sum(n) <> 0
      )
      select count(*)::int as gone from gone`.execute(db);
    return rows[0]!.gone;
  });
