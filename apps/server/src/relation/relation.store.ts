import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { activeStates, relationLifecycle, relationRules } from "@arcada/contract/relation/relation.lifecycle";
import type { RelationAction, RelationState } from "@arcada/contract/relation/relation.lifecycle";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { Column, Row } from "../tables/row.ts";

/** Finds a relationship of this institution, on whichever side the institution is. */
export const findRelation = (db: Db, iid: string, id: string) =>
  db
    .selectFrom("relation")
    .selectAll()
    .select([hasNewerRelation, hasDeclined(iid)])
    .where("id", "=", id)
    .where(involves(iid))
    .executeTakeFirst();
const involves = (iid: string) => sql<boolean>`${iid}::uuid in (relation.institution_id, relation.target_id)`;

const isSamePair = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  sql<boolean>`((${one}.institution_id = ${other}.institution_id and ${one}.target_id = ${other}.target_id)
    or (${one}.institution_id = ${other}.target_id and ${one}.target_id = ${other}.institution_id))`;
const hasNewerRelation = sql<boolean>`exists (select from relation newer where newer.id <> relation.id
  and ${isSamePair(sql`newer`, sql`relation`)}
  and (newer.state = any(${activeStates}::text[]) or newer.requested_at > relation.requested_at))`.as("followed");

const isRecentlyRejected = sql<boolean>`state = 'rejected' and decided_at > now() - make_interval(hours => ${relationRules.askAgainHours})`;
const hasDeclined = (iid: string) =>
  sql<boolean>`exists (select from relation said where said.institution_id = ${iid}
    and said.target_id in (relation.institution_id, relation.target_id) and ${isRecentlyRejected})`.as("declined");

/** Returns relationships newest first, without those that this side has hidden, but with the named one. */
export const listRelations = (db: Db, iid: string, named: string | null = null) =>
  db
    .selectFrom("relation")
    .innerJoin("institution", (join) =>
      join.on(
        sql<boolean>`institution.id = case when relation.institution_id = ${iid} then relation.target_id else relation.institution_id end`,
      ),
    )
    .selectAll("relation")
    .select([
      hasNewerRelation,
      hasDeclined(iid),
      "institution.id as other_id",
      "institution.name",
      "institution.number",
      "institution.type",
      "institution.country",
      "institution.address",
      "institution.contact_person",
      "institution.contact_way",
      "institution.longitude",
      "institution.latitude",
    ])
    .where(involves(iid))
    .where(sql<boolean>`(not (${iid}::uuid = any(relation.hidden_by)) or relation.id = ${named})`)
    .orderBy("relation.requested_at", "desc")
    .execute();

/** Creates a request; undefined if there is an active relationship between the two already, whichever side asked. */
export async function insertRelation(
  db: Db,
  row: { iid: string; target: string; uid: string; auto: boolean },
): Promise<string | undefined> {
  const id = newId();
  const made = await sql<
    Row<"relation", "id">
  >`insert into relation (id, institution_id, target_id, state, requested_by, established_at)
    values (${id}, ${row.iid}, ${row.target}, ${row.auto ? "established" : "requested"}, ${row.uid}, ${row.auto ? sql`now()` : null})
    on conflict do nothing returning id`.execute(db);
  return made.rows[0]?.id;
}

/** Returns true while a refusal of the same institution is younger than a day. */
export async function wasRejectedRecently(db: Db, iid: string, target: string): Promise<boolean> {
  const found =
    await sql`select from relation where institution_id = ${iid} and target_id = ${target} and ${isRecentlyRejected}`.execute(
      db,
    );
  return found.rows.length > 0;
}

type StateChange = { state: RelationState; stamp: RawBuilder<unknown> };
const stateChanges: Partial<Record<RelationAction, StateChange>> = {
  accept: { state: "established", stamp: sql`established_at = now(), decided_at = now()` },
  reject: { state: "rejected", stamp: sql`decided_at = now()` },
  cancel: { state: "cancelled", stamp: sql`decided_at = now()` },
  resend: { state: "requested", stamp: sql`resent_at = now()` },
  exit: { state: "closing", stamp: sql`left_at = now()` },
  resume: { state: "established", stamp: sql`left_by = null, left_at = null` },
  settle: { state: "ended", stamp: sql`ended_at = now()` },
};

/** Applies one step to the version that was read; returns false if another change came first. */
export async function transitionRelation(
  db: Db,
  row: { id: string; version: number; state: RelationState },
  action: RelationAction,
  by: { iid: string | null; reason: string | null },
): Promise<boolean> {
  const change = stateChanges[action];
  if (!change) throw new Error(`${action} moves no relationship`);
  const left = action === "exit" ? sql`, left_by = ${by.iid}` : sql``;
  const moved =
    await sql`update relation set state = ${change.state}, version = version + 1, reason = ${by.reason}, ${change.stamp}${left}
    where id = ${row.id} and version = ${row.version} and state = ${row.state}`.execute(db);
  return moved.numAffectedRows === 1n;
}

/** Hides all ended relationships between the two from one side's list; the other side does not notice. */
export const hideRelation = (db: Db, row: { id: string }, iid: string) =>
  sql`update relation set hidden_by = relation.hidden_by || ${iid}::uuid from relation named
    where named.id = ${row.id} and ${isSamePair(sql`relation`, sql`named`)}
    and relation.state = any(${relationLifecycle.terminal}::text[]) and not (${iid}::uuid = any(relation.hidden_by))`.execute(
    db,
  );

/** Sets the terms of a side for the orders that it sends; returns false if another change came first. */
export async function setTerms(
  db: Db,
  row: { id: string; version: number },
  iid: string,
  terms: { mayForward: boolean },
): Promise<boolean> {
  const set =
    await sql`update relation set terms = terms || jsonb_build_object(${iid}::text, ${JSON.stringify(terms)}::jsonb), version = version + 1
    where id = ${row.id} and version = ${row.version} and state = any(${activeStates}::text[])`.execute(db);
  return set.numAffectedRows === 1n;
}

export const addEvent = (
  db: Db,
  event: {
    relation: string;
    iid: string | null;
    uid: string | null;
    action: RelationAction;
    to: RelationState;
    reason: string | null;
  },
) =>
  sql`insert into relation_event (relation_id, id, institution_id, user_id, action, to_state, reason)
    values (${event.relation}, ${newId()}, ${event.iid}, ${event.uid}, ${event.action}, ${event.to}, ${event.reason})`.execute(
    db,
  );

export type EventRow = Row<"relation_event", "id" | "at" | "action" | "to_state" | "institution_id" | "reason"> & {
  who: Column<"users", "nick_name"> | null;
};
const maxHistory = 200;
/** Returns all events between two institutions, newest first, including what a side has hidden. */
export const listEventsBetween = async (db: Db, iid: string, other: string): Promise<EventRow[]> =>
  (
    await sql<EventRow>`select e.id, e.at, e.action, e.to_state, e.institution_id, e.reason, users.nick_name as who
      from relation_event e join relation r on r.id = e.relation_id left join users on users.id = e.user_id
      where (r.institution_id = ${iid} and r.target_id = ${other}) or (r.institution_id = ${other} and r.target_id = ${iid})
      order by e.seq desc limit ${maxHistory}`.execute(db)
  ).rows;

export interface NetworkEdge {
  id: string;
  institution_id: string;
  target_id: string;
  state: RelationState;
  open: number;
  ours: number;
  theirs: number;
}
/** Returns the active relationships of an institution with the orders in progress between the two. */
export const listNetworkEdges = async (db: Db, iid: string): Promise<NetworkEdge[]> =>
  (
    await sql<NetworkEdge>`select relation.id, relation.institution_id, relation.target_id, relation.state, orders.open, orders.ours, orders.theirs
      from relation cross join lateral (
        select count(*)::int as open,
          count(*) filter (where turn = case when o.institution_id = ${iid} then 'sender' else 'receiver' end)::int as ours,
          count(*) filter (where turn = case when o.institution_id = ${iid} then 'receiver' else 'sender' end)::int as theirs
        from orders o where ${isOpenOrderBetween(sql`relation`)}) orders
      where ${involves(iid)} and relation.state = any(${activeStates}::text[])
      order by orders.open desc, relation.requested_at`.execute(db)
  ).rows;

/**
 * Orders `o` that the other side has and that have not ended; an order before its hand-over was never visible to it.
 */
export const isOpenOrderBetween = (relation: RawBuilder<unknown>) =>
  sql<boolean>`o.handed_over_at is not null and o.state not in ('completed', 'cancelled', 'refused')
    and ((o.institution_id = ${relation}.institution_id and o.receiver_id = ${relation}.target_id)
      or (o.institution_id = ${relation}.target_id and o.receiver_id = ${relation}.institution_id))`;
