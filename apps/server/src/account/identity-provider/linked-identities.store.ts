import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

export const readIdentities = (db: Db, uid: string) =>
  db.selectFrom("identity").selectAll().where("user_id", "=", uid).orderBy("linked_at").execute();
export async function deleteIdentity(db: Db, uid: string, issuer: string, subject: string): Promise<boolean> {
  const gone = await sql`delete from identity
    where user_id = ${uid} and issuer = ${issuer} and subject = ${subject}`.execute(db);
  return gone.numAffectedRows === 1n;
}
