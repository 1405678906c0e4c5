import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { Database } from "../platform/database/database.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { recallAppointments } from "./appointment.ts";
import { registerWorkorderImages } from "./workorder.files.ts";
import { performTransition } from "./apply-workorder-step.ts";
import { findOrder } from "./workorder.store.ts";
import { closingTime, dayMs } from "./workorder.allowed-steps.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";

const closeQueue = defineQueue("workorder.close");
const recallQueue = defineQueue("workorder.recall");

export async function registerWorkorderJobs(jobs: Jobs, database: Database): Promise<void> {
  await registerWorkorderImages(jobs, database);
  await jobs.work(closeQueue, () => closeFinished(database));
  await jobs.schedule(closeQueue, "*/10 * * * *");
  await jobs.work(recallQueue, () => recallAppointments(database));
  await jobs.schedule(recallQueue, "*/10 * * * *");
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
