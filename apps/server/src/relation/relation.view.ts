import { managerRoles } from "@arcada/contract/kernel/roles";
import type { Network, Relation, RelationEvent } from "@arcada/contract/relation/relation.calls";
import type { MemberContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { listNetworkEdges, listEventsBetween, listRelations } from "./relation.store.ts";
import { openActions, otherSide, resumeDeadline } from "./relation.allowed-steps.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

type RelationContext = Pick<MemberContext, "db" | "principal" | "now">;
type Row = Awaited<ReturnType<typeof listRelations>>[number];
type PartnerType = "clinic" | "lab";

export async function loadRelations(
  { db, principal, now }: RelationContext,
  named: string | null = null,
): Promise<Relation[]> {
  const manages = (managerRoles as readonly string[]).includes(principal.role);
  const rows = await listRelations(db, principal.iid, named);
  const type = await findType(db, principal.iid);
  return rows.map((row) => {
    const closing = row.state === "closing";
    const leftByUs = closing ? row.left_by === principal.iid : null;
    return {
      ...pickColumns(row, "id", "state", "requested_at", "established_at", "ended_at", "reason", "version"),
      other: {
        id: row.other_id,
        name: row.name,
        number: row.number,
        type: row.type,
        country: row.country,
        address: row.address,
        ...toContact(row),
      },
      mine: row.institution_id === principal.iid,
      leftByUs,
      resumeUntil: leftByUs && resumeDeadline(row) > now ? resumeDeadline(row).toISOString() : null,
      terms: { ours: toTerms(row, principal.iid, type, row.type), theirs: toTerms(row, row.other_id, row.type, type) },
      actions: openActions(row, principal.iid, manages, now),
    };
  });
}

/** Contact data are visible to institutions with an established relationship, until it has ended. */
const toContact = (row: Row) => {
  const isContactVisible = row.state === "established" || row.state === "closing";
  return {
    contactPerson: isContactVisible ? row.contact_person : null,
    contactWay: isContactVisible ? row.contact_way : null,
    longitude: isContactVisible ? row.longitude : null,
    latitude: isContactVisible ? row.latitude : null,
  };
};

/**
 * Terms exist for a side that sends orders to the other. Forwarding hands a patient's data to a third party, so it must
 * be allowed explicitly.
 */
const toTerms = ({ terms }: Row, side: string, from: PartnerType, to: PartnerType) =>
  sendsOrders(from, to) ? { mayForward: terms[side]?.mayForward ?? false } : null;
export const sendsOrders = (_from: PartnerType, to: PartnerType): boolean => to === "lab";

export async function findType(db: Db, iid: string): Promise<PartnerType> {
  const row = await db.selectFrom("institution").select("type").where("id", "=", iid).executeTakeFirstOrThrow();
  return row.type;
}

export async function loadNetwork({ db, principal }: RelationContext): Promise<Network> {
  const edges = await listNetworkEdges(db, principal.iid);
  const ids = [principal.iid, ...edges.map((edge) => otherSide(edge, principal.iid))];
  const found = await db
    .selectFrom("institution")
    .select(["id", "name", "number", "type", "country", "address"])
    .where("id", "in", ids)
    .orderBy("name")
    .execute();
  return {
    own: found.find(({ id }) => id === principal.iid)!,
    partners: found.filter(({ id }) => id !== principal.iid),
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

export async function loadHistory({ db, principal }: RelationContext, other: string): Promise<RelationEvent[]> {
  const rows = await listEventsBetween(db, principal.iid, other);
  return rows.map((row) => ({
    id: row.id,
    time: row.at,
    action: row.action,
    to: row.to_state,
    side: row.institution_id === null ? "system" : row.institution_id === principal.iid ? "ours" : "theirs",
    who: row.institution_id === principal.iid ? row.who : null,
    reason: row.reason,
  }));
}
