import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Language } from "@arcada/contract/kernel/languages";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { selectValue } from "../../platform/database/select-value.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import type { Row } from "../../tables/row.ts";
import type { Page } from "../protocol/requests-and-responses.ts";

/** The data that an identity provider sends about a person. */
export interface UserInput {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  givenName: string | null;
  familyName: string | null;
  formattedName: string | null;
  emails: { value: string; type?: string | undefined; primary?: boolean | undefined }[];
  /** The address by which the person is found or invited. */
  email: string;
  active: boolean;
}

/** The account that was linked, or that accepted the invitation. */
const account = sql<string | null>`coalesce(s.account_id, case when a.state = 'confirmed' then a.user_id end)`;
const groupsOfUser = sql`scim_group_member b join scim_group g on g.institution_id = b.institution_id and g.id = b.group_id
  where b.institution_id = s.institution_id and b.member_id = s.id`;

/** Provisioned people `s` with what Arcada knows of their membership. */
const selectUsers = (db: Db, iid: string) =>
  db
    .selectFrom("scim_user as s")
    .leftJoin("admission as a", (join) =>
      join.onRef("a.id", "=", "s.admission_id").onRef("a.institution_id", "=", "s.institution_id"),
    )
    .leftJoin("membership as m", (join) =>
      join
        .onRef("m.institution_id", "=", "s.institution_id")
        .on(sql<boolean>`m.user_id = ${account}`)
        .on("m.state", "=", "normal"),
    )
    .selectAll("s")
    .select([
      account.as("account"),
      // The role that the open invitation offers.
      sql<number | null>`case when a.state = 'awaiting_confirmation' then a.authority_id end`.as("offered"),
      // The role of a member; null: no member.
      "m.authority_id as authority",
      // The end of the last membership; null: there was none, or it has not ended.
      sql<string | null>`case when m.id is null then (select o.state from membership o
        where o.institution_id = s.institution_id and o.user_id = ${account} and o.state <> 'normal'
        order by o.ended_at desc limit 1) end`.as("ended"),
      sql`coalesce((select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.display_name) order by g.display_name)
        from ${groupsOfUser}), '[]')`
        .$castTo<{ value: string; display: string }[]>()
        .as("groups"),
      // The roles of the groups.
      sql<number[]>`coalesce((select array_agg(distinct g.authority_id) from ${groupsOfUser}
        and g.authority_id is not null), '{}')`.as("grants"),
    ])
    .where("s.institution_id", "=", iid);

export type UserRow = Awaited<ReturnType<typeof listUsers>>[number];
export type UserCondition = RawBuilder<boolean>;

export const listUsers = (db: Db, iid: string, where: readonly UserCondition[], { startIndex, count }: Page) =>
  where
    .reduce((query, condition) => query.where(condition), selectUsers(db, iid))
    .orderBy("s.created_at")
    .orderBy("s.id")
    .limit(count)
    .offset(startIndex - 1)
    .execute();

export const countUsers = (db: Db, iid: string, where: readonly UserCondition[]): Promise<number> =>
  selectValue(
    db,
    sql<number>`(select count(*)::int from scim_user s
      where ${sql.join([sql`s.institution_id = ${iid}`, ...where], sql` and `)})`,
  );

/** Counts members, invited people who have not answered, and all others. */
export const countUserStates = (db: Db, iid: string) =>
  db
    .selectFrom(selectUsers(db, iid).as("found"))
    .select([
      sql<number>`(count(*) filter (where authority is not null))::int`.as("members"),
      sql<number>`(count(*) filter (where authority is null and offered is not null))::int`.as("invited"),
      sql<number>`(count(*) filter (where authority is null and offered is null))::int`.as("others"),
    ])
    .executeTakeFirstOrThrow();

export const findUser = async (db: Db, iid: string, id: string): Promise<UserRow | undefined> =>
  (await listUsers(db, iid, [sql`s.id = ${id}`], { startIndex: 1, count: 1 }))[0];

/** True if another person of the organisation has this name, or this account. */
export const isNameTaken = (db: Db, iid: string, userName: string, except: string | null): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from scim_user where institution_id = ${iid} and lower(user_name) = lower(${userName})
      and id is distinct from ${except}::uuid)`,
  );
export const isAccountTaken = (db: Db, iid: string, uid: string, except: string): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from scim_user s left join admission a on a.id = s.admission_id
      where s.institution_id = ${iid} and s.id <> ${except} and ${account} = ${uid})`,
  );

const toColumns = (input: UserInput) => ({
  user_name: input.userName,
  external_id: input.externalId,
  display_name: input.displayName,
  given_name: input.givenName,
  family_name: input.familyName,
  formatted_name: input.formattedName,
  emails: JSON.stringify(input.emails),
  email: input.email,
  active: input.active,
});

export async function insertUser(db: Db, iid: string, input: UserInput): Promise<string> {
  const id = newId();
  await db
    .insertInto("scim_user")
    .values({ institution_id: iid, id, ...toColumns(input) })
    .execute();
  return id;
}

export const updateUser = (db: Db, iid: string, id: string, input: UserInput) =>
  db
    .updateTable("scim_user")
    .set({ ...toColumns(input), version: sql`version + 1`, updated_at: sql`now()` })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();

type Link = Partial<Pick<Row<"scim_user">, "account_id" | "admission_id" | "granted_authority">>;
/** Writes what Arcada found out about the person; the resource itself stays in its version. */
export const linkUser = (db: Db, iid: string, id: string, link: Link) =>
  db.updateTable("scim_user").set(link).where("institution_id", "=", iid).where("id", "=", id).execute();

export const deleteUser = (db: Db, iid: string, id: string) =>
  db.deleteFrom("scim_user").where("institution_id", "=", iid).where("id", "=", id).execute();

/** Returns the account with a verified address, also one of people who work elsewhere. */
export const findAccount = (db: Db, email: string): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const found = await db
      .selectFrom("contact")
      .select("user_id")
      .where("kind", "=", "email")
      .where("value", "=", email)
      .executeTakeFirst();
    return found?.user_id;
  });

export const isMember = (db: Db, iid: string, uid: string): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from membership where institution_id = ${iid} and user_id = ${uid} and state = 'normal')`,
  );

export const findInvitation = async (db: Db, iid: string, email: string): Promise<string | null> => {
  const found = await db
    .selectFrom("admission")
    .select("id")
    .where("institution_id", "=", iid)
    .where("email", "=", email)
    .where("state", "=", "awaiting_confirmation")
    .executeTakeFirst();
  return found?.id ?? null;
};

/** The language of the person who created the key: an identity provider says nothing about the people's own. */
export const findKeyLanguage = (db: Db, key: string): Promise<Language> =>
  bypassTenantScope(db, async () => {
    const found = await db
      .selectFrom("api_key")
      .innerJoin("users", "users.id", "api_key.created_by")
      .select("users.language")
      .where("api_key.id", "=", key)
      .executeTakeFirst();
    return found?.language ?? "en";
  });
