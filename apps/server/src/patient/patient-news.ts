import { sql } from "kysely";
import { patientRules } from "@arcada/contract/patient/patient.calls";
import type { Output } from "@arcada/contract/kernel/call";
import type { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Database } from "../platform/database/database.ts";
import type { MemberContext } from "../platform/http/request-context.ts";

type News = Output<typeof patientCalls.news>["list"][number];

/** Notes that a person opened a patient. A program that reads with a key is not a person. */
export async function recordReading({ db, principal, now }: MemberContext, patientId: string): Promise<void> {
  if (principal.kind === "key" || principal.kind === "device" || principal.kind === "app") return;
  const at = now.toISOString();
  const own = { institution_id: principal.iid, user_id: principal.uid };
  await db
    .insertInto("patient_reading")
    .values({ ...own, patient_id: patientId, at })
    .onConflict((conflict) => conflict.columns(["institution_id", "patient_id", "user_id"]).doUpdateSet({ at }))
    .execute();
}

/** Repeated task: forgets old readings, also those of people who do not come back. */
export const deleteOldReadings = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    await sql`delete from patient_reading where at < now() - make_interval(days => ${patientRules.newsDays})`.execute(
      db,
    );
  });

/** So many patients that a person opened last are searched for news. */
const maxSearched = 300;

/** Returns what arrived for the patients of a person since they opened them, those opened last first. */
export async function listPatientNews({ db, principal: { iid, uid } }: MemberContext): Promise<News[]> {
  const read = await db
    .selectFrom("patient_reading as r")
    .innerJoin("patient as p", (join) =>
      join.onRef("p.institution_id", "=", "r.institution_id").onRef("p.id", "=", "r.patient_id"),
    )
    .select(["p.id", "p.name", "p.number", "r.at as since"])
    .select([newStudies(iid, uid).as("images"), newDesigns(iid).as("designs"), newMessages(iid).as("messages")])
    .where("r.institution_id", "=", iid)
    .where("r.user_id", "=", uid)
    .where("p.deleted_at", "is", null)
    .orderBy("r.at", "desc")
    .limit(maxSearched)
    .execute();
  return read.filter(({ images, designs, messages }) => images + designs + messages > 0).slice(0, patientRules.maxNews);
}

const newStudies = (iid: string, uid: string) => sql<number>`(select count(*)::int from study
  where institution_id = ${iid} and patient_id = p.id and created_at > r.at and deleted_at is null
    and created_by is distinct from ${uid})`;
const newDesigns = (iid: string) => sql<number>`(select count(*)::int from orders
  where institution_id = ${iid} and patient_id = p.id and submitted_at > r.at
    and state = 'awaiting_design' and step = 'submitted')`;
const newMessages = (iid: string) => sql<number>`(select count(*)::int from orders o
  join order_message m on m.institution_id = o.institution_id and m.order_id = o.id
  where o.institution_id = ${iid} and o.patient_id = p.id and m.side = 'receiver' and m.at > r.at)`;
