import { sql } from "kysely";
import type { ClinicMap } from "@arcada/contract/clinic/service-figures.calls";
import type { Language } from "@arcada/contract/kernel/languages";
import type { Db } from "../platform/database/database.ts";
import { isOpenWork } from "./clinic.store.ts";
import { toPlace } from "./clinic.view.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

interface CountedPlace {
  country: string;
  province: string | null;
  city: string | null;
  devices: number;
  open_work: number;
  oldest: string | null;
}

/** Returns clinics that have coordinates one by one, the others by province and city. */
export async function loadClinicMap(db: Db, language: Language): Promise<ClinicMap> {
  const { rows } = await sql<
    CountedPlace & { id: string; name: string; longitude: number; latitude: number }
  >`select c.id, c.name, c.country, c.province, c.city, c.longitude, c.latitude, ${countColumns}
    from ${countedClinics} where c.longitude is not null order by open_work desc, oldest, c.id`.execute(db);
  const elsewhere = await sql<CountedPlace & { clinics: number }>`select c.country, c.province, c.city,
      count(*)::int as clinics, sum(devices)::int as devices, sum(open_work)::int as open_work, min(oldest) as oldest
    from (select c.*, ${countColumns} from ${countedClinics} where c.longitude is null) c
    group by 1, 2, 3 order by open_work desc, clinics desc, 1, 2, 3`.execute(db);
  return {
    clinics: rows.map(({ id, name, longitude, latitude, ...row }) => ({
      id,
      name,
      longitude,
      latitude,
      ...toCounts(row, language),
    })),
    elsewhere: elsewhere.rows.map((row) => ({ clinics: row.clinics, ...toCounts(row, language) })),
  };
}

const countColumns = sql`coalesce(d.count, 0)::int as devices, coalesce(w.count, 0)::int as open_work, w.oldest`;
const countedClinics = sql`clinic c
  left join (select clinic_id, count(*) from device group by 1) d on d.clinic_id = c.id
  left join (select w.clinic_id, count(*), min(w.created_at) as oldest from work_order w where ${isOpenWork} group by 1) w
    on w.clinic_id = c.id`;

const toCounts = (row: CountedPlace, language: Language) => ({
  ...toPlace(row, language),
  ...pickColumns(row, "devices", "open_work", "oldest"),
});
