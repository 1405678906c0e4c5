import { sql } from "kysely";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Column, Row } from "../../tables/row.ts";

/**
 * Finds a member whom programs of this institution may sign in: one who allowed it and has no other membership, neither
 * elsewhere nor in the platform's service, since a session opens everything that its user has. The member is named by
 * user id or email address.
 */
export const findLaunchableMember = (db: Db, iid: string | null, user: string): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const { rows } = await sql<Row<"users", "id">>`select u.id from users u
      join membership m on m.user_id = u.id and m.state = 'normal' and m.institution_id = ${iid}
      where (u.id::text = ${user} or exists (select from contact c where c.user_id = u.id and c.kind = 'email'
          and c.value = ${user.trim().toLowerCase()}))
        and m.launch_allowed_at is not null and u.suspended_at is null
        and not exists (select from membership other where other.user_id = u.id and other.state = 'normal'
          and other.id <> m.id)`.execute(db);
    return rows[0]?.id;
  });

const isValidLaunchKey = sql`revoked_at is null and (expires_at is null or expires_at > now()) and 'launch' = any(scopes)`;
export const findKeyInstitution = async (db: Db, id: string): Promise<string | null> =>
  (
    await bypassTenantScope(db, () =>
      sql<{
        iid: Column<"api_key", "institution_id">;
      }>`select institution_id as iid from api_key where id = ${id} and ${isValidLaunchKey}`.execute(db),
    )
  ).rows[0]?.iid ?? null;
export const isKeyValid = async (db: Db, id: string): Promise<boolean> => (await findKeyInstitution(db, id)) !== null;
