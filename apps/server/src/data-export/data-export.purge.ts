import { sql } from "kysely";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import type { Database } from "../platform/database/database.ts";
import { files, uploadParts } from "../platform/runtime/services.ts";
import { dropExportFiles } from "./export-job.writes.ts";
import type { Column, Row } from "../tables/row.ts";

/** Removes archives and tables after their retention period, and imports that nobody continued. */
export async function purgeExpiredTransfers(database: Database): Promise<number> {
  const expired = await database.asSystem(async (db) => {
    const { rows } = await sql<{
      iid: Column<"taking", "institution_id">;
      sha256: Column<"taking", "sha256">;
    }>`update taking set state = 'expired', sha256 = null from (
        select institution_id, id, sha256 as was from taking where state = 'done' and expires_at < now() for update) old
      where taking.institution_id = old.institution_id and taking.id = old.id
      returning taking.institution_id as iid, old.was as sha256`.execute(db);
    await sql`delete from taking where state in ('expired', 'failed', 'cancelled') and created_at < now() - interval '90 days'`.execute(
      db,
    );
    return rows;
  });
  for (const { iid, sha256 } of expired)
    if (sha256 !== null && !(await isReferenced(database, iid, sha256))) await files().remove("converted", iid, sha256);
  await dropExpiredFiles(database);
  const abandoned = await database.asSystem(async (db) => {
    const { rows } = await sql<
      Row<"arrival", "id" | "sha256">
    >`update arrival set state = 'cancelled', finished_at = now()
      where state in ('sending', 'checked') and created_at < now() - make_interval(days => ${dataExportRules.days}::int)
      returning id, sha256`.execute(db);
    return rows;
  });
  for (const { id, sha256 } of abandoned) {
    await uploadParts().remove(id);
    if (sha256) await files().remove("converted", id, sha256);
  }
  return expired.length + abandoned.length;
}

/** Forgets the files of FHIR exports that have expired or ended otherwise. */
async function dropExpiredFiles(database: Database): Promise<void> {
  await database.asSystem(async (db) => {
    const ended = await db
      .selectFrom("taking as t")
      .select(["t.institution_id as iid", "t.id"])
      .where("t.kind", "=", "fhir")
      .where("t.state", "in", ["expired", "failed", "cancelled"])
      .where((of) =>
        of.exists(
          of
            .selectFrom("taking_file as f")
            .select("f.place")
            .whereRef("f.institution_id", "=", "t.institution_id")
            .whereRef("f.taking_id", "=", "t.id"),
        ),
      )
      .execute();
    for (const { iid, id } of ended) await dropExportFiles(db, iid, id);
  });
}

/** The same table twice has the same content. */
async function isReferenced(database: Database, iid: string, sha256: string): Promise<boolean> {
  const found = await database.asSystem((db) =>
    db
      .selectFrom("taking")
      .select("id")
      .where("institution_id", "=", iid)
      .where("sha256", "=", sha256)
      .where("state", "=", "done")
      .executeTakeFirst(),
  );
  return found !== undefined;
}
