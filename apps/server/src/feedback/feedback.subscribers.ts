import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { DomainEvent } from "../platform/events/events.ts";

/** Keeps the clinic of feedback correct after two records of one clinic were merged, or separated again. */
export async function moveFeedbackToClinic(db: Db, domainEvent: DomainEvent): Promise<void> {
  if (domainEvent.name === "clinicsJoined")
    await sql`update software_feedback set clinic_id = ${domainEvent.to} where clinic_id = ${domainEvent.from}`.execute(
      db,
    );
  if (domainEvent.name === "clinicsParted")
    await sql`update software_feedback set clinic_id = ${domainEvent.to} where id = any(${domainEvent.feedback}::uuid[])`.execute(
      db,
    );
}
