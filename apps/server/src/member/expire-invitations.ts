import { sql } from "kysely";
import type { Database, Db } from "../platform/database/database.ts";
import { queueMemberEmails } from "./member.emails.ts";
import { lockInstitutionMembers } from "../domain/lock-members.ts";
import { publishMemberTransition } from "./member.notify.ts";
import { inInstitution, listRecords, hasId } from "./member-records.store.ts";
import { listColleagues, updateRecord } from "./member.store.ts";
import type { Row } from "../tables/row.ts";

const maxPerRun = 500;

/** M5: ends expired invitations; returns their number. Several processes may run it at once. */
export async function expireInvitations(database: Database): Promise<number> {
  const late = await database.asSystem((db) =>
    sql<Row<"admission", "id" | "institution_id">>`select id, institution_id from admission
      where state = 'awaiting_confirmation' and expires_at < now() order by expires_at limit ${maxPerRun}`.execute(db),
  );
  let lapsed = 0;
  // Each in its own transaction: one that fails does not affect the others.
  for (const { id, institution_id } of late.rows)
    if (await database.asSystem((db) => expireInvitation(db, institution_id, id)).catch(() => false)) lapsed += 1;
  return lapsed;
}

async function expireInvitation(db: Db, iid: string, id: string): Promise<boolean> {
  await lockInstitutionMembers(db, iid);
  const [record] = await listRecords(db, [inInstitution(iid), hasId(id)], { uid: null });
  if (record?.state !== "awaiting_confirmation" || !record.late) return false;
  if (!(await updateRecord(db, record, { state: "expired", ended_at: sql<string>`now()` }, null))) return false;
  const inviter = (await listColleagues(db, iid)).find(({ user_id }) => user_id === record.inviter_id)?.user_id;
  const news = { institution: record.institution, person: record.name };
  await publishMemberTransition(
    { db, principal: null, address: "" },
    { id, iid, uid: null, action: "lapse", ...(inviter && { news: { ...news, recipient: { user: inviter } } }) },
  );
  if (inviter) await queueMemberEmails(db, "invitationExpired", [inviter], news);
  return true;
}
