import pg from "pg";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { newId, newSecret } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { createClinic, createInstitution } from "./clinic.ts";
import type { Institution } from "./clinic.ts";

/** A clinic and its lab; all orders go from the one to the other. A manager of each is signed in. */
export interface OrderDataset {
  orders: number;
  clinic: Institution;
  lab: Institution;
}

const batch = 50_000;

/** A history of years: the newest thousand and two in a hundred are open, the rest have ended. */
export async function createOrderDataset(connection: pg.PoolConfig, orders: number): Promise<OrderDataset> {
  const clinic = await createClinic(connection, Math.max(100, Math.round(orders / 10)));
  const lab = { iid: newId(), uid: newId(), token: newSecret() };
  const database = openDatabase(connection, 1);
  await database.asSystem((db) => createInstitution(db, lab, { type: "lab", name: "云杉义齿", manager: "周宁" }));
  await database.close();
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await insertOrders(client, clinic, lab.iid, orders);
  } finally {
    await client.end();
  }
  return { orders, clinic, lab };
}

/** Inserts the orders of a clinic to a laboratory. */
export async function insertOrders(client: pg.Client, clinic: Institution, lab: string, orders: number): Promise<void> {
  // The indexes are created afterwards: maintained row by row, a million rows take an hour.
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    "select indexname, indexdef from pg_indexes where tablename in ('orders', 'order_entry') and indexdef not like '%UNIQUE%'",
  );
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
  await client.query("set role arcada_system");
  await client.query("create temp table bench_patient (place int primary key, id uuid, name text, number text)");
  await client.query(
    "insert into bench_patient select row_number() over (order by id) - 1, id, name, number from patient where institution_id = $1",
    [clinic.iid],
  );
  await client.query("analyze bench_patient");
  for (let from = 0; from < orders; from += batch)
    await client.query(insertOrdersSql, [
      clinic.iid,
      clinic.uid,
      lab,
      from + 1,
      Math.min(orders, from + batch),
      orders,
    ]);
  // Without statistics the planner assumes small tables and scans one for each row of the other.
  await client.query("reset role");
  await client.query("analyze orders, order_entry, patient");
  await client.query("set role arcada_system");
  await client.query(indexNamesSql, [lab]);
  await client.query("reset role");
  for (const { indexdef } of indexes) await client.query(indexdef);
  await client.query("vacuum analyze orders, order_entry, order_tally, patient");
}

const insertOrdersSql = `
  with each as (
    select n, now() - ($6::int - n) * interval '3 minutes' as made, n > $6::int - 1000 or n % 50 = 0 as open, p.id as patient_id, p.name, p.number
    from generate_series($4::int, $5::int) n
    join bench_patient p on p.place = (n * 7919::bigint) % (select count(*) from bench_patient)
  ), placed as (
    select *, case when open then (array['pending', 'awaiting_scheme', 'awaiting_design', 'awaiting_dispatch', 'awaiting_receipt'])[1 + n / 50 % 5]
      else (array['completed', 'completed', 'completed', 'completed', 'completed', 'cancelled', 'refused'])[1 + n % 7] end as state
    from each
  )
  insert into orders (institution_id, id, number, receiver_id, creator_id, state, turn, turn_after, step, case_type, rx, patient_id,
    patient_name, patient_number, due_date, created_at, updated_at, handed_over_at)
  select $1, gen_random_uuid(), to_char(made, 'YYMMDD') || '-' || nextval('order_number'), $3, $2, state,
    case when not open then 'nobody' when n % 2 = 0 then 'receiver' else 'sender' end, 'nobody', 'preparing',
    (array['restoration', 'restoration', 'implant', 'orthodontics'])[1 + n % 4],
    '{"items": [{"teeth": [11], "kind": "crown", "material": "zirconia", "shade": "A2", "pontics": [], "remark": null}],
      "workKinds": ["design", "machining"], "jaws": [], "implantSystem": null, "fixType": null, "instructions": null,
      "schemeRequired": false, "maskName": false, "noDigitalFiles": true, "studies": []}',
    patient_id, name, number, (made + interval '7 days')::date, made, made + (n % 5000) * interval '1 minute', made
  from placed order by n`;

// The names that a lab may know are put into words by the product itself: here they are the patient's own.
const indexNamesSql = `
  update order_entry e set worded = true, sort_name = p.sort_name, haystack = e.haystack || E'\\n' || p.haystack, grams = e.grams || p.grams
  from orders o join patient p on p.institution_id = o.institution_id and p.id = o.patient_id
  where e.institution_id = $1 and not e.worded and o.institution_id = e.owner_id and o.id = e.order_id`;
