import { shareRules } from "@arcada/contract/share/share.rules";
import { sql } from "kysely";
import { requireGuestSession, type Context } from "../platform/http/request-context.ts";

/** Writes to the link's log, once per guest session: a page calls again when its addresses have expired. */
export async function logGuestView(context: Context): Promise<void> {
  const { id, iid, shareId, visitorMark } = requireGuestSession(context);
  await sql`insert into share_event (institution_id, share_id, what, address)
    select ${iid}, ${shareId}, 'look', ${visitorMark} where not exists (
      select from share_event e join share_visit v on v.id = ${id}
      where e.institution_id = ${iid} and e.share_id = ${shareId} and e.what = 'look' and e.address = ${visitorMark}
        and e.at > v.expires_at - make_interval(mins => ${shareRules.visitMinutes}))`.execute(context.db);
}

export async function logGuestDownload(context: Context): Promise<void> {
  const { iid, shareId, visitorMark } = requireGuestSession(context);
  await sql`insert into share_event (institution_id, share_id, what, address)
    values (${iid}, ${shareId}, 'download', ${visitorMark})`.execute(context.db);
}
