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
  const matches = sql<boolean>`(lower(u.nick_name) like ${pattern} or exists (
    select from contact c where c.user_id = u.id and lower(c.value) like ${pattern}))`;
  return database.asSystem(async (db) => {
    const rows = await db
      .selectFrom("users as u")
      .select(["u.nick_name as name", "u.suspended_at"])
      .select(
        sql<string | null>`(select value from contact c where c.user_id = u.id order by kind limit 1)`.as("account"),
      )
      .select(
        sql<unknown>`coalesce((select jsonb_agg(jsonb_build_object('authority', m.authority_id, 'number', i.number)
        order by m.authority_id, i.number) from membership m left join institution i on i.id = m.institution_id
        where m.user_id = u.id and m.state = 'normal'), '[]')`.as("held"),
      )
      .select(
        sql<string | null>`(select to_char(max(s.seen_at), 'YYYY-MM-DD HH24:MI "UTC"') from session s
        where s.user_id = u.id)`.as("seen"),
      )
      .where(matches)
      .orderBy(sql`lower(u.nick_name)`)
      .orderBy("u.id")
      .limit(most)
      .execute();
    const counted = await db
      .selectFrom("users as u")
      .select(sql<number>`count(*)::int`.as("total"))
      .where(matches)
      .executeTakeFirstOrThrow();
    return { users: rows.map(toListedUser), total: counted.total };
  });
}

interface HeldRole {
  authority: number;
  number: string | null;
}
interface UserRow {
  name: string;
  suspended_at: string | null;
  account: string | null;
  held: unknown;
  seen: string | null;
}
const toListedUser = ({ name, suspended_at: suspendedAt, account, held, seen }: UserRow): ListedUser => ({
  account,
  name,
  state: suspendedAt !== null ? "suspended" : "active",
  roles:
    (held as HeldRole[])
      .map(({ authority, number }) => [findRole(authority), number].filter(Boolean).join(" "))
      .join(", ") || "none",
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
