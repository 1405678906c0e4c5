import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { selectValue } from "../../platform/database/select-value.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import type { Page } from "../protocol/requests-and-responses.ts";

export interface GroupInput {
  displayName: string;
  externalId: string | null;
  /** Ids of users, each once. */
  members: readonly string[];
}

const members = sql`coalesce((select jsonb_agg(jsonb_build_object('value', s.id, 'display', s.user_name) order by s.created_at, s.id)
  from scim_group_member b join scim_user s on s.institution_id = b.institution_id and s.id = b.member_id
  where b.institution_id = g.institution_id and b.group_id = g.id), '[]')`;

export type GroupRow = Awaited<ReturnType<typeof listGroups>>[number];

/** `withMembers`: clients that leave the members out spare the reading of thousands of rows. */
export const listGroups = (
  db: Db,
  iid: string,
  where: readonly RawBuilder<boolean>[],
  { startIndex, count, withMembers }: Page & { withMembers: boolean },
) =>
  where
    .reduce(
      (query, condition) => query.where(condition),
      db.selectFrom("scim_group as g").selectAll("g").where("g.institution_id", "=", iid),
    )
    .select([
      (withMembers ? members : sql`'[]'::jsonb`).$castTo<{ value: string; display: string }[]>().as("members"),
      sql<number>`(select count(*)::int from scim_group_member b
        where b.institution_id = g.institution_id and b.group_id = g.id)`.as("size"),
    ])
    .orderBy("g.created_at")
    .orderBy("g.id")
    .limit(count)
    .offset(startIndex - 1)
    .execute();

export const countGroups = (db: Db, iid: string, where: readonly RawBuilder<boolean>[]): Promise<number> =>
  selectValue(
    db,
    sql<number>`(select count(*)::int from scim_group g
      where ${sql.join([sql`g.institution_id = ${iid}`, ...where], sql` and `)})`,
  );

export const findGroup = async (db: Db, iid: string, id: string, withMembers: boolean): Promise<GroupRow | undefined> =>
  (await listGroups(db, iid, [sql`g.id = ${id}`], { startIndex: 1, count: 1, withMembers }))[0];

export const isGroupNameTaken = (db: Db, iid: string, name: string, except: string | null): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`exists (select from scim_group where institution_id = ${iid} and lower(display_name) = lower(${name})
      and id is distinct from ${except}::uuid)`,
  );

/** True if all ids are people of the organisation. */
export const areUsers = (db: Db, iid: string, ids: readonly string[]): Promise<boolean> =>
  selectValue(
    db,
    sql<boolean>`(select count(*) = ${ids.length} from scim_user where institution_id = ${iid} and id = any(${[...ids]}::uuid[]))`,
  );

export async function insertGroup(db: Db, iid: string, input: GroupInput): Promise<string> {
  const id = newId();
  await db
    .insertInto("scim_group")
    .values({ institution_id: iid, id, display_name: input.displayName, external_id: input.externalId })
    .execute();
  return id;
}
export const updateGroup = (db: Db, iid: string, id: string, input: GroupInput) =>
  db
    .updateTable("scim_group")
    .set({
      display_name: input.displayName,
      external_id: input.externalId,
      version: sql`version + 1`,
      updated_at: sql`now()`,
    })
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .execute();
export const deleteGroup = (db: Db, iid: string, id: string) =>
  db.deleteFrom("scim_group").where("institution_id", "=", iid).where("id", "=", id).execute();

/** Returns false if the group was changed in the meantime. */
export async function updateGroupRole(
  db: Db,
  group: { iid: string; id: string; version: number },
  authorityId: number | null,
): Promise<boolean> {
  const changed = await db
    .updateTable("scim_group")
    .set({ authority_id: authorityId, version: sql`version + 1`, updated_at: sql`now()` })
    .where("institution_id", "=", group.iid)
    .where("id", "=", group.id)
    .where("version", "=", group.version)
    .executeTakeFirst();
  return changed.numUpdatedRows === 1n;
}

/** Makes these people the members of a group. Returns the ids of those who came or went. */
export async function replaceMembers(db: Db, iid: string, id: string, ids: readonly string[]): Promise<string[]> {
  const gone = await db
    .deleteFrom("scim_group_member")
    .where("institution_id", "=", iid)
    .where("group_id", "=", id)
    .where(sql<boolean>`member_id <> all(${[...ids]}::uuid[])`)
    .returning("member_id")
    .execute();
  const come = await db
    .insertInto("scim_group_member")
    .columns(["institution_id", "group_id", "member_id"])
    .expression(sql`select ${iid}::uuid, ${id}::uuid, given from unnest(${[...ids]}::uuid[]) given`)
    .onConflict((conflict) => conflict.doNothing())
    .returning("member_id")
    .execute();
  return [...gone, ...come].map(({ member_id }) => member_id);
}
