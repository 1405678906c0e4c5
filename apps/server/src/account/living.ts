import { sql } from "kysely";
import type { Database } from "../kernel/db.ts";

/** Whether who holds session `s` still has the place in which it works. */
export const stillMember = sql<boolean>`(s.authority_id = 0 or exists (select from membership m where m.user_id = s.user_id
  and m.state = 'normal' and m.authority_id = s.authority_id and m.institution_id is not distinct from s.institution_id))`;

/**
 * Which of these sessions go on, by whatever token, where they were: one question for all streams and files of a process.
 * A switch to another organisation leaves them behind.
 */
export const livingHolders =
  (database: Database) =>
  (sessions: string[]): Promise<Set<string>> =>
    database.asSystem(async (db) => {
      const found = await sql<{ id: string }>`select held.id from session held join session s on s.chain = held.chain
          and s.institution_id is not distinct from held.institution_id join users u on u.id = s.user_id
        where held.id = any(${sessions}::uuid[]) and s.ended_at is null and s.rotated_at is null and s.expires_at >= now()
          and u.suspended_at is null and ${stillMember}`.execute(db);
      return new Set(found.rows.map(({ id }) => id));
    });
