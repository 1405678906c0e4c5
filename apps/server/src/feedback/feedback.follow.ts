import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { DomainEvent } from "../platform/events/events.ts";

/** Keeps the clinic of feedback correct after two records of one clinic were merged, or separated again. */
export async function followJoined(db: Db, happening: DomainEvent): Promise<void> {
  if (happening.name === "clinicsJoined")
    await sql`update software_feedback set clinic_id = ${happening.to} where clinic_id = ${happening.from}`.execute(db);
  if (happening.name === "clinicsParted")
    await sql`update software_feedback set clinic_id = ${happening.to} where id = any(${happening.feedback}::uuid[])`.execute(
      db,
    );
}
