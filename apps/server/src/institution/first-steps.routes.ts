import { sql } from "kysely";
import { firstStepCalls, firstStepsByType } from "@arcada/contract/institution/first-steps.calls";
import type { Db } from "../platform/database/database.ts";
import { routes } from "../platform/http/serve-calls.ts";

export const firstStepRoutes = routes(firstStepCalls, {
  firstSteps: (_, { db, principal }) => readFirstSteps(db, principal),
  hideFirstSteps: async ({ hidden }, { db, principal }) => {
    await db.updateTable("institution").set({ first_steps_hidden: hidden }).where("id", "=", principal.iid).execute();
    return readFirstSteps(db, principal);
  },
});

/**
 * Reads the steps from the records of the slices that own them, at each call and behind the tenant scope. Nothing of it is
 * stored, so a step that is undone, for instance by removing the only patient, is open again.
 */
async function readFirstSteps(db: Db, { iid, uid }: { iid: string; uid: string }) {
  const {
    type,
    first_steps_hidden: hidden,
    ...done
  } = await db
    .selectFrom("institution as i")
    .select([
      "i.type",
      "i.first_steps_hidden",
      sql<boolean>`exists (select from patient p where p.institution_id = i.id and p.deleted_at is null)`.as("patient"),
      sql<boolean>`exists (select from admission a where a.institution_id = i.id and a.kind = 'invitation')
        or exists (select from membership m where m.institution_id = i.id and m.user_id <> ${uid} and m.state = 'normal')`.as(
        "invite",
      ),
      sql<boolean>`exists (select from relation r where i.id in (r.institution_id, r.target_id))
        or exists (select from relation_invitation v where v.institution_id = i.id)`.as("partner"),
      sql<boolean>`i.address is not null and i.contact_way is not null`.as("contact"),
      sql<boolean>`i.logo_cover is not null or i.logo_inside is not null`.as("logo"),
      sql<boolean>`exists (select from notice_preference n where n.user_id = ${uid} and n.preset is not null)`.as(
        "notices",
      ),
    ])
    .where("i.id", "=", iid)
    .executeTakeFirstOrThrow();
  return { steps: firstStepsByType[type].map((step) => ({ step, done: done[step] })), hidden };
}
