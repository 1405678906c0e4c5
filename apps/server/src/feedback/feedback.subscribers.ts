import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { EventData } from "../platform/events/events.ts";
import type { clinicsMerged, clinicsSeparated } from "../clinic/clinic.events.ts";

/** Subscriber: feedback of a record that was merged into another belongs to that one. */
export async function moveFeedbackToClinic(db: Db, { from, to }: EventData<typeof clinicsMerged>): Promise<void> {
  await sql`update software_feedback set clinic_id = ${to} where clinic_id = ${from}`.execute(db);
}

/** Subscriber: feedback returns to the clinic from which it came. */
export async function returnFeedbackToClinic(
  db: Db,
  { to, feedback }: EventData<typeof clinicsSeparated>,
): Promise<void> {
  await sql`update software_feedback set clinic_id = ${to} where id = any(${feedback}::uuid[])`.execute(db);
}
