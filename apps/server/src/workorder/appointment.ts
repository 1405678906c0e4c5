import { addDays, localDayIn, localTimeIn } from "@arcada/contract/kernel/time-zone";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { notifyClients, publish } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import { mayPlan } from "./workorder.allowed-steps.ts";
import { appointmentApproaching, appointmentChanged } from "./workorder.events.ts";
import type { Appointment } from "./workorder.events.ts";
import { findClinicZone, findOrder, updateOrder } from "./workorder.store.ts";
import type { WorkOrderRow } from "./workorder.store.ts";
import { toOrderReader } from "./workorder.view.ts";
import type { OrderContext } from "./workorder.view.ts";

interface Plan {
  id: string;
  version: number;
  plannedAt: string | null;
}

/** Plans, moves or cancels the appointment of a work order, and tells those who have to know. */
export async function planAppointment({ db, principal, now }: OrderContext, plan: Plan): Promise<void> {
  const row = (await findOrder(db, toOrderReader(principal), plan.id, "held")) ?? refuse("notFound");
  if (row.version !== plan.version) refuse("workorderChanged");
  if (!mayPlan(row, principal)) refuse("workorderActionNotAllowed");
  const [before, at] = [toSecond(row.planned_at), toSecond(plan.plannedAt)];
  if (at === before) return;
  const appointment = await describeAppointment(db, row, (at ?? before)!);
  // A reader who learns of an appointment on the day before it needs no second notice on that day.
  const isKnown = at !== null && isToRecall(appointment.zone, at, now);
  const change = { planned_at: at, plan_changes: row.plan_changes + 1, ...(isKnown && { recalled_at: at }) };
  if (!(await updateOrder(db, row, change))) refuse("workorderChanged");
  await publish(db, appointmentChanged, {
    ...appointment,
    change: at === null ? "cancelled" : before === null ? "planned" : "moved",
    by: principal.uid,
  });
  await notifyClients(db, { institutions: [row.institution_id], service: true }, "workorder", row.id);
}

/** The column keeps whole seconds. */
const toSecond = (instant: string | null): string | null =>
  instant && new Date(Math.round(Date.parse(instant) / 1000) * 1000).toISOString();

/** The place is where the device is; where it moves to is part of the work order. */
async function describeAppointment(db: Db, row: WorkOrderRow, at: string): Promise<Appointment> {
  const zone = await findClinicZone(db, row.clinic_id);
  const clinic = await bypassTenantScope(db, () =>
    db.selectFrom("clinic").select(["name", "address"]).where("id", "=", row.clinic_id).executeTakeFirstOrThrow(),
  );
  return {
    workorderId: row.id,
    number: row.number,
    at,
    zone,
    clinic: clinic.name,
    address: clinic.address || null,
    institution: row.institution_id,
    assignee: row.assignee_id,
  };
}

/** True from the morning of the day before an appointment on, by the clinic's clock, until it begins. */
export function isToRecall(zone: string, at: string, now: Date): boolean {
  const dayBefore = addDays(localDayIn(zone, at), -1);
  const hour = String(workorderRules.reminderHour).padStart(2, "0");
  return localTimeIn(zone, now) >= `${dayBefore}T${hour}:00:00` && now.getTime() < Date.parse(at);
}

const systemReader = { uid: "", iid: null, seesAll: true } as const;
/** No appointment is recalled earlier than this: a day, the hours of that day, and the widest difference of clocks. */
const horizonMs = 3 * 86_400_000;
const pageSize = 500;

/** Recalls the appointments of the next day, each once. Several processes may run it at once; returns their number. */
export async function recallAppointments(database: Database, now = new Date()): Promise<number> {
  let recalled = 0;
  for (let after: { at: string; id: string } | null = null; ;) {
    const page = await database.asSystem((db) => listUpcoming(db, now, after));
    for (const { id } of page) if (await database.asSystem((db) => recall(db, id, now))) recalled++;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return recalled;
    after = { at: last.planned_at!, id: last.id };
  }
}

const listUpcoming = (db: Db, now: Date, after: { at: string; id: string } | null) =>
  db
    .selectFrom("work_order")
    .select(["id", "planned_at"])
    .where("state", "in", ["new", "in_progress"])
    .where("planned_at", ">", now.toISOString())
    .where("planned_at", "<", new Date(now.getTime() + horizonMs).toISOString())
    .where((row) => row("recalled_at", "is distinct from", row.ref("planned_at")))
    .$if(after !== null, (query) =>
      query.where((row) =>
        row.or([
          row("planned_at", ">", after!.at),
          row.and([row("planned_at", "=", after!.at), row("id", ">", after!.id)]),
        ]),
      ),
    )
    .orderBy("planned_at")
    .orderBy("id")
    .limit(pageSize)
    .execute();

async function recall(db: Db, id: string, now: Date): Promise<boolean> {
  const row = await findOrder(db, systemReader, id, "held");
  const at = row?.planned_at;
  if (!row || !at || !["new", "in_progress"].includes(row.state) || row.recalled_at === at) return false;
  const appointment = await describeAppointment(db, row, at);
  if (!isToRecall(appointment.zone, at, now)) return false;
  // The version stays: a reader who has the work order open may still act on it.
  await db.updateTable("work_order").set({ recalled_at: at }).where("id", "=", id).execute();
  await publish(db, appointmentApproaching, appointment);
  return true;
}
