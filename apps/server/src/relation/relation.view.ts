import { managerRoles } from "@arcada/contract/kernel/roles";
import type { Network, Relation, RelationEvent } from "@arcada/contract/relation/relation.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { edgesOf, eventsBetween, relationsOf } from "./relation.store.ts";
import { openActions, otherSide, resumeUntil } from "./relation.ts";

type Reader = Pick<MemberContext, "db" | "asker" | "now">;
type Row = Awaited<ReturnType<typeof relationsOf>>[number];
type Type = "clinic" | "lab";

export async function shownAll({ db, asker, now }: Reader, named: string | null = null): Promise<Relation[]> {
  const manages = (managerRoles as readonly string[]).includes(asker.role);
  const rows = await relationsOf(db, asker.iid, named);
  const type = await typeOf(db, asker.iid);
  return rows.map((row) => {
    const closing = row.state === "closing";
    const leftByUs = closing ? row.left_by === asker.iid : null;
    return {
      id: row.id,
      state: row.state,
      other: {
        id: row.other_id,
        name: row.name,
        number: row.number,
        type: row.type,
        country: row.country,
        address: row.address,
        ...contactOf(row),
      },
      mine: row.institution_id === asker.iid,
      requestedAt: row.requested_at,
      establishedAt: row.established_at,
      endedAt: row.ended_at,
      reason: row.reason,
      leftByUs,
      resumeUntil: leftByUs && resumeUntil(row) > now ? resumeUntil(row).toISOString() : null,
      terms: { ours: termsOf(row, asker.iid, type, row.type), theirs: termsOf(row, row.other_id, row.type, type) },
      version: row.version,
      actions: openActions(row, asker.iid, manages, now),
    };
  });
}

/** Contact data are visible to institutions with an established relationship, until it has ended. */
const contactOf = (row: Row) => {
  const isTold = row.state === "established" || row.state === "closing";
  return {
    contactPerson: isTold ? row.contact_person : null,
    contactWay: isTold ? row.contact_way : null,
    longitude: isTold ? row.longitude : null,
    latitude: isTold ? row.latitude : null,
  };
};

/**
 * Terms exist for a side that sends orders to the other. Forwarding hands a patient's data to a third party, so it must
 * be allowed explicitly.
 */
const termsOf = ({ terms }: Row, side: string, from: Type, to: Type) =>
  sends(from, to) ? { mayForward: terms[side]?.mayForward ?? false } : null;
export const sends = (_from: Type, to: Type): boolean => to === "lab";

export async function typeOf(db: Db, iid: string): Promise<Type> {
  const row = await db.selectFrom("institution").select("type").where("id", "=", iid).executeTakeFirstOrThrow();
  return row.type;
}

export async function networkOf({ db, asker }: Reader): Promise<Network> {
  const edges = await edgesOf(db, asker.iid);
  const ids = [asker.iid, ...edges.map((edge) => otherSide(edge, asker.iid))];
  const found = await db
    .selectFrom("institution")
    .select(["id", "name", "number", "type", "country", "address"])
    .where("id", "in", ids)
    .orderBy("name")
    .execute();
  return {
    own: found.find(({ id }) => id === asker.iid)!,
    partners: found.filter(({ id }) => id !== asker.iid),
    edges: edges.map((edge) => ({
      relationId: edge.id,
      from: edge.institution_id,
      to: edge.target_id,
      state: edge.state,
      open: edge.open,
      ours: edge.ours,
      theirs: edge.theirs,
    })),
  };
}

export async function historyWith({ db, asker }: Reader, other: string): Promise<RelationEvent[]> {
  const rows = await eventsBetween(db, asker.iid, other);
  return rows.map((row) => ({
    id: row.id,
    time: row.at,
    action: row.action,
    to: row.to_state,
    side: row.institution_id === null ? "system" : row.institution_id === asker.iid ? "ours" : "theirs",
    who: row.institution_id === asker.iid ? row.who : null,
    reason: row.reason,
  }));
}
