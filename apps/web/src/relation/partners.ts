import type { Network, Relation } from "@arcada/contract/relation/relation.calls";
import type { RelationState } from "@arcada/contract/relation/relation.lifecycle";

/** Another institution: its newest relation record, and the open orders between the two. */
export interface Partner extends Relation {
  orders: Pick<Network["edges"][number], "open" | "ours" | "theirs">;
}
export const partnerFilters = ["all", "requested", "established", "closing", "over"] as const;
export type PartnerFilter = (typeof partnerFilters)[number];

const noOrders = { open: 0, ours: 0, theirs: 0 };
const filterByState: Record<RelationState, Exclude<PartnerFilter, "all">> = {
  requested: "requested",
  established: "established",
  closing: "closing",
  rejected: "over",
  cancelled: "over",
  ended: "over",
};

/** Returns one entry for each institution; earlier relations are in its history. The list is sorted newest first. */
export function toPartners(relations: readonly Relation[], network: Network | undefined): Partner[] {
  const newest = new Map<string, Relation>();
  for (const relation of relations) if (!newest.has(relation.other.id)) newest.set(relation.other.id, relation);
  const orders = new Map(network?.edges.map((edge) => [edge.relationId, edge]));
  return [...newest.values()].map((relation) => ({ ...relation, orders: orders.get(relation.id) ?? noOrders }));
}

export const filterPartners = (partners: readonly Partner[], filter: PartnerFilter, search: string): Partner[] =>
  partners.filter(
    ({ state, other }) =>
      (filter === "all" || filterByState[state] === filter) &&
      [other.name, other.number, other.address ?? ""].some((text) => text.toLowerCase().includes(search.toLowerCase())),
  );

/** Requested by the other side and not answered yet. */
export const isWaiting = ({ state, mine }: Relation): boolean => state === "requested" && !mine;
/** Returns the partners that the diagram shows, those with the most open orders first. */
export const selectForDiagram = (partners: readonly Partner[]): Partner[] =>
  partners
    .filter(isInDiagram)
    .toSorted((one, other) => other.orders.ours - one.orders.ours || other.orders.open - one.orders.open);
const isInDiagram = ({ state }: Relation): boolean => filterByState[state] !== "over";
