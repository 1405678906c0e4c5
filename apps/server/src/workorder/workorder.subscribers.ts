import { sql } from "kysely";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import type { EventData } from "../platform/events/events.ts";
import type { clinicsMerged, clinicsSeparated } from "../clinic/clinic.events.ts";
import type { Row } from "../tables/row.ts";

/** Subscriber: work orders of a record that was merged into another belong to that one. */
export async function moveWorkordersToClinic(
  db: Db,
  { from, to, institution }: EventData<typeof clinicsMerged>,
): Promise<void> {
  await bypassTenantScope(db, async () => {
    const { rows } = await sql<Row<"work_order", "id">>`select id from work_order where clinic_id = ${from}`.execute(
      db,
    );
    await sql`update work_order set to_clinic_id = ${to} where to_clinic_id = ${from}`.execute(db);
    await reassignOrders(
      db,
      rows.map(({ id }) => id),
      { clinic: to, institution },
    );
  });
  await notifyClients(db, { institutions: [institution], service: true }, "workorder", to);
}

/** Subscriber: work orders return to the clinic from which they came. */
export async function returnWorkordersToClinic(
  db: Db,
  { to, institution, workorders, destinations }: EventData<typeof clinicsSeparated>,
): Promise<void> {
  await bypassTenantScope(db, async () => {
    await sql`update work_order set to_clinic_id = ${to} where id = any(${destinations}::uuid[])`.execute(db);
    await reassignOrders(db, workorders, { clinic: to, institution: null });
  });
  await notifyClients(db, { institutions: [institution], service: true }, "workorder", to);
}

/** Gives the orders, their log and their files to an institution; without one, only the service sees them. */
async function reassignOrders(
  db: Db,
  orders: readonly string[],
  to: { clinic: string; institution: string | null },
): Promise<void> {
  for (const table of ["work_order_event", "work_order_file"])
    await sql`update ${sql.table(table)} set institution_id = ${to.institution} where work_order_id = any(${orders}::uuid[])`.execute(
      db,
    );
  await sql`update work_order set clinic_id = ${to.clinic}, institution_id = ${to.institution}, version = version + 1
    where id = any(${orders}::uuid[])`.execute(db);
}
