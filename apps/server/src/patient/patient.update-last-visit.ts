import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { EventData } from "../platform/events/events.ts";
import type { visitsChanged } from "../visit/visit.events.ts";

/** Subscriber: the last visit is the latest recorded visit, or the day of the last images. */
export async function updateVisitDates(db: Db, domainEvent: EventData<typeof visitsChanged>): Promise<void> {
  const { institution, patientId } = domainEvent;
  await sql`update patient p set recent_visit_at = greatest(p.created_at, here.last), last_visit_at = here.last
    from (select greatest(
      (select max(v.at) from visit v where v.institution_id = ${institution} and v.patient_id = ${patientId} and v.deleted_at is null),
      (select max(s.created_at) from study s where s.institution_id = ${institution} and s.patient_id = ${patientId} and s.deleted_at is null)
    ) as last) here
    where p.institution_id = ${institution} and p.id = ${patientId}`.execute(db);
}
