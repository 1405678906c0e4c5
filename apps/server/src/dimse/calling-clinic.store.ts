import { sql } from "kysely";
import type { Database } from "../platform/database/database.ts";
import type { Column } from "../tables/row.ts";

/**
 * Returns the clinic for which an application sends, and its founder, under whose name files without a human sender are
 * recorded.
 */
export const findCallingClinic = (database: Database, iid: string): Promise<{ iid: string; uid: string } | undefined> =>
  database.asSystem(async (db) => {
    const { rows } = await sql<{
      iid: Column<"institution", "id">;
      uid: Column<"institution", "created_by">;
    }>`select id as iid, created_by as uid from institution
      where id = ${iid} and type = 'clinic'`.execute(db);
    return rows[0];
  });
