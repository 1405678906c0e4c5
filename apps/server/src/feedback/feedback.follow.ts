import type { Db } from "../kernel/db.ts";
import type { Happening } from "../kernel/events.ts";

/** Of two records of one clinic one is left: feedback that was written there names it. */
export async function followJoined(db: Db, happening: Happening): Promise<void> {
  if (happening.name !== "clinicsJoined") return;
  await db
    .updateTable("software_feedback")
    .set({ clinic_id: happening.to })
    .where("clinic_id", "=", happening.from)
    .execute();
}
