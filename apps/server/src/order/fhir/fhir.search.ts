import type { CapabilityStatementRestResourceSearchParam } from "@medplum/fhirtypes";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { timestampInput } from "@arcada/contract/kernel/fields";
import { orderStates } from "@arcada/contract/order/order.lifecycle";
import { findTaskStatus } from "@arcada/contract/order/fhir-task-status";
import type { Db } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { orderColumns, orderJoins } from "../core/order.read.ts";
import type { NamedOrder } from "../core/order.read.ts";
import { systems } from "./fhir.view.ts";
import { selectValue } from "../../platform/database/select-value.ts";

export const searchRules = { usual: 20, most: 100 } as const;
/** Search parameters: the description for the capability statement, and the condition for one value. */
export const searchParameters: Record<
  string,
  {
    type: CapabilityStatementRestResourceSearchParam["type"];
    description: string;
    where: (value: string, zone: string) => RawBuilder<unknown>;
  }
> = {
  _id: { type: "token", description: "Ids of orders", where: (value) => anyOf(value, idCondition) },
  _lastUpdated: {
    type: "date",
    description: "With a prefix: ge2026-01-31, lt2026-02-01T12:00:00Z",
    where: lastUpdatedCondition,
  },
  status: { type: "token", description: "States of Task", where: statusCondition },
  "business-status": {
    type: "token",
    description: `States of the order (${systems.orderState})`,
    where: (value) => anyOf(value, (one) => sql`o.state = ${parseCode(one, systems.orderState)}`),
  },
  identifier: {
    type: "token",
    description: "The order's number",
    where: (value) => anyOf(value, (one) => sql`o.number = ${parseCode(one, systems.orderNumber)}`),
  },
  owner: {
    type: "reference",
    description: "The organisation that the order was sent to",
    where: (value) => anyOf(value, (one) => sql`o.receiver_id = ${parseOrganizationId(one)}`),
  },
  requester: {
    type: "reference",
    description: "The organisation that sent the order",
    where: (value) => anyOf(value, (one) => sql`o.institution_id = ${parseOrganizationId(one)}`),
  },
};
const controls = ["_count", "_sort", "_cursor", "_format", "_pretty"];

export interface SearchResult {
  orders: NamedOrder[];
  total: number;
  /** Cursor of the next page; null on the last. */
  next: string | null;
  /** The parameters that were understood, for the response's own address. */
  used: [string, string][];
}

/**
 * Returns orders that the institution sent or received, by FHIR's search parameters; newest change first unless
 * requested otherwise.
 */
export async function searchTasks(
  db: Db,
  { iid, timeZone, patientId }: { iid: string; timeZone: string; patientId: string | null },
  query: readonly [string, string][],
  strict: boolean,
): Promise<SearchResult> {
  const used = query.filter(([name]) => Object.hasOwn(searchParameters, name) || controls.includes(name));
  if (strict && used.length < query.length) refuse("badInput", { parameter: "unknown" });
  const control = (name: string): string | undefined => used.find(([each]) => each === name)?.[1];
  const count = parsePageSize(control("_count"));
  const isAscending = isAscendingSort(control("_sort"));
  const own = sql`(o.institution_id = ${iid} or (o.receiver_id = ${iid} and o.handed_over_at is not null))`;
  // An app with a patient sees what the institution ordered for this patient.
  const ofPatient = patientId === null ? [] : [sql`o.institution_id = ${iid} and o.patient_id = ${patientId}`];
  const all = [
    own,
    ...ofPatient,
    ...used.flatMap(([name, value]) => searchParameters[name]?.where(value, timeZone) ?? []),
  ];
  const after = afterCursor(control("_cursor"), isAscending);
  const order = isAscending ? sql`o.updated_at, o.id` : sql`o.updated_at desc, o.id desc`;
  const { rows } = await sql<NamedOrder>`select ${orderColumns(iid)} from orders o ${orderJoins}
    where ${sql.join([...all, ...after], sql` and `)} order by ${order} limit ${count + 1}`.execute(db);
  const total = await selectValue(
    db,
    sql<number>`(select count(*)::int from orders o where ${sql.join(all, sql` and `)})`,
  );
  const orders = rows.slice(0, count);
  const last = rows.length > orders.length ? orders.at(-1) : undefined;
  return {
    orders,
    total,
    next: last ? Buffer.from(`${last.updated_at} ${last.id}`).toString("base64url") : null,
    used,
  };
}

function parsePageSize(text = String(searchRules.usual)): number {
  if (!/^\d{1,6}$/.test(text)) refuse("badInput", { _count: "invalid" });
  return Math.min(Number(text), searchRules.most);
}
function isAscendingSort(text = "-_lastUpdated"): boolean {
  if (text !== "_lastUpdated" && text !== "-_lastUpdated") refuse("badInput", { _sort: "invalid" });
  return text === "_lastUpdated";
}
function afterCursor(cursor: string | undefined, isAscending: boolean): RawBuilder<unknown>[] {
  if (cursor === undefined) return [];
  const [at = "", id = ""] = Buffer.from(cursor, "base64url").toString().split(" ");
  if (!timestampInput.safeParse(at).success || !uuid.test(id)) refuse("badInput", { _cursor: "invalid" });
  return [
    isAscending
      ? sql`(o.updated_at, o.id) > (${at}::timestamptz, ${id}::uuid)`
      : sql`(o.updated_at, o.id) < (${at}::timestamptz, ${id}::uuid)`,
  ];
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const never = sql`false`;
const anyOf = (value: string, one: (each: string) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${sql.join(value.split(",").map(one), sql` or `)})`;
const idCondition = (id: string): RawBuilder<unknown> => (uuid.test(id) ? sql`o.id = ${id}::uuid` : never);
/** Returns the code of `system|code`; null for a code of another system, which matches nothing. */
function parseCode(value: string, system: string): string | null {
  const at = value.lastIndexOf("|");
  return at >= 0 && value.slice(0, at) !== "" && value.slice(0, at) !== system ? null : value.slice(at + 1);
}
function parseOrganizationId(value: string): string | null {
  const id = value.replace(/^.*Organization\//, "");
  return uuid.test(id) ? id : null;
}

interface Combination {
  state: (typeof orderStates)[number];
  turn: "sender" | "receiver" | "nobody";
  holder: "sender" | "receiver";
  isAsked: boolean;
}
const combinations: Combination[] = orderStates.flatMap((state) =>
  (["sender", "receiver", "nobody"] as const).flatMap((turn) =>
    (["sender", "receiver"] as const).flatMap((holder) =>
      [true, false].map((isAsked) => ({ state, turn, holder, isAsked })),
    ),
  ),
);
/** Inverts the contract's table: finds every combination of state, turn and holder that has this status. */
function statusCondition(value: string): RawBuilder<unknown> {
  const wanted = new Set(value.split(",").map((one) => parseCode(one, "http://hl7.org/fhir/task-status")));
  const matching = combinations.filter((one) => wanted.has(findTaskStatus(one)));
  if (matching.length === 0) return never;
  const rows = matching.map(
    ({ state, turn, holder, isAsked }) => sql`(${state}, ${turn}, ${holder}, ${isAsked}::boolean)`,
  );
  return sql`(o.state, o.turn, o.holder, o.info_request is not null) in (${sql.join(rows)})`;
}

const dateShape =
  /^(eq|ne|gt|lt|ge|le|sa|eb)?(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,3})?\d*)?(Z|[+-]\d{2}:\d{2})?)?)?)?$/;
/** A value covers the whole time that it names: a year, a day, a second (http://hl7.org/fhir/R4/search.html#date). */
function lastUpdatedCondition(value: string, timeZone: string): RawBuilder<unknown> {
  const [, prefix = "eq", year, month, day, hour, minute, second, part = "", zone] = dateShape.exec(value) ?? [];
  if (year === undefined) return refuse("badInput", { _lastUpdated: "dateShape" });
  const text = `${year}-${month ?? "01"}-${day ?? "01"}T${hour ?? "00"}:${minute ?? "00"}:${second ?? "00"}${part}`;
  if (!timestampInput.safeParse(`${text}${zone ?? "Z"}`).success)
    return refuse("badInput", { _lastUpdated: "dateShape" });
  const unit = part ? "millisecond" : second ? "second" : minute ? "minute" : day ? "day" : month ? "month" : "year";
  const length = sql`${`1 ${unit}`}::interval`;
  // Without an offset, the institution's time zone applies; in it a day may have 23 or 25 hours.
  const start = zone ? sql`${text + zone}::timestamptz` : sql`(${text}::timestamp at time zone ${timeZone}::text)`;
  const end = zone
    ? sql`(${start} + ${length})`
    : sql`((${text}::timestamp + ${length}) at time zone ${timeZone}::text)`;
  const within = sql`(o.updated_at >= ${start} and o.updated_at < ${end})`;
  const conditions: Record<string, RawBuilder<unknown>> = {
    eq: within,
    ne: sql`not ${within}`,
    gt: sql`o.updated_at >= ${end}`,
    sa: sql`o.updated_at >= ${end}`,
    ge: sql`o.updated_at >= ${start}`,
    lt: sql`o.updated_at < ${start}`,
    eb: sql`o.updated_at < ${start}`,
    le: sql`o.updated_at < ${end}`,
  };
  return conditions[prefix]!;
}
