import { sql } from "kysely";
import type { Product } from "@arcada/testing/setup/product-process";
import { withProductDatabase } from "./product-database.ts";

/**
 * Copies an order into a history of completed ones, spread over a year back, without any of the present week. Every
 * fourth was late, and every eighth is a remake. The same every time.
 */
export const createOrderHistory = (product: Product, id: string, count: number): Promise<unknown> =>
  withProductDatabase(product, (db) =>
    sql`
      with placed as (
        select n, gen_random_uuid() as id, now() - interval '9 days' - n * interval '1 day' * (330.0 / ${count}) as done,
          case n / 8 % 4 when 0 then 'lab' when 1 then 'clinic' when 2 then 'material' end as reason
        from generate_series(1, ${count}::int) n
      )
      insert into orders
      select (jsonb_populate_record(o, jsonb_build_object('id', p.id, 'number', 'H-' || p.n, 'state', 'completed',
        'turn', 'nobody', 'created_at', p.done - interval '1 day' * (6 + p.n % 9), 'updated_at', p.done,
        'handed_over_at', p.done - interval '1 day' * (5 + p.n % 9), 'accepted_at', p.done - interval '1 day' * (4 + p.n % 9),
        'dispatched_at', p.done - interval '1 day', 'completed_at', p.done,
        'due_date', (p.done - interval '1 day' * case when p.n % 4 = 0 then 3 else 0 end)::date, 'promised_date', null,
        'remake_of', case when p.n % 8 = 0 then o.id end, 'remake_class', case when p.n % 8 = 0 then p.reason end,
        'remake_bears', case when p.n % 8 = 0 then 'open' end))).*
      from orders o, placed p where o.id = ${id}`.execute(db),
  );
