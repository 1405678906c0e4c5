import { sql } from "kysely";
import { localDayIn, addYears } from "@arcada/contract/kernel/time-zone";
import type { Erasure } from "@arcada/contract/patient/patient-timeline-and-erasure.calls";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { Db } from "../../platform/database/database.ts";
import { isRetained, retentionYearsOf } from "../../domain/retention-years.ts";

/**
 * Returns what an erasure would remove and what prevents it; also for a patient in the bin. `hold` locks the patient
 * against changes.
 */
export async function findErasure(
  db: Db,
  { iid, timeZone }: { iid: string; timeZone: string },
  id: string,
  lock: boolean,
): Promise<Erasure | undefined> {
  const { rows } = await sql<Omit<Erasure, "heldUntil">>`select p.number, p.recent_visit_at as "lastVisitAt",
      ${retentionYearsOf} as years, ${isRetained} as "isHeld",
      (select count(*)::int from orders o where o.institution_id = p.institution_id and o.patient_id = p.id
        and o.state <> all(${[...orderLifecycle.terminal]}::text[])) as "openOrders",
      (select count(*)::int from orders o where o.institution_id = p.institution_id and o.patient_id = p.id) as orders,
      exists (select from ingest_job j where j.institution_id = p.institution_id and j.patient_id = p.id
        and j.state in ('waiting', 'running')) or exists (select from study s where s.institution_id = p.institution_id
        and s.patient_id = p.id and s.state = 'converting') as "isBusy",
      (select count(*)::int from study s where s.institution_id = p.institution_id and s.patient_id = p.id) as studies,
      (select count(*)::int from instance f join study s on s.institution_id = f.institution_id and s.id = f.study_id
        where s.institution_id = p.institution_id and s.patient_id = p.id) as files,
      (select count(*)::int from visit v where v.institution_id = p.institution_id and v.patient_id = p.id) as visits
    from patient p where p.institution_id = ${iid} and p.id = ${id} and p.merged_into is null and p.haystack <> ''
    ${lock ? sql`for update of p` : sql``}`.execute(db);
  const row = rows[0];
  return row && { ...row, heldUntil: addYears(localDayIn(timeZone, row.lastVisitAt), row.years) };
}
