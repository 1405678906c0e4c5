import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { retentionRules, retentionYears } from "@arcada/contract/patient/retention-years";

/** The years for which the institution of a row of `patient p` keeps records after the last visit. */
export const retentionYearsOf: RawBuilder<number> = sql<number>`(select coalesce(i.retention_years, case i.country
    ${sql.join(
      Object.entries(retentionYears).map(([country, years]) => sql`when ${sql.lit(country)} then ${sql.lit(years)}`),
      sql` `,
    )} else ${sql.lit(retentionRules.others)} end) from institution i where i.id = p.institution_id)`;

/** True if there is a medical record at all: a patient who was only registered is not retained. */
const hasRecord = sql<boolean>`(exists (select from study s where s.institution_id = p.institution_id and s.patient_id = p.id)
  or exists (select from visit v where v.institution_id = p.institution_id and v.patient_id = p.id)
  or exists (select from tooth_chart c where c.institution_id = p.institution_id and c.patient_id = p.id)
  or exists (select from report r where r.institution_id = p.institution_id and r.patient_id = p.id))`;

/** True if a row of `patient p` must still be retained. */
export const isRetained: RawBuilder<boolean> = sql<boolean>`(p.recent_visit_at + make_interval(years => ${retentionYearsOf}) > now()
  and ${hasRecord})`;
