import { sql } from "kysely";
import { findRole, roles } from "@arcada/contract/kernel/roles";
import type { Database, Db } from "../../platform/database/database.ts";

interface ListedUser {
  account: string | null;
  name: string;
  state: "active" | "suspended";
  /** Role names with the number of the organisation, or without one for roles of the platform. */
  roles: string;
  seen: string | null;
}

/** Returns accounts by name, and how many there are in all. */
export async function listUsers(
  database: Database,
  search: string,
  most: number,
): Promise<{ users: ListedUser[]; total: number }> {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const matches = sql`(lower(u.nick_name) like ${pattern} or exists (
    select from contact c where c.user_id = u.id and lower(c.value) like ${pattern}))`;
  return database.asSystem(async (db) => {
    const { rows } = await sql<UserRow>`select u.nick_name as name, u.suspended_at is not null as suspended,
        (select c.value from contact c where c.user_id = u.id order by c.kind limit 1) as account,
        coalesce((select jsonb_agg(jsonb_build_object('authority', m.authority_id, 'number', i.number)
          order by m.authority_id, i.number) from membership m left join institution i on i.id = m.institution_id
          where m.user_id = u.id and m.state = 'normal'), '[]') as held,
        (select to_char(max(s.seen_at), 'YYYY-MM-DD HH24:MI "UTC"') from session s where s.user_id = u.id) as seen
      from users u where ${matches} order by lower(u.nick_name), u.id limit ${most}`.execute(db);
    const counted = await sql<{ total: number }>`select count(*)::int as total from users u where ${matches}`.execute(
      db,
    );
    return { users: rows.map(toListedUser), total: counted.rows[0]!.total };
  });
}

interface UserRow {
  name: string;
  suspended: boolean;
  account: string | null;
  held: { authority: number; number: string | null }[];
  seen: string | null;
}
const toListedUser = ({ name, suspended, account, held, seen }: UserRow): ListedUser => ({
  account,
  name,
  state: suspended ? "suspended" : "active",
  roles:
    held.map(({ authority, number }) => [findRole(authority), number].filter(Boolean).join(" ")).join(", ") || "none",
  seen,
});

export async function isOperator(db: Db, uid: string): Promise<boolean> {
  const found = await db
    .selectFrom("membership")
    .select("id")
    .where("user_id", "=", uid)
    .where("institution_id", "is", null)
    .where("authority_id", "=", roles.operator.authorityId)
    .where("state", "=", "normal")
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns false if the account was in this state already. */
export async function updateSuspension(db: Db, uid: string, suspended: boolean): Promise<boolean> {
  const changed = await sql`update users set suspended_at = ${suspended ? sql`now()` : null}
    where id = ${uid} and (suspended_at is not null) <> ${suspended}`.execute(db);
  return changed.numAffectedRows === 1n;
}

export const findAddress = (db: Db, uid: string): Promise<{ email: string; language: string } | undefined> =>
  db
    .selectFrom("users")
    .innerJoin("contact", "contact.user_id", "users.id")
    .select(["contact.value as email", "users.language"])
    .where("users.id", "=", uid)
    .where("contact.kind", "=", "email")
    .executeTakeFirst();
