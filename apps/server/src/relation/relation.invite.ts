import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { RelationInvitation, relationCalls } from "@arcada/contract/relation/relation.calls";
import { relationRules } from "@arcada/contract/relation/relation.lifecycle";
import { screens } from "@arcada/contract/screens";
import type { MemberContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { EventData } from "../platform/events/events.ts";
import { notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { queueEmail } from "../platform/mail/email-queue.ts";
import { countEmail } from "../platform/mail/message-limits.ts";
import type { QueuedEmail } from "../platform/mail/email-queue.ts";
import { refuse } from "../platform/http/refuse.ts";
import { publishRelationTransition } from "./relation.notify.ts";
import { insertRelation } from "./relation.store.ts";
import type { institutionCreated } from "../institution/institution.events.ts";
import type { Row } from "../tables/row.ts";
import { selectValue } from "../platform/database/select-value.ts";

/** Invites a person whose institution is not here yet. The inviter does not learn if the address is known here. */
export async function invitePartner(
  context: MemberContext,
  { email: given, name }: Parsed<typeof relationCalls.invite>,
): Promise<RelationInvitation> {
  const { db, principal } = context;
  const email = given.toLowerCase();
  await requireInvitationsLeft(db, principal.iid);
  const id = newId();
  const made = await sql<InvitationRow>`insert into relation_invitation (institution_id, id, email, name, invited_by)
    values (${principal.iid}, ${id}, ${email}, ${name || null}, ${principal.uid}) on conflict do nothing returning *`.execute(
    db,
  );
  const row = made.rows[0] ?? refuse("relationInvitedAlready", { email: "relationInvitedAlready" });
  await countEmail(db, email);
  await queueEmail(db, await buildInvitationEmail(db, principal, email));
  await audit(db, {
    institution_id: principal.iid,
    user_id: principal.uid,
    action: "relation.invite",
    subject: id,
    address: context.address,
  });
  await notifyClients(db, { institutions: [principal.iid] }, "relation", id);
  return toInvitation(row);
}

type InvitationRow = Row<
  "relation_invitation",
  "institution_id" | "id" | "email" | "name" | "invited_by" | "created_at"
>;
const dayMs = 86_400_000;
const toInvitation = ({ id, email, name, created_at }: InvitationRow): RelationInvitation => ({
  id,
  email,
  name,
  time: created_at,
  validUntil: new Date(Date.parse(created_at) + relationRules.inviteDays * dayMs).toISOString(),
});

/** Invitations of one institution are counted one after the other; expired ones make room for the same address. */
async function requireInvitationsLeft(db: Db, iid: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`relation.invite ${iid}`}, 0))`.execute(db);
  await sql`update relation_invitation set state = 'withdrawn' where institution_id = ${iid} and state = 'waiting'
    and created_at < now() - make_interval(days => ${relationRules.inviteDays})`.execute(db);
  const count = await selectValue(
    db,
    sql<number>`(select count(*)::int from relation_invitation
      where institution_id = ${iid} and created_at > now() - interval '1 day')`,
  );
  if (count >= relationRules.maxInvitesPerDay)
    refuse("relationInvitedTooMany", {
      email: "relationInvitedTooMany",
      most: String(relationRules.maxInvitesPerDay),
    });
}

/**
 * An invited person who has an account here already learns where to find the inviting institution, instead of founding
 * a new one.
 */
async function buildInvitationEmail(
  db: Db,
  principal: { iid: string; uid: string },
  email: string,
): Promise<QueuedEmail> {
  const own = await db
    .selectFrom("institution")
    .select(["name", "number"])
    .where("id", "=", principal.iid)
    .executeTakeFirstOrThrow();
  const [reader, inviter] = await bypassTenantScope(db, () =>
    Promise.all([
      sql<Row<"users", "language">>`select users.language from users join contact on contact.user_id = users.id
        where contact.kind = 'email' and contact.value = ${email}`.execute(db),
      sql<Row<"users", "language">>`select language from users where id = ${principal.uid}`.execute(db),
    ]),
  );
  const known = reader.rows[0];
  return {
    to: email,
    language: known?.language ?? inviter.rows[0]?.language ?? "en",
    name: known ? "relation.inviteKnown" : "relation.invite",
    values: { name: own.name, number: own.number, days: relationRules.inviteDays },
    link: known ? `${screens.relationWeb.path}?find=${own.number}` : screens.register.path,
  };
}

export const listInvitations = async (db: Db, iid: string): Promise<RelationInvitation[]> =>
  (
    await sql<InvitationRow>`select * from relation_invitation where institution_id = ${iid} and state = 'waiting'
      and created_at > now() - make_interval(days => ${relationRules.inviteDays}) order by created_at desc`.execute(db)
  ).rows.map(toInvitation);

export async function withdrawInvitation({ db, principal, address }: MemberContext, id: string): Promise<null> {
  const withdrawn =
    await sql`update relation_invitation set state = 'withdrawn' where institution_id = ${principal.iid} and id = ${id} and state = 'waiting'`.execute(
      db,
    );
  if (withdrawn.numAffectedRows === 0n) refuse("notFound");
  await audit(db, {
    institution_id: principal.iid,
    user_id: principal.uid,
    action: "relation.withdraw",
    subject: id,
    address,
  });
  await notifyClients(db, { institutions: [principal.iid] }, "relation", id);
  return null;
}

/** Subscriber: an invited person has founded an institution, so the waiting requests to it are made. */
export async function requestInvitedRelations(
  db: Db,
  domainEvent: EventData<typeof institutionCreated>,
): Promise<void> {
  const { institution, by } = domainEvent;
  const waiting = await bypassTenantScope(db, () => answerWaitingInvitations(db, institution, by));
  for (const { relation, inviter, uid } of waiting)
    await publishRelationTransition(db, {
      relation: { id: relation, institution_id: inviter, target_id: institution },
      action: "request",
      to: "requested",
      reason: null,
      by: { uid, iid: inviter, address: null },
    });
}

async function answerWaitingInvitations(db: Db, institution: string, founder: string) {
  const { rows } = await sql<InvitationRow & { two_clinics: boolean }>`
    select i.*, inviter.type = 'clinic' and made.type = 'clinic' as two_clinics from relation_invitation i
    join contact on contact.kind = 'email' and contact.value = i.email and contact.user_id = ${founder}
    join institution inviter on inviter.id = i.institution_id join institution made on made.id = ${institution}
    where i.state = 'waiting' and i.institution_id <> ${institution}
      and i.created_at > now() - make_interval(days => ${relationRules.inviteDays}) for update of i`.execute(db);
  const requestedRelations: { relation: string; inviter: string; uid: string }[] = [];
  for (const row of rows) {
    // Two clinics cannot have a relationship; the invitation waits for another institution of that person.
    if (row.two_clinics) continue;
    const { institution_id: inviter, invited_by: uid } = row;
    const relation = await insertRelation(db, { iid: inviter, target: institution, uid, auto: false });
    await sql`update relation_invitation set state = 'answered', relation_id = ${relation ?? null}
      where institution_id = ${inviter} and id = ${row.id}`.execute(db);
    if (relation) requestedRelations.push({ relation, inviter, uid });
  }
  return requestedRelations;
}
