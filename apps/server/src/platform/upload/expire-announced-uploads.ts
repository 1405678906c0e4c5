import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { Row } from "../../tables/row.ts";
import type { UploadParts } from "./upload-parts.ts";

/**
 * Tables whose rows wait for bytes that are uploaded in parts (`resumable-put-routes.ts`): they have no checksum until all bytes
 * have arrived.
 */
const pendingTables = ["work_order_file", "feedback_file", "device_consent", "package_arrival"] as const;

export const pendingUploadRules = { keptHours: 24 } as const;

/** Returns the ids of uploads whose parts may still arrive: the sweeper spares them, however long the pause. */
export async function pendingUploadIds(database: Database): Promise<string[]> {
  const each = pendingTables.map((table) => sql`select id from ${sql.table(table)} where sha256 is null`);
  // A transfer from another instance is given up by its own feature module.
  const { rows } = await database.asSystem((db) =>
    sql<Row<"upload", "id">>`${sql.join(each, sql` union all `)}
      union all select id from arrival where state = 'sending'`.execute(db),
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes announced uploads of which nothing has arrived for a day, together with their bytes. Returns their number.
 */
export async function deleteExpiredUploads(database: Database, parts: UploadParts, now: Date): Promise<number> {
  const before = now.getTime() - pendingUploadRules.keptHours * 3_600_000;
  const recent = (await parts.list()).filter(({ touchedAt }) => touchedAt > before).map(({ id }) => id);
  let deleted = 0;
  for (const table of pendingTables) {
    const { rows } = await database.asSystem((db) =>
      sql<Row<"upload", "id">>`delete from ${sql.table(table)} where sha256 is null
        and created_at <= ${new Date(before).toISOString()} and id <> all(${recent}::uuid[]) returning id`.execute(db),
    );
    for (const { id } of rows) await parts.remove(id);
    deleted += rows.length;
  }
  return deleted;
}
