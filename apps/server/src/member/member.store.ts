import { sql } from "kysely";
import type { Member, MemberTab } from "@arcada/contract/member/member.calls";
import { managerRoles, roles } from "@arcada/contract/kernel/roles";
import { memberRules } from "@arcada/contract/member/member.lifecycle";
import type { MemberState } from "@arcada/contract/member/member.lifecycle";
import type { UpdateObject } from "kysely";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { asPrepared } from "../platform/database/prepared-statements.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { AdmissionTable, Tables } from "../tables/schema.generated.ts";
import { selectValue } from "../platform/database/select-value.ts";

/** A membership, an invitation or an application, with the data that decisions need. */
export interface MemberRecord {
  id: string;
  kind: Member["kind"];
  institution_id: string;
  institution: string;
  number: string;
  type: "clinic" | "lab";
  user_id: string | null;
  name: string;
  avatar: string | null;
  authority_id: number;
  phone: string | null;
  email: string | null;
  /** The e-mail address of the person. */
  address: string | null;
  remark: string | null;
  state: MemberState;
  since: string;
  expires_at: string | null;
  ended_at: string | null;
  operator: string | null;
  inviter_id: string | null;
  secret_hash: string | null;
  licence: string | null;
  version: number;
  /** True if the record concerns the principal. */
  self: boolean;
  /** An invitation that has expired and is not marked as expired yet. */
  late: boolean;
  /** True for a record that ended if the person is a member, or is being admitted, by another record. */
  living: boolean;
}

const contactColumn = (kind: "phone" | "email") =>
  sql`(select value from contact c where c.user_id = r.user_id and c.kind = ${kind})`;
/** Contact data belong to the person; the institution sees them while the person is a member or applies to be one. */
const showsContact = sql`(r.state = 'normal' or r.state = 'not_reviewed')`;
const emailsOfUser = (uid: string) => sql`(select value from contact where user_id = ${uid} and kind = 'email')`;

const allRecords = sql`(
  select id, 'member' as kind, institution_id, user_id, null as email, '' as name, authority_id, null as remark, state,
    joined_at as since, null::timestamptz as expires_at, ended_at, operator_id, null::uuid as inviter_id, null as secret_hash, licence, version
  from membership where institution_id is not null
  union all
  select id, kind, institution_id, user_id, email, name, authority_id, remark, state,
    created_at, expires_at, ended_at, operator_id, inviter_id, secret_hash, null, version
  from admission)`;

type MemberCondition = ReturnType<typeof sql<boolean>>;
export const inInstitution = (iid: string): MemberCondition => sql<boolean>`r.institution_id = ${iid}`;
export const belongsToUser = (uid: string): MemberCondition =>
  sql<boolean>`(r.user_id = ${uid} or (r.email in ${emailsOfUser(uid)} and r.user_id is null))`;
export const hasId = (id: string): MemberCondition => sql<boolean>`r.id = ${id}`;
export const withSecret = (hash: string): MemberCondition => sql<boolean>`r.secret_hash = ${hash}`;
const isAcceptedApplication = sql`(r.kind = 'application' and r.state = 'normal')`;
export const isInPart = (part: MemberTab): MemberCondition =>
  ({
    members: sql<boolean>`r.kind = 'member' and r.state = 'normal'`,
    invitations: sql<boolean>`r.state = 'awaiting_confirmation'`,
    applications: sql<boolean>`r.state = 'not_reviewed'`,
    history: sql<boolean>`r.ended_at is not null and not ${isAcceptedApplication}`,
  })[part];
export const isListed = sql<boolean>`not ${isAcceptedApplication}`;
/** `ids`: records that the text finds by other means. */
export const matchesSearch = (text: string, ids: readonly string[]): MemberCondition => {
  const like = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`(r.id = any(${ids}::uuid[]) or lower(u.nick_name) like ${like} or lower(r.name) like ${like} or r.email like ${like}
    or (${showsContact} and exists (select from contact c where c.user_id = r.user_id and lower(c.value) like ${like})))`;
};

export interface Colleague {
  id: string;
  name: string;
  authority_id: number;
  phone: string | null;
  email: string | null;
}

/** Returns the members of an institution without the data that decisions need: a search reads them at every pause. */
export const listMemberNames = (db: Db, iid: string): Promise<Colleague[]> =>
  bypassTenantScope(db, async () => {
    const members = db
      .selectFrom("membership as m")
      .innerJoin("users as u", "u.id", "m.user_id")
      .leftJoin("contact as phone", (join) =>
        join.onRef("phone.user_id", "=", "m.user_id").on("phone.kind", "=", "phone"),
      )
      .leftJoin("contact as email", (join) =>
        join.onRef("email.user_id", "=", "m.user_id").on("email.kind", "=", "email"),
      )
      .select(["m.id", "u.nick_name as name", "m.authority_id", "phone.value as phone", "email.value as email"])
      .where("m.institution_id", "=", iid)
      .where("m.state", "=", "normal")
      .orderBy("m.id")
      .limit(pageSizes.max);
    return (await db.executeQuery(asPrepared(members.compile()))).rows;
  });

interface RecordsQuery {
  /** The user for whom `self` is computed. */
  uid: string | null;
  limit?: number;
  offset?: number;
}

/** Reads with the tenant scope bypassed. The conditions are written in this code and never come from a request. */
export const listRecords = (
  db: Db,
  where: readonly MemberCondition[],
  { uid, limit = 1, offset = 0 }: RecordsQuery,
): Promise<MemberRecord[]> =>
  bypassTenantScope(db, async () => {
    const isSelf = uid === null ? sql`false` : sql`coalesce(${belongsToUser(uid)}, false)`;
    const found = await sql<MemberRecord>`
      select r.id, r.kind, r.institution_id, i.name as institution, i.number, i.type, r.user_id,
        coalesce(nullif(r.name, ''), u.nick_name, r.email, '') as name,
        u.avatar, r.authority_id,
        case when ${showsContact} then ${contactColumn("phone")} end as phone,
        case when ${showsContact} then ${contactColumn("email")} else r.email end as email,
        coalesce(r.email, ${contactColumn("email")}) as address,
        r.remark, r.state, r.since, r.expires_at, r.ended_at, o.nick_name as operator, r.inviter_id, r.secret_hash, r.licence, r.version,
        ${isSelf} as self, coalesce(r.expires_at < now(), false) as late,
        r.ended_at is not null and (
          exists (select from membership m where m.institution_id = r.institution_id and m.state = 'normal'
            and (m.user_id = r.user_id or m.user_id = (select c.user_id from contact c where c.kind = 'email' and c.value = r.email)))
          or exists (select from admission a where a.institution_id = r.institution_id and a.ended_at is null
            and (a.user_id = r.user_id or a.email = r.email or a.email = ${contactColumn("email")}))) as living
      from ${allRecords} r join institution i on i.id = r.institution_id
        left join users u on u.id = r.user_id left join users o on o.id = r.operator_id
      where ${sql.join(where, sql` and `)}
      order by r.ended_at desc nulls first, r.since desc, r.id limit ${limit} offset ${offset}`.execute(db);
    return found.rows;
  });

export const countRecords = (db: Db, where: readonly MemberCondition[]): Promise<number> =>
  bypassTenantScope(db, () =>
    selectValue(
      db,
      sql<number>`(select count(*)::int from ${allRecords} r left join users u on u.id = r.user_id
        where ${sql.join(where, sql` and `)})`,
    ),
  );

type NewAdmission = Pick<AdmissionTable, "institution_id" | "kind" | "user_id" | "email" | "authority_id"> & {
  name: string;
  remark: string | null;
  secret_hash: string | null;
  by: string;
};
/** Undefined if the same one is open already. */
export const insertAdmission = (db: Db, { by, ...row }: NewAdmission): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const isInvitation = row.kind === "invitation";
    const made = await db
      .insertInto("admission")
      .values({
        ...row,
        id: newId(),
        state: isInvitation ? "awaiting_confirmation" : "not_reviewed",
        inviter_id: isInvitation ? by : null,
        operator_id: by,
        sent: isInvitation ? 1 : 0,
        sent_at: isInvitation ? sql<string>`now()` : null,
        expires_at: isInvitation ? invitationExpiry : null,
        ended_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    return made?.id;
  });
export const invitationExpiry = sql<string>`now() + make_interval(days => ${memberRules.invitationDays})`;

type RecordVersion = Pick<MemberRecord, "id" | "kind" | "state" | "version">;
type RecordChange = UpdateObject<Tables, "admission", "admission"> | UpdateObject<Tables, "membership", "membership">;
/** Applies one step to the version that was read; returns false if another change came first. */
export const updateRecord = (db: Db, row: RecordVersion, change: RecordChange, by: string | null): Promise<boolean> =>
  bypassTenantScope(db, async () => {
    const moved = await db
      .updateTable(row.kind === "member" ? ("membership" as "admission") : "admission")
      .set({
        ...(change as UpdateObject<Tables, "admission", "admission">),
        version: row.version + 1,
        ...(by && { operator_id: by }),
      })
      .where("id", "=", row.id)
      .where("version", "=", row.version)
      .where("state", "=", row.state as AdmissionTable["state"])
      .executeTakeFirst();
    return moved.numUpdatedRows === 1n;
  });

export const insertMembership = (
  db: Db,
  row: { iid: string; uid: string; authorityId: number; by: string },
): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const made = await db
      .insertInto("membership")
      .values({
        id: newId(),
        institution_id: row.iid,
        user_id: row.uid,
        authority_id: row.authorityId,
        state: "normal",
        operator_id: row.by,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    return made?.id;
  });

export const findInstitution = (db: Db, which: { iid?: string | undefined; number?: string | undefined }) =>
  db
    .selectFrom("institution")
    .select(["id", "name", "number", "type"])
    .$if(which.iid !== undefined, (query) => query.where("id", "=", which.iid!))
    .$if(which.iid === undefined, (query) => query.where("number", "=", which.number ?? ""))
    .executeTakeFirst();

const managerIds = managerRoles.map((role) => roles[role].authorityId);
/** Returns the users of an institution: managers first, and within each group the longest members first. */
export const listColleagues = (db: Db, iid: string) =>
  bypassTenantScope(db, () =>
    db
      .selectFrom("membership")
      .select(["user_id", "authority_id"])
      .where("institution_id", "=", iid)
      .where("state", "=", "normal")
      .orderBy(sql`authority_id = any(${managerIds}::int[])`, "desc")
      .orderBy("joined_at")
      .execute(),
  );

/**
 * Counts of one day: the invitations that an institution has sent, in all and to one address; or the applications that
 * a user has made.
 */
export const countSentToday = (db: Db, of: { iid: string; email: string } | { uid: string }) =>
  bypassTenantScope(db, () =>
    "uid" in of
      ? db
          .selectFrom("admission")
          .select([sql<number>`count(*)::int`.as("all"), sql<number>`0`.as("one")])
          .where("kind", "=", "application")
          .where("user_id", "=", of.uid)
          .where(sql<boolean>`created_at > now() - interval '1 day'`)
          .executeTakeFirstOrThrow()
      : db
          .selectFrom("admission")
          .select([
            sql<number>`coalesce(sum(sent), 0)::int`.as("all"),
            sql<number>`coalesce(sum(sent) filter (where email = ${of.email}), 0)::int`.as("one"),
          ])
          .where("institution_id", "=", of.iid)
          .where(sql<boolean>`sent_at > now() - interval '1 day'`)
          .executeTakeFirstOrThrow(),
  );

/** True while a refusal of this user's application is younger than a day. */
export const wasRejectedRecently = (db: Db, iid: string, uid: string): Promise<boolean> =>
  bypassTenantScope(db, async () => {
    const found =
      await sql`select 1 from admission where institution_id = ${iid} and user_id = ${uid} and kind = 'application'
      and state = 'rejected' and ended_at > now() - make_interval(hours => ${memberRules.applyAgainHours})`.execute(db);
    return found.rows.length > 0;
  });

/** Returns the user who has a verified e-mail address. */
export const findUserByEmail = (db: Db, email: string): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const found = await db
      .selectFrom("contact")
      .select("user_id")
      .where("kind", "=", "email")
      .where("value", "=", email)
      .executeTakeFirst();
    return found?.user_id;
  });

/** Ends other open records between an institution and a user who has just become a member. */
export const cancelOpenAdmissions = (db: Db, iid: string, uid: string, by: string) =>
  bypassTenantScope(db, () =>
    sql`update admission set state = 'cancelled', ended_at = now(), operator_id = ${by}, version = version + 1
      where institution_id = ${iid} and ended_at is null and (user_id = ${uid} or email in ${emailsOfUser(uid)})`.execute(
      db,
    ),
  );
