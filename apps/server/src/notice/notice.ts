import { sql } from "kysely";
import { managerRoles, roles } from "@arcada/contract/kernel/roles";
import type { NoticeKind } from "@arcada/contract/notice/notice.calls";
import { beyondWall } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { tellTabs } from "../kernel/events.ts";
import type { Happening } from "../kernel/events.ts";
import { newId } from "../kernel/ids.ts";

interface Notice {
  kind: NoticeKind;
  params: Record<string, string>;
  link: string;
  /** Users, or the managers of an organisation. */
  to: { users: string[] } | { managersOf: string };
}
type Happened<N extends Happening["name"]> = Extract<Happening, { name: N }>;

/** Which happening becomes which notice, for whom. */
const table: { [N in Happening["name"]]: (happening: Happened<N>) => Notice | null } = {
  orderMoved: ({ orderId, number, action, to, tell }) => ({
    kind: action === "handOver" ? "orderArrived" : action === "accept" ? "orderAccepted" : "orderMoved",
    params: { number, action, state: to },
    link: `/orderDetail/page?id=${orderId}`,
    to: { users: tell },
  }),
  relationMoved: ({ action, tell }) => {
    const kinds: Record<string, NoticeKind> = {
      request: "relationRequested",
      accept: "relationEstablished",
      autoAccept: "relationEstablished",
      resend: "relationRequested",
      reject: "relationEnded",
      exit: "relationEnded",
      resume: "relationEstablished",
    };
    const kind = kinds[action];
    return kind ? { kind, params: { action }, link: "/relationWeb/page", to: { managersOf: tell } } : null;
  },
  memberMoved: ({ action, institution, institutionName, person, tell }) => {
    const kinds: Record<string, NoticeKind> = {
      apply: "memberApplied",
      accept: "memberJoined",
      decline: "invitationDeclined",
      lapse: "invitationExpired",
      agree: "applicationAgreed",
      reject: "applicationRejected",
      changeRole: "roleChanged",
      kickOut: "memberRemoved",
      exit: "memberLeft",
    };
    const kind = kinds[action];
    if (!kind) return null;
    return {
      kind,
      params: { name: person, institution: institutionName },
      link: tell === "managers" ? "/member/page" : "/profile/index",
      to: tell === "managers" ? { managersOf: institution } : { users: [tell.user] },
    };
  },
  studyReady: ({ studyId, kind, user }) => ({
    kind: "studyReady",
    params: { kind },
    link: `/viewer?study=${studyId}`,
    to: { users: [user] },
  }),
};

/** Listener of all happenings: writes the notices in the same transaction and wakes the readers' tabs at commit. */
export async function notify(db: Db, happening: Happening): Promise<void> {
  const notice = (table[happening.name] as (what: Happening) => Notice | null)(happening);
  if (!notice) return;
  const by = "by" in happening ? happening.by : null;
  await beyondWall(db, async () => {
    const audience = "users" in notice.to ? notice.to.users : await managersOf(db, notice.to.managersOf);
    for (const user of new Set(audience)) {
      if (user === by) continue;
      const id = newId();
      await sql`insert into notice (id, user_id, kind, params, link)
        values (${id}, ${user}, ${notice.kind}, ${JSON.stringify(notice.params)}, ${notice.link})`.execute(db);
      await tellTabs(db, { user }, "notice", id);
    }
  });
}

async function managersOf(db: Db, institution: string): Promise<string[]> {
  const rows = await db
    .selectFrom("membership")
    .select("user_id")
    .where("institution_id", "=", institution)
    .where("state", "=", "normal")
    .where(
      "authority_id",
      "in",
      managerRoles.map((role) => roles[role].authorityId),
    )
    .execute();
  return rows.map((row) => row.user_id);
}
