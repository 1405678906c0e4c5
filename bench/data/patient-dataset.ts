import pg from "pg";
import { formatPatientNumber } from "../../apps/server/src/patient/patient-column-mapping.ts";
import { searchColumns } from "../../apps/server/src/platform/text/search-terms.ts";
import { createClinic, patientName } from "./clinic.ts";
import type { Clinic } from "./clinic.ts";

const [names, batch] = [20_000, 50_000];

/** A clinic of years with this many patients: one in ten has images, one in thirty a CBCT, one in twenty a report. */
export async function createPatientDataset(connection: pg.PoolConfig, patients: number): Promise<Clinic> {
  const clinic = await createClinic(connection, 0);
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await insertNames(client);
    // The indexes are created afterwards: maintained row by row, a million rows take an hour.
    const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
      "select indexname, indexdef from pg_indexes where tablename = 'patient' and indexdef not like '%UNIQUE%'",
    );
    for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
    await client.query("set role arcada_system");
    for (let from = 0; from < patients; from += batch)
      await client.query(insertPatientsSql, [
        clinic.iid,
        clinic.uid,
        from + 1,
        Math.min(patients, from + batch),
        patients,
      ]);
    await client.query("update patient_counter set last = $2, living = $2 where institution_id = $1", [
      clinic.iid,
      patients,
    ]);
    for (const statement of [insertStudiesSql, insertReportsSql])
      await client.query(statement, [clinic.iid, clinic.uid]);
    await client.query("reset role");
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query("vacuum analyze patient, study, report");
  } finally {
    await client.end();
  }
  return clinic;
}

/** Names with what the product finds them by; numbers and telephones are added to each patient by SQL. */
async function insertNames(client: pg.Client): Promise<void> {
  await client.query(
    "create temp table bench_name (place int primary key, name text, sort_name text, haystack text, grams text[])",
  );
  const rows = Array.from({ length: names }, (_, place) => {
    const name = patientName(place);
    return { place, name, ...searchColumns({ name, numbers: [] }) };
  });
  await client.query("grant select on bench_name to arcada_system");
  await client.query(
    "insert into bench_name select * from jsonb_to_recordset($1) as r (place int, name text, sort_name text, haystack text, grams text[])",
    [JSON.stringify(rows)],
  );
  await client.query("analyze bench_name");
}

const numberLength = formatPatientNumber(1).length - 1;
const insertPatientsSql = `
  insert into patient (institution_id, id, number, name, sex, birth_date, phone, created_by, created_at, recent_visit_at, last_visit_at, haystack, grams, sort_name)
  select $1, gen_random_uuid(), 'P' || digits, name, case when mix % 2000 = 0 then 'other' when mix % 2 = 0 then 'male' else 'female' end,
    date '1940-01-01' + (mix % 30000)::int, phone, $2, now() - ($5::int - n) * interval '4 minutes',
    visited, visited, haystack || E'\\np' || digits || E'\\n' || phone || E'\\n' || digits,
    grams || array['p', 'p0', '1', '13', '0', '00', left(n::text, 1), left(n::text, 2)], sort_name
  from (
    select n, now() - ((n * 104729::bigint) % $5::int) * interval '4 minutes' as visited, abs(hashint4(n)::bigint) as mix, lpad(n::text, ${numberLength}, '0') as digits, (13000000000 + (n * 7919::bigint) % 1000000000)::text as phone,
      b.name, b.sort_name, b.haystack, b.grams
    from generate_series($3::int, $4::int) n join bench_name b on b.place = abs(hashint4(n + 1)::bigint) % ${names}
  ) each order by n`;

const insertStudiesSql = `
  insert into study (institution_id, id, patient_id, kind, kind_certain, state, count, bytes, created_by)
  select $1, gen_random_uuid(), id, case when mix % 30 = 0 then 'ct' else 'panorama' end, true, 'ready', 1, 1, $2
  from (select id, abs(hashint4(substr(number, 2)::int + 2)::bigint) as mix from patient where institution_id = $1) p where mix % 10 = 0`;

const insertReportsSql = `
  insert into report (institution_id, id, patient_id, number, source, state, form, basis, created_by, saved_by)
  select $1, gen_random_uuid(), id, 'R' || number, 'manual', 'draft', '{}', '{}', $2, $2
  from (select id, number, abs(hashint4(substr(number, 2)::int + 3)::bigint) as mix from patient where institution_id = $1) p where mix % 20 = 0`;
