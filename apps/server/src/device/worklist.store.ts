import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { timestampInput } from "@arcada/contract/kernel/fields";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { startOfDay, localTimeAt } from "../domain/institution-time-zone.ts";
import { matchesName, toDicomName, toSearchText } from "./worklist-entry.ts";
import type { WorklistRow } from "./worklist-entry.ts";

export interface WorklistQuery {
  /** Days of the zone; null: at any time. */
  from: string | null;
  to: string | null;
  zone: string;
  name?: string | undefined;
  number?: string | undefined;
  cursor?: string | undefined;
}

/** Records read for one page: for a common family name, more are examined than are returned. */
const maxRowsRead = 2000;
const yieldEvery = 50;

/** Returns patients who were created, inspected, seen or ordered for in these days, the most recent first. */
export async function listWorklist(
  db: Db,
  iid: string,
  query: WorklistQuery,
): Promise<{ rows: WorklistRow[]; next: string | null }> {
  const { from, to, zone, name, number } = query;
  const within = from !== null && to !== null;
  const begin = startOfDay(zone, from ?? "");
  const end = startOfDay(zone, to ?? "", 1);
  // A request without a time is for the day on which it came.
  const isOrdered = within
    ? sql`o.state = 'open' and (o.scheduled_at >= ${from}::date and o.scheduled_at < ${to}::date + 1
        or o.scheduled_at is null and o.created_at >= ${begin} and o.created_at < ${end})`
    : sql`o.state = 'open'`;
  const when = within
    ? sql`(recent_visit_at >= ${begin} and recent_visit_at < ${end} or created_at >= ${begin} and created_at < ${end}
        or inspected_at >= ${from}::date and inspected_at < ${to}::date + 1
        or id in (select o.patient_id from hl7_order o where o.institution_id = ${iid} and ${isOrdered}))`
    : sql`true`;
  const scheduled = within
    ? sql`to_char(case when order_at is not null then order_at when inspected_at >= ${from}::date and inspected_at < ${to}::date + 1 then inspected_at
        when recent_visit_at >= ${begin} and recent_visit_at < ${end} then ${localTimeAt(zone, sql`recent_visit_at`)}
        else ${localTimeAt(zone, sql`created_at`)} end, 'YYYYMMDDHH24MISS')`
    : sql`null::text`;
  const word = name === undefined ? "" : toSearchText(name);
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const { rows } =
    await sql<WorklistRow>`select id, number, entry_number, name, sex, birth_date, ${scheduled} as scheduled, recent_visit_at as recent,
      order_accession, order_description, order_teeth
    from patient left join lateral (select o.accession as order_accession, o.description as order_description,
        o.teeth as order_teeth, o.scheduled_at as order_at from hl7_order o
        where o.institution_id = ${iid} and o.patient_id = patient.id and ${isOrdered}
        order by o.scheduled_at desc nulls last, o.id desc limit 1) ordered on true
    where institution_id = ${iid} and deleted_at is null and ${when}
      ${word === "" ? sql`` : sql`and haystack like ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`}
      ${number === undefined || number === "" ? sql`` : sql`and (number = ${number} or entry_number = ${number})`}
      ${after ? sql`and (recent_visit_at, id) < (${after.recent}::timestamptz, ${after.id}::uuid)` : sql``}
    order by recent_visit_at desc, id desc limit ${maxRowsRead}`.execute(db);
  const matching: WorklistRow[] = [];
  for (const [place, row] of rows.entries()) {
    if (matching.length > deviceRules.maxWorklistSize) break;
    // Spelling two thousand names takes longer than other requests should wait.
    if (place % yieldEvery === yieldEvery - 1) await turn();
    if (name === undefined || matchesName(toDicomName(row.name), name)) matching.push(row);
  }
  const page = matching.slice(0, deviceRules.maxWorklistSize);
  const last = matching.length > page.length ? page.at(-1) : rows.length === maxRowsRead ? rows.at(-1) : undefined;
  return { rows: page, next: last ? `${last.recent}/${last.id}` : null };
}

function readCursor(cursor: string): { recent: string; id: string } {
  const [recent, id = ""] = cursor.split("/");
  return timestampInput.safeParse(recent).success && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    ? { recent: recent!, id }
    : refuse("badInput", { cursor: "cursorUnknown" });
}
