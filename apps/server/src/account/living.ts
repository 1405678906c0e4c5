import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Database } from "../kernel/db.ts";

/** Whether who holds session `s` still has the place in which it works. */
export const stillMember = sql<boolean>`(s.authority_id = 0 or exists (select from membership m where m.user_id = s.user_id
  and m.state = 'normal' and m.authority_id = s.authority_id and m.institution_id is not distinct from s.institution_id))`;

/** Which of these sessions may go on: one question for all the streams of a process. */
export const livingSessions =
  (database: Database) =>
  (sessions: string[]): Promise<Set<string>> =>
    database.asSystem(async (db) => {
      const found = await sql<{ id: string }>`select s.id from session s join users u on u.id = s.user_id
        where s.id = any(${sessions}::uuid[]) and s.ended_at is null and s.expires_at >= now() and u.suspended_at is null
          and (s.rotated_at is null or s.rotated_at >= now() - make_interval(secs => ${accountRules.rotationGrace}))
          and ${stillMember}`.execute(db);
      return new Set(found.rows.map(({ id }) => id));
    });
