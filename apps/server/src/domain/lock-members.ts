import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";

/** Serializes changes to the members of an institution: otherwise two managers could each leave as the last but one. */
export const lockInstitutionMembers = (db: Db, iid: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`members ${iid}`}, 0))`.execute(db);
