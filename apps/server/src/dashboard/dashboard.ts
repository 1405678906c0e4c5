import { ages, dashboardRules, openStates } from "@arcada/contract/dashboard/dashboard.calls";
import type { OpenRow, dashboardCalls } from "@arcada/contract/dashboard/dashboard.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { roles } from "@arcada/contract/kernel/roles";
import type { Principal } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { againIn, analysesIn, countOpen, partnerNames, timesOf, uploadsIn } from "./dashboard.store.ts";
import type { AgainCount, House, Period, Times } from "./dashboard.store.ts";

export type Open = Output<typeof dashboardCalls.open>;
export type Figures = Output<typeof dashboardCalls.period>;

export async function openOf(db: Db, iid: string, zone: string): Promise<Open> {
  const { today, counts } = await countOpen(db, iid, zone);
  const rows = openStates.map((state): OpenRow => {
    const own = counts.filter((one) => one.state === state);
    const sum = (some: typeof own) => some.reduce((total, { n }) => total + n, 0);
    return {
      state,
      ages: ages.map((_, place) => sum(own.filter(({ age }) => age === place))),
      mine: sum(own.filter(({ mine }) => mine)),
      all: sum(own),
    };
  });
  return { today, rows };
}

export type Days = Pick<Period, "from" | "to">;
export const periodOf = ({ timeZone: zone }: Principal, { from, to }: Days): Period => ({ from, to, zone });
/** The figures of a clinic are those of the orders that it sent; of a lab, those of the orders that it received. */
export const houseOf = ({ iid, role }: Principal & { iid: string }): House => ({
  iid,
  side: roles[role].side === "lab" ? "receiver" : "sender",
});

export async function figuresOf(db: Db, house: House, period: Period): Promise<Figures> {
  const { spans, months, partners } = await timesOf(db, house, period);
  const { counts, latest } = await againIn(db, house, period);
  return {
    spans,
    months: [...months]
      .map(([month, found]) => ({ month, ...found }))
      .toSorted((one, other) => one.month.localeCompare(other.month)),
    partners: await partnersOf(db, partners, counts),
    redeliveries: sumOf(counts, ({ kind }) => kind === "redelivery"),
    remakes: sumOf(counts, ({ kind }) => kind === "remake"),
    causes: causesOf(counts),
    latest,
    uploads: await uploadsIn(db, house.iid, period),
    analyses: house.side === "sender" ? await analysesIn(db, house.iid, period) : null,
  };
}

const sumOf = (counts: readonly AgainCount[], which: (one: AgainCount) => boolean): number =>
  counts.reduce((sum, one) => (which(one) ? sum + one.n : sum), 0);
const nobody: Times = { count: 0, median: null, late: null };

async function partnersOf(
  db: Db,
  done: Map<string, Times>,
  counts: readonly AgainCount[],
): Promise<Figures["partners"]> {
  const again = Map.groupBy(counts, ({ partnerId }) => partnerId);
  const ids = [...new Set([...done.keys(), ...again.keys()])];
  const count = (id: string, kind: AgainCount["kind"]) => sumOf(again.get(id) ?? [], (one) => one.kind === kind);
  const most = ids
    .map((id) => ({
      id,
      ...(done.get(id) ?? nobody),
      redeliveries: count(id, "redelivery"),
      remakes: count(id, "remake"),
    }))
    .toSorted((one, other) => other.count - one.count || other.remakes - one.remakes || one.id.localeCompare(other.id))
    .slice(0, dashboardRules.partnersMost);
  const names = await partnerNames(
    db,
    most.map(({ id }) => id),
  );
  return most.map((one) => ({ ...one, name: names.get(one.id) ?? "" }));
}

/** Counts the remakes by cause and by the party that bears them, the largest count first. */
const causesOf = (counts: readonly AgainCount[]): Figures["causes"] =>
  [
    ...Map.groupBy(
      counts.filter(({ kind }) => kind === "remake"),
      ({ cause, bears }) => `${cause} ${bears}`,
    ).values(),
  ]
    .map((same) => ({ cause: same[0]!.cause, bears: same[0]!.bears, count: sumOf(same, () => true) }))
    .toSorted((one, other) => other.count - one.count);
