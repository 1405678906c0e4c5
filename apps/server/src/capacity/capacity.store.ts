import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Card, Payment, Period } from "@arcada/contract/capacity/capacity.calls";
import { findPlan } from "@arcada/contract/capacity/capacity.rules";
import type { PaymentState } from "@arcada/contract/capacity/capacity.rules";
import type { CardState } from "@arcada/contract/capacity/capacity.lifecycle";
import { queryPipelined } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { isPeriodActive } from "../platform/upload/storage-quota.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { CapacityPaymentTable, CapacityPeriodTable } from "../tables/schema.generated.ts";
import type { Selectable } from "kysely";
import { openActions } from "./period.allowed-steps.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export type PeriodRow = Selectable<CapacityPeriodTable>;
export type PaymentRow = Selectable<CapacityPaymentTable>;

/** Returns the past, current and future periods of an institution, newest first. */
export const listPeriods = (db: Db, iid: string, of: "card" | "plan"): Promise<Period[]> =>
  readPeriods(db, sql`p.institution_id = ${iid} and p.${sql.raw(of === "card" ? "card_id" : "plan")} is not null`);

export const requirePeriod = async (db: Db, iid: string, id: string): Promise<Period> =>
  (await readPeriods(db, sql`p.institution_id = ${iid} and p.id = ${id}`))[0] ?? refuse("notFound");

type PeriodQueryRow = PeriodRow & { number: string | null; counts: boolean; waits: boolean };
async function readPeriods(db: Db, which: RawBuilder<unknown>): Promise<Period[]> {
  const { rows } = await sql<PeriodQueryRow>`select p.*, c.number, ${isPeriodActive} as counts,
      exists (select from capacity_payment y where y.institution_id = p.institution_id and y.period_id = p.id and y.state = 'waiting') as waits
    from capacity_period p left join capacity_card c on c.id = p.card_id where ${which}
    order by p.subscribed_at desc, p.id desc limit 500`.execute(db);
  return rows.map((row) => ({
    ...pickColumns(
      row,
      "id",
      "state",
      "plan",
      "gigabytes",
      "analyses",
      "days",
      "auto_renew",
      "subscribed_at",
      "activated_at",
      "unsubscribed_at",
      "starts_at",
      "expires_at",
      "counts",
      "version",
    ),
    cardNumber: row.number,
    paymentWaits: row.waits,
    actions: openActions({ state: row.state, fromCard: row.card_id !== null, paymentWaits: row.waits }),
  }));
}

/**
 * Locks a period until the transaction ends: transitions of a period and confirmations of its payment wait for each
 * other.
 */
export const lockPeriod = async (db: Db, iid: string, id: string): Promise<PeriodRow | undefined> =>
  (
    await sql<PeriodRow>`select * from capacity_period where institution_id = ${iid} and id = ${id} for update`.execute(
      db,
    )
  ).rows[0];

type PaymentQueryRow = PaymentRow & { name: string; number: string; requesterName: string | null };
export interface PaymentFilter {
  iid?: string;
  id?: string;
  state?: PaymentState | undefined;
}
export async function listPayments(
  db: Db,
  { iid, id, state }: PaymentFilter,
  page: { offset: number; most: number } = { offset: 0, most: 100 },
): Promise<{ list: Payment[]; total: number }> {
  const { rows } = await sql<
    PaymentQueryRow & { total: number }
  >`select y.*, i.name, i.number, u.nick_name as "requesterName",
      (count(*) over ())::int as total
    from capacity_payment y join institution i on i.id = y.institution_id left join users u on u.id = y.asked_by
    where (${iid ?? null}::uuid is null or y.institution_id = ${iid ?? null}) and (${id ?? null}::uuid is null or y.id = ${id ?? null})
      and (${state ?? null}::text is null or y.state = ${state ?? null})
    order by y.state = 'waiting' desc, y.asked_at desc, y.id limit ${page.most} offset ${page.offset}`.execute(db);
  return { list: rows.map(toPayment), total: rows[0]?.total ?? 0 };
}

function toPayment(row: PaymentQueryRow): Payment {
  const { gigabytes = 0, analyses = 0, days = 0 } = findPlan(row.plan) ?? {};
  return {
    ...pickColumns(row, "id", "kind", "plan", "starts_at", "state", "asked_at", "decided_at", "reason"),
    gigabytes,
    analyses,
    days,
    institution: { id: row.institution_id, name: row.name, number: row.number },
    askedBy: row.requesterName,
  };
}

export interface CardFilter {
  state?: CardState | undefined;
  search?: string | undefined;
  batch?: string | undefined;
  offset: number;
  most: number;
}
interface CardQueryRow {
  id: string;
  number: string;
  batch_id: string;
  state: CardState;
  gigabytes: number;
  analyses: number;
  days: number;
  sell_by: string;
  late: boolean;
  issued_at: string;
  void_reason: string | null;
  institution_id: string | null;
  house: string | null;
  house_number: string | null;
  activated_at: string | null;
  expires_at: string | null;
}
export async function listCards(db: Db, request: CardFilter): Promise<{ list: Card[]; total: number }> {
  const which = sql`from capacity_card c left join institution i on i.id = c.institution_id where ${cardConditions(request)}`;
  // Counted separately: a window function would join and sort all rows for one page.
  const [rows, counted] = await queryPipelined(db, [
    sql<CardQueryRow>`select c.*, c.sell_by <= now() as late, i.name as house, i.number as house_number, p.activated_at, p.expires_at
      from (select c.* ${which} order by c.issued_at desc, c.number limit ${request.most} offset ${request.offset}) c
        left join institution i on i.id = c.institution_id left join capacity_period p on p.card_id = c.id
      order by c.issued_at desc, c.number`,
    sql<{ total: number }>`select count(*)::int as total ${which}`,
  ]);
  return { list: rows.map(toCard), total: counted[0]!.total };
}

function cardConditions({ state, batch, search }: CardFilter): RawBuilder<unknown> {
  const like = search ? `%${search.replaceAll(/[\\%_]/g, "\\$&")}%` : null;
  const digits = search?.replaceAll(/[\s-]/g, "") ?? "";
  const conditions = [
    sql`true`,
    ...(state ? [sql`c.state = ${state}`] : []),
    ...(batch ? [sql`c.batch_id = ${batch}`] : []),
    ...(like ? [sql`(i.name ilike ${like} or i.number like ${like} or strpos(c.number, ${digits}) > 0)`] : []),
  ];
  return sql.join(conditions, sql` and `);
}

const toCard = (row: CardQueryRow): Card => ({
  ...pickColumns(
    row,
    "id",
    "number",
    "state",
    "gigabytes",
    "analyses",
    "days",
    "sell_by",
    "issued_at",
    "activated_at",
    "expires_at",
    "void_reason",
  ),
  batch: row.batch_id,
  dead: row.state === "issued" && row.late,
  institution:
    row.institution_id === null
      ? null
      : { id: row.institution_id, name: row.house ?? "", number: row.house_number ?? "" },
  actions: row.state === "issued" ? ["void"] : [],
});
