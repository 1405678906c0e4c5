import { sql } from "kysely";
import { memberStatus } from "@arcada/contract/member/member.lifecycle";
import type { MemberState } from "@arcada/contract/member/member.lifecycle";
import type { Db } from "../platform/database/database.ts";

interface OwnInstitutionRow {
  iid: string;
  name: string;
  number: string;
  type: "clinic" | "lab";
  authorityId: number;
  state: MemberState;
}

/**
 * Returns a user's institutions, one row for every membership, invitation and application of theirs; with one status,
 * or all.
 */
export async function listOwnInstitutions(
  db: Db,
  uid: string,
  { page, pageSize, status }: { page: number; pageSize: number; status?: number | undefined },
) {
  const states = (Object.keys(memberStatus) as MemberState[]).filter(
    (state) => status === undefined || memberStatus[state] === status,
  );
  const found = await sql<OwnInstitutionRow & { total: number }>`
    select i.id as iid, i.name, i.number, i.type, mine.authority_id as "authorityId", mine.state, (count(*) over ())::int as total
    from (
      select institution_id, authority_id, state, joined_at as since from membership where user_id = ${uid}
      union all
      -- An application that was agreed to goes on as a membership.
      select institution_id, authority_id, state, created_at from admission where state <> 'normal' and (user_id = ${uid}
        or (user_id is null and email in (select value from contact where user_id = ${uid} and kind = 'email')))
    ) mine join institution i on i.id = mine.institution_id
    where mine.state = any(${states}::text[])
    order by mine.state <> 'normal', mine.since, i.id limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  const list = found.rows.map(({ total: _, state, ...row }) => ({ ...row, status: memberStatus[state] }));
  return { list, total: found.rows[0]?.total ?? 0, next: null };
}
