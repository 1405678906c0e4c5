import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { WorkorderRow, workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { workorderStates } from "@arcada/contract/workorder/workorder.cycle";
import type { WorkorderState } from "@arcada/contract/workorder/workorder.cycle";
import { beyondWall } from "../kernel/db.ts";
import { searchTerms } from "../kernel/search-words.ts";
import { readable } from "./workorder.store.ts";
import type { WorkOrderRow } from "./workorder.store.ts";
import { storedType } from "./workorder.ts";
import { readerOf, rowShown } from "./workorder.view.ts";
import type { Asking } from "./workorder.view.ts";

type Wish = Parsed<typeof workorderCalls.list>;
interface Listed extends WorkOrderRow {
  clinic: string;
  assignee: string | null;
  unread: boolean;
}

/** A page of orders, newest first, with how many there are in each state. */
export const listOrders = ({ db, asker }: Asking, wish: Wish) =>
  beyondWall(db, async () => {
    const matching = sql.join(conditions(asker, wish), sql` and `);
    const unread = sql<boolean>`not exists (select from work_order_read r where r.work_order_id = w.id and r.user_id = ${asker.uid})`;
    const counted = await sql<{
      state: WorkorderState;
      count: number;
      unread: number;
    }>`select w.state, count(*)::int as count,
        count(*) filter (where ${unread} and w.state not in ('finished', 'closed'))::int as unread from work_order w where ${matching} group by w.state`.execute(
      db,
    );
    const { rows } =
      await sql<Listed>`select w.*, false as assignee_gone, false as alternate_gone, c.name as clinic, u.nick_name as assignee, ${unread} as unread
      from work_order w join clinic c on c.id = w.clinic_id left join users u on u.id = w.assignee_id
      where ${matching} and ${wish.state ? sql`w.state = ${wish.state}` : sql`true`}
        and ${wish.cursor ? sql`w.id < ${wish.cursor}` : sql`true`}
      order by w.id desc limit ${wish.pageSize + 1}`.execute(db);
    const list: WorkorderRow[] = rows.slice(0, wish.pageSize).map((row) => rowShown(row, row));
    const counts = Object.fromEntries(
      workorderStates.map((state) => [state, counted.rows.find((one) => one.state === state)?.count ?? 0]),
    ) as Record<WorkorderState, number>;
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      list,
      total: wish.state ? counts[wish.state] : all,
      next: rows.length > list.length ? list.at(-1)!.id : null,
      counts,
      unread: counted.rows.reduce((sum, row) => sum + row.unread, 0),
    };
  });

function conditions(asker: Asking["asker"], wish: Wish): RawBuilder<unknown>[] {
  const { grams, patterns } = searchTerms(wish.search);
  return [
    readable(readerOf(asker)),
    ...(wish.mine ? [sql`w.assignee_id = ${asker.uid}`] : []),
    // What somebody made, and what they handed in for others to look at.
    ...(wish.reported
      ? [
          sql`(w.created_by = ${asker.uid} or exists (select from work_order_event e where e.work_order_id = w.id
            and e.user_id = ${asker.uid} and e.action = 'submit'))`,
        ]
      : []),
    ...(wish.type ? [sql`w.type = ${storedType(wish.type)}`] : []),
    ...(wish.clinic ? [sql`w.clinic_id = ${wish.clinic}`] : []),
    ...(wish.device ? [sql`w.device_id = ${wish.device}`] : []),
    ...(grams.length > 0 ? [sql`w.grams @> ${grams}::text[]`] : []),
    ...patterns.map((pattern) => sql`w.haystack like ${pattern}`),
  ];
}
