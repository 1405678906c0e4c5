import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Database } from "../kernel/db.ts";

/** Whether who holds session `s` still has the place in which it works. */
export const stillMember = sql<boolean>`(s.authority_id = 0 or exists (select from membership m where m.user_id = s.user_id
  and m.state = 'normal' and m.authority_id = s.authority_id and m.institution_id is not distinct from s.institution_id))`;

/** Whether session `s` is locked: by its owner, or because nobody has touched it for longer than it may be left alone. */
export const isLocked = sql<boolean>`(s.locked_at is not null or coalesce(
  s.seen_at + make_interval(secs => s.idle_seconds + ${accountRules.idleGrace}::int) < now(), false))`;

/**
 * Which of these sessions go on, by whatever token, where they were: one question for all streams and files of a process.
 * A switch to another organisation leaves them behind, and a locked session keeps them waiting.
 */
export const livingHolders =
  (database: Database) =>
  (sessions: string[]): Promise<Set<string>> =>
    database.asSystem(async (db) => {
      const found = await sql<{ id: string }>`select held.id from session held join session s on s.chain = held.chain
          and s.institution_id is not distinct from held.institution_id join users u on u.id = s.user_id
        where held.id = any(${sessions}::uuid[]) and s.ended_at is null and s.rotated_at is null and s.expires_at >= now()
          and u.suspended_at is null and not ${isLocked} and ${stillMember}`.execute(db);
      return new Set(found.rows.map(({ id }) => id));
    });
