import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";

/** Makes a user the first manager of an institution that was just created; there is nobody yet who could invite them. */
export const insertFirstManager = (db: Db, institution: string, manager: string, authorityId: number) =>
  db
    .insertInto("membership")
    .values({
      id: newId(),
      institution_id: institution,
      user_id: manager,
      authority_id: authorityId,
      state: "normal",
    })
    .execute();
