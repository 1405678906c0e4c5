import { sql } from "kysely";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { beyondWall } from "../kernel/db.ts";
import { routes } from "../kernel/serve.ts";

/** Number on the wire of a normal membership. */
const normal = 2;

export const memberRoutes = routes(memberCalls, {
  list: (_, { db, asker }) =>
    // How to reach a colleague is theirs and the organisation's: read beyond the wall, for this organisation only.
    beyondWall(db, async () => {
      const found = await sql<{
        id: string;
        userId: string;
        name: string;
        authorityId: number;
        phone: string | null;
        email: string | null;
        joinedAt: string;
      }>`
        select m.id, m.user_id as "userId", u.nick_name as name, m.authority_id as "authorityId", m.joined_at as "joinedAt",
          (select value from contact c where c.user_id = u.id and c.kind = 'phone') as phone,
          (select value from contact c where c.user_id = u.id and c.kind = 'email') as email
        from membership m join users u on u.id = m.user_id
        where m.institution_id = ${asker.iid} and m.state = 'normal' order by m.joined_at`.execute(db);
      return found.rows.map((row) => ({ ...row, status: normal }));
    }),
});
