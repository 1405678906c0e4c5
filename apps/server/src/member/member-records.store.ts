import { sql } from "kysely";
import type { Member, MemberTab } from "@arcada/contract/member/member.calls";
import type { MemberState } from "@arcada/contract/member/member.lifecycle";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
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
/** A query for the verified e-mail addresses of a user. */
export const emailsOfUser = (uid: string) => sql`(select value from contact where user_id = ${uid} and kind = 'email')`;

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
