import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { moment } from "@arcada/contract/kernel/fields";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { dayBegins, wallAt } from "../domain/institution-time-zone.ts";
import { fitsName, dicomName, searchedFor } from "./worklist.ts";
import type { WorkRow } from "./worklist.ts";

export interface WorkQuery {
  /** Days of the zone; null: at any time. */
  from: string | null;
  to: string | null;
  zone: string;
  name?: string | undefined;
  number?: string | undefined;
  cursor?: string | undefined;
}

/** Records read for one page: for a common family name, more are examined than are returned. */
const readMost = 2000;
const turnEvery = 50;

/** Returns patients who were created, inspected or seen in these days, the most recent first. */
export async function workPage(
  db: Db,
  iid: string,
  query: WorkQuery,
): Promise<{ rows: WorkRow[]; next: string | null }> {
  const { from, to, zone, name, number } = query;
  const within = from !== null && to !== null;
  const begin = dayBegins(zone, from ?? "");
  const end = dayBegins(zone, to ?? "", 1);
  const when = within
    ? sql`(recent_visit_at >= ${begin} and recent_visit_at < ${end} or created_at >= ${begin} and created_at < ${end}
        or inspected_at >= ${from}::date and inspected_at < ${to}::date + 1)`
    : sql`true`;
  const scheduled = within
    ? sql`to_char(case when inspected_at >= ${from}::date and inspected_at < ${to}::date + 1 then inspected_at
        when recent_visit_at >= ${begin} and recent_visit_at < ${end} then ${wallAt(zone, sql`recent_visit_at`)}
        else ${wallAt(zone, sql`created_at`)} end, 'YYYYMMDDHH24MISS')`
    : sql`null::text`;
  const word = name === undefined ? "" : searchedFor(name);
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const { rows } =
    await sql<WorkRow>`select id, number, entry_number, name, sex, birth_date, ${scheduled} as scheduled, recent_visit_at as recent
    from patient where institution_id = ${iid} and deleted_at is null and ${when}
      ${word === "" ? sql`` : sql`and haystack like ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`}
      ${number === undefined || number === "" ? sql`` : sql`and (number = ${number} or entry_number = ${number})`}
      ${after ? sql`and (recent_visit_at, id) < (${after.recent}::timestamptz, ${after.id}::uuid)` : sql``}
    order by recent_visit_at desc, id desc limit ${readMost}`.execute(db);
  const fitting: WorkRow[] = [];
  for (const [place, row] of rows.entries()) {
    if (fitting.length > deviceRules.worklistMost) break;
    // Spelling two thousand names takes longer than other requests should wait.
    if (place % turnEvery === turnEvery - 1) await turn();
    if (name === undefined || fitsName(dicomName(row.name), name)) fitting.push(row);
  }
  const page = fitting.slice(0, deviceRules.worklistMost);
  const last = fitting.length > page.length ? page.at(-1) : rows.length === readMost ? rows.at(-1) : undefined;
  return { rows: page, next: last ? `${last.recent}/${last.id}` : null };
}

function readCursor(cursor: string): { recent: string; id: string } {
  const [recent, id = ""] = cursor.split("/");
  return moment.safeParse(recent).success && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    ? { recent: recent!, id }
    : refuse("badInput", { cursor: "cursorUnknown" });
}
