import type { Db } from "../../platform/database/database.ts";
import { refuseAndKeep } from "../../platform/http/refuse.ts";
import { findResetDate } from "../account.store.ts";
import type { ContactTarget } from "../account.store.ts";

/** Refuses a contact that was bound too recently to reset the password; see `findResetDate`. */
export async function requireMatureContact(db: Db, target: ContactTarget): Promise<void> {
  const when = await findResetDate(db, target);
  if (when) refuseAndKeep("contactYoung", { when });
}
