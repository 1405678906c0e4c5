import { sql } from "kysely";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import type { EventData } from "../platform/events/events.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { registerWorkorderImages } from "./workorder.files.ts";
import { performTransition } from "./workorder.transitions.ts";
import { findOrder } from "./workorder.store.ts";
import { closingTime, dayMs } from "./workorder.ts";
import type { clinicsMerged, clinicsSeparated } from "../clinic/clinic.events.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import type { Row } from "../tables/row.ts";

const closeQueue = defineQueue("workorder.close");

export async function registerWorkorderJobs(jobs: Jobs, database: Database): Promise<void> {
  await registerWorkorderImages(jobs, database);
  await jobs.work(closeQueue, () => closeFinished(database));
  await jobs.schedule(closeQueue, "*/10 * * * *");
}

const systemReader = { uid: "", iid: null, seesAll: true } as const;

/** Closes orders that were finished long ago (W11). Several processes may run it at once; returns their number. */
export async function closeFinished(database: Database, now = new Date()): Promise<number> {
  const before = new Date(now.getTime() - workorderRules.closeDays * dayMs);
  const due = await database.asSystem((db) =>
    db
      .selectFrom("work_order")
      .select("id")
      .where("state", "=", "finished")
      .where("finished_at", "<=", before.toISOString())
      .orderBy("finished_at")
      .limit(500)
      .execute(),
  );
  let closed = 0;
  for (const { id } of due)
    await database.asSystem(async (db) => {
      const row = await findOrder(db, systemReader, id, "held");
      if (row?.state !== "finished" || closingTime(row.finished_at!) > now.getTime()) return;
      const change = { closed_at: now.toISOString(), outcome: "done" } as const;
      await performTransition(db, row, { action: "close", by: null, reason: null, change });
      closed++;
    });
  return closed;
}

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
